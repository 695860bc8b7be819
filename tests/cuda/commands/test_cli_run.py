"""`autograder run`: any `.cu` file on the emulator, from the command line."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import inputs
import numpy as np
import pytest

from autograder import cli
from autograder.cuda.core.findings import Access, Kind
from autograder.cuda.core.run import Counts
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.programs.building import runtime_build
from autograder.cuda.report import describe
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.commands

KERNELS = Path(__file__).parents[1] / "kernels"
RACE = KERNELS / "race" / "bad_missing_barrier.cu"
needs_nvrtc = pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")

#: Host code as in a textbook, around a kernel with a mistake in line 14.
PROGRAM = """\
#include <cstdio>
#include <vector>
#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)
const float SCALE = 2.0f;
__constant__ float offset[1];

void fill(std::vector<float>& x) { for (auto& e : x) e = 1; }

__global__ void scale(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        printf("%d threads\\n", blockDim.x);
    out[i] = SCALE * in[i] + offset[0];
}

int main()
{
    std::vector<float> host(100);
    float *in, *out;
    CHECK(cudaMalloc(&in, 400));
    CHECK(cudaMemcpyToSymbol(offset, host.data(), 4));
    scale<<<4, 32>>>(in, out, 100);
    return 0;
}
"""


def run(capsys: pytest.CaptureFixture[str], *options: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of `autograder run` with these options."""
    try:
        code = cli.main(["run", *map(str, options)])
    except SystemExit as end:  # of --help
        code = int(end.code or 0)
    message = capsys.readouterr()
    return code, message.out, message.err


def race(*options: str) -> list[str | Path]:
    return [RACE, "--grid", "2", "--block", "64", "--arg", "in=random:128", "--arg", "out=poison:128", *options]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.cu"
    path.write_text(PROGRAM)
    return path


def test_a_finding_is_reported_as_a_student_reads_it(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *race())
    kernel = Kernel(RACE.read_text(), "reverse_pairs")
    (finding,) = kernel.emulate(2, 64, [np.zeros(128, np.float32), np.zeros(128, np.float32)]).findings
    assert code == 1 and not err
    assert out.startswith("reverse_pairs, grid=2, block=64, on the emulator: 1 finding.\n\nRace\n\n")
    assert describe(finding, kernel.source) in out


def test_of_several_races_the_one_that_explains_most_comes_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "count.cu"
    file.write_text("__global__ void count(int* n) { *n += 1; }")
    _, out, _ = run(capsys, file, "--grid", "2", "--block", "32", "--arg", "n=zeros:1")
    first = out.split("\nRace\n")[1]
    assert "One of the two values is lost" in first
    assert "one step that no other thread can come between" in " ".join(first.split())


def test_the_counts_are_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "sum_up.cu"
    source.write_text(
        "__global__ void sum_up(const float* in, float* sum)\n{\n    __shared__ float part[64];\n"
        "    part[threadIdx.x] = 0.0f;\n    __syncthreads();\n"
        "    atomicAdd(&part[threadIdx.x / 2], in[threadIdx.x]);\n    __syncthreads();\n"
        "    atomicAdd(sum, part[2 * (threadIdx.x % 32)]);\n}\n"
    )
    _, out, _ = run(capsys, source, "--grid", "1", "--block", "64", "--arg", "in=arange:64", "--arg", "sum=zeros:1")
    table = [row.split() for row in out[out.index("by threads") :].splitlines()[1:]]
    assert table == [  # 2 warps
        ["global", "loads", "64", "2", "8"],
        ["global", "stores", "0", "0", "0"],
        ["global", "atomics", "64", "2", "64"],  # 32 lanes at one element
        ["shared", "loads", "64", "2", "4", "2"],  # every second word: two passes, one of them a conflict
        ["shared", "stores", "64", "2", "2", "0"],
        ["shared", "atomics", "64", "2", "4", "2"],  # two lanes a word
        ["barriers", "128"],
    ]


def test_a_clean_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = tmp_path / "good.cu"
    good.write_text("__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }")
    code, out, err = run(
        capsys, good, "--grid", "1", "--block", "4", "--arg", "in=arange:4", "--arg", "out=poison:4", "--print", "out"
    )
    assert code == 0 and not err
    assert out.startswith("twice, grid=1, block=4, on the emulator: nothing was found.\n")
    assert out.endswith("\nout (int32, 4) after the launch:\n[0 2 4 6]\n")


def test_host_code_does_not_run(capsys: pytest.CaptureFixture[str], program: Path) -> None:
    arguments = ["--arg", "in=ones:100", "--arg", "out=poison:100", "--arg", "n=100"]
    code, out, _ = run(capsys, program, "--grid", "4", "--block", "32", *arguments)
    assert code == 1
    assert out.splitlines()[0] == "No host code fills offset: all of it is 0."
    assert "line 14   out[i] = SCALE * in[i] + offset[0];" in out and "OutOfBounds" in out
    assert "The kernel printed:\n32 threads\n" in out


def test_what_does_not_compile_is_left_out_and_said(capsys: pytest.CaptureFixture[str], program: Path) -> None:
    program.write_text(f'#include "library.h"\n{PROGRAM}')
    program.write_text(program.read_text().replace("return 0;", "return library();"))
    arguments = ["--arg", "in=ones:128", "--arg", "out=poison:128", "--arg", "n=100"]
    code, out, _ = run(capsys, program, "--grid", "4", "--block", "32", *arguments)
    assert code == 0
    assert out.splitlines()[:2] == [
        "library.h is not there: what needs it is left out.",
        "Left out, because it does not compile: main (line 25: use of undeclared identifier 'library').",
    ]


def test_outputs_are_kept(capsys: pytest.CaptureFixture[str], program: Path, tmp_path: Path) -> None:
    given, stored = tmp_path / "in.npy", tmp_path / "out.npy"
    np.save(given, np.arange(64, dtype=np.float32))
    arguments = ["--arg", f"in={given}", "--arg", "zeros:64", "--arg", "64", "--out", f"out={stored}"]
    assert run(capsys, program, "--grid", "2", "--block", "32", *arguments)[0] == 0
    np.testing.assert_array_equal(np.load(stored), 2 * np.arange(64, dtype=np.float32))


def test_a_race_with_an_order_in_which_the_result_is_wrong(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    want = tmp_path / "want.npy"
    np.save(want, np.roll(np.arange(128, dtype=np.float32).reshape(2, 64), 32, axis=1).ravel())
    shape: list[str | Path] = [RACE, "--grid", "2", "--block", "64"]
    code, out, err = run(capsys, *shape, "--arg", "in=arange:128", "--arg", "out=poison:128", "--expect", f"out={want}")
    assert code == 1 and not err
    text = " ".join(out.split())
    assert "on the emulator: 2 findings." in text
    assert "Here is one way it goes wrong: thread 0 reads tile[32] (line 10) before thread 32 has written it" in text
    assert "Then out[0] is nan; numpy expects 32.0." in text
    assert "Mismatch out[0] is nan; numpy says 32.0. 64 of 128 elements of out are wrong" in text


def test_what_is_expected_and_comes_out_is_no_finding(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "count.cu"
    source.write_text(
        "__global__ void count(int* total, int* same)\n{\n    atomicAdd(total, 1);\n    same[0] = 3;\n}\n"
    )
    options: list[str | Path] = [
        source,
        "--grid",
        "1",
        "--block",
        "64",
        "--arg",
        "total=zeros:1",
        "--arg",
        "same=zeros:1",
    ]
    code, out, _ = run(capsys, *options, "--expect", "total=64", "--expect", "same=3")
    assert code == 1 and "1 finding." in out
    assert "In all 8 orders of the threads that the emulator tried, the results came out right." in " ".join(
        out.split()
    )
    code, out, _ = run(capsys, *options, "--expect", "total=63", "--json")
    kinds = [finding["kind"] for finding in json.loads(out)["findings"]]
    assert code == 1 and kinds == ["Race", "Mismatch"]
    code, _, err = run(capsys, *options, "--expect", "sum=63")
    assert code == 2 and err == "autograder: --expect sum=63 names no array of count: use total, same.\n"


def test_a_trace_holds_every_access(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    code, _, err = run(capsys, *race("--trace", str(path)))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert code == 1 and err == f"{path} holds {len(rows)} events.\n"
    assert sum(row["action"] == "write" and row["array"] == "tile" for row in rows) == 128
    assert {row["line"] for row in rows if row["array"] == "out"} == {"10"}
    read = {row["index"]: float(row["value"]) for row in rows if row["array"] == "in"}
    written = {row["index"]: float(row["value"]) for row in rows if row["array"] == "tile" and row["block"] == "0"}
    assert read and all(written[index] == read[index] for index in written)
    assert {(row["size"], row["value"] == "") for row in rows} == {("4", False), ("", True)}
    assert all(int(row["offset"]) == 4 * int(row["index"]) for row in rows if row["array"])


def test_the_seed_decides_what_is_random(capsys: pytest.CaptureFixture[str]) -> None:
    def values(seed: str) -> str:
        return run(capsys, *race("--print", "in", "--seed", seed))[1]

    assert values("1") == values("1") != values("2")


# ---- JSON ---------------------------------------------------------------------------------------------

KEYS = (
    "file files kernel grid block shared_mem seed notes completed findings counts printed outputs resources seconds"
).split()
BAD = [
    (RACE, "2", "64", ["random:128", "poison:128"]),
    (KERNELS / "race" / "bad_scan_in_place.cu", "1", "128", ["random:128"]),
    (KERNELS / "barrier_divergence" / "bad_two_sites.cu", "1", "64", ["poison:64"]),
    (KERNELS / "out_of_bounds" / "bad_read_past_end.cu", "4", "32", ["random:100", "poison:128", "100"]),
    (KERNELS / "crash" / "bad_trap.cu", "1", "32", ["poison:32"]),
    (KERNELS / "compile_error" / "bad_two_undeclared_names.cu", "1", "32", ["random:32", "poison:32"]),
    (KERNELS / "forbidden_code" / "bad_inline_assembly.cu", "1", "32", ["poison:32"]),
]


def tuples(value: Any) -> Any:
    """`value` with tuples for JSON's lists."""
    if isinstance(value, list):
        return tuple(tuples(part) for part in value)
    return {key: tuples(part) for key, part in value.items()} if isinstance(value, dict) else value


def reported(found: dict[str, Any]) -> dict[str, Any]:
    """The finding in JSON, as the finding's own fields but for the compiler's log, which has paths."""
    found["details"].pop("log", None)
    accesses = tuple(Access(**tuples(access)) for access in found["threads"])
    return {"kind": found["kind"], "accesses": accesses, "count": found["count"], **tuples(found["details"])}


@pytest.mark.parametrize(("path", "grid", "block", "arguments"), BAD, ids=lambda value: getattr(value, "stem", ""))
def test_json_holds_all_that_was_found(
    path: Path, grid: str, block: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word for text in arguments for word in ("--arg", text)]
    code, out, err = run(capsys, path, "--grid", grid, "--block", block, *given, "--json")
    document = json.loads(out)
    assert code == 1 and not err
    values = [np.zeros(int(a.split(":")[1]), np.float32) if ":" in a else int(a) for a in arguments]
    kernel = Kernel(path.read_text(), document["kernel"])
    values = [
        v.astype(p.dtype) if isinstance(v, np.ndarray) else v
        for v, p in zip(values, kernel.signature.parameters, strict=not kernel.refusal)
    ]
    wanted = kernel.emulate(int(grid), int(block), values)
    assert [reported(f) for f in document["findings"]] == [
        {"kind": f.kind, **{key: in_words(v) if key == "messages" else v for key, v in vars(f).items() if key != "log"}}
        for f in wanted.findings
    ]
    assert document["completed"] == wanted.completed
    ran = wanted.findings[0].kind not in (Kind.COMPILE_ERROR, Kind.FORBIDDEN_CODE)
    assert (document["counts"] and Counts(**document["counts"])) == (wanted.counts if ran else None)
    for shown, finding in zip(document["findings"], wanted.findings, strict=True):
        assert shown["line"] > 0 and shown["text"] == path.read_text().split("\n")[shown["line"] - 1].strip()
        if finding.accesses:
            last = finding.accesses[-1]
            assert (shown["line"], shown["array"], tuple(shown["index"])) == (last.line, last.array, last.index)
        assert shown["report"].startswith(f"{finding.kind}\n\n")


def test_json_has_the_keys_of_the_help_in_its_order(capsys: pytest.CaptureFixture[str], program: Path) -> None:
    arguments = ["--arg", "in=ones:128", "--arg", "out=poison:128", "--arg", "n=100"]
    _, out, _ = run(capsys, program, "--grid", "4", "--block", "32", *arguments, "--json")
    document = json.loads(out)
    assert list(document) == KEYS
    assert document["notes"] == ["No host code fills offset: all of it is 0."]
    assert document["printed"] == "32 threads\n"
    assert document["outputs"][1] == {"name": "out", "dtype": "float32", "shape": [128]}
    assert document["findings"] == [] and 0 < document["seconds"] < 60
    after = run(capsys, "--help")[1].partition("the document of --format json")[2]
    shown = after.partition("document for a program:")[0]
    # Each key starts a line, except for the first few, which share one.
    described = re.findall(r"^  (\w+(?:, \w+)*)(?:  .*)?$", shown, re.MULTILINE)
    assert ", ".join(described).split(", ") == KEYS


# ---- bad input ----------------------------------------------------------------------------------------

TWO = "__global__ void a(int* x) {}\n__global__ void b(int* x) {}\n"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (TWO, ["--arg", "zeros:1"], "The file has 2 kernels: choose one by --kernel a, b."),
        (TWO, ["--kernel", "c"], "There is no kernel c in the source, which has a, b"),
        ("int main() { return 0; }", [], "The file has no __global__ function"),
        ("template <int N> __global__ void t(int* x) {}", ["--arg", "zeros:1"], "name an instance, such as t<128>"),
        (TWO, ["--kernel", "a"], "a(int* x) has no --arg for int* x: add one, such as --arg x=random:1024."),
        (TWO, ["--kernel", "a", "--arg", "zeros:1", "--print", "y"], "a has no array y: use x."),
        (TWO, ["--kernel", "a", "--arg", "zeros:1", "--out", "y=/dev/null"], "a has no array y: use x."),
        (TWO, ["--kernel", "a", "--arg", "zeros:1", "--out", "x=no/such/x.npy"], "no/such/x.npy cannot be written"),
        (TWO, ["--kernel", "a", "--arg", "zeros:1", "--shared-mem", "300000"], "shared_mem=300000 bytes is more"),
        (TWO, ["--gpu", "T5"], "--gpu T5 is not known: use T4, A100,"),
        (TWO, ["--grid", "many"], "many is not one to three integers"),
        (TWO, ["--kernel", "a", "--arg", "zeros:1", "--seed", "-1"], "The seed -1 is negative: use 0 or more."),
        (TWO, ["--out", "x"], "x is not NAME=FILE, such as out=out.npy"),
        (TWO, ["--json", "--print", "x"], "not allowed with argument"),
    ],
)
def test_bad_input_is_one_sentence(
    text: str, options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "k.cu"
    path.write_text(text)
    code, _, err = run(capsys, path, "--grid", "1", "--block", "1", *options)
    assert code == 2 and message in err
    assert err.strip().count("\n") == 0 or err.startswith("usage:")


def test_a_file_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, tmp_path / "k.cu", "--grid", "1", "--block", "1")
    assert code == 2 and not out and "cannot be read: No such file" in err


def test_a_first_run_says_why_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runtime_build.runtime()
    assert run(capsys, *race())[2] == ""
    monkeypatch.setattr(runtime_build, "runtime_is_built", lambda: False)
    message = "The first kernel of a file on a machine takes longer: what runs it is compiled, once.\n"
    assert run(capsys, *race())[2] == message


# ---- the compiler's numbers ---------------------------------------------------------------------------


@needs_nvrtc
def test_resources_of_each_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, *race("--gpu", "t4", "--gpu", "H200", "--json"))[1])
    t4, h200 = document["resources"]
    assert (t4["gpu"], t4["arch"], h200["gpu"], h200["arch"]) == ("T4", "sm_75", "H200", "sm_90")
    assert t4["shared_bytes"] == 64 * 4 and 4 <= t4["registers"] <= 40
    # 16 blocks of 2 warps fill a T4; 32 blocks, as many as it takes, fill an H200 of 64 warps.
    assert t4["occupancy"] == {"blocks_per_sm": 16, "warps": 32, "limit": 32, "limiters": ["warps", "blocks"]}
    assert h200["occupancy"] == {"blocks_per_sm": 32, "warps": 64, "limit": 64, "limiters": ["warps", "blocks"]}


@needs_nvrtc
def test_resources_count_dynamic_shared_memory(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *race("--gpu", "A100", "--shared-mem", "40000"))
    row = next(line for line in out.splitlines() if line.startswith("A100 (sm_80)"))
    assert code == 1 and "40,256 B" in row and row.endswith("8 of 64  12%  shared memory")


@needs_nvrtc
def test_what_was_found_is_not_lost_where_nvrtc_refuses(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text("#include <ratio>\n\n__global__ void k(int* x) { x[0] = std::ratio<4, 8>::den; }\n")
    code, out, err = run(capsys, path, "--grid", "1", "--block", "1", "--arg", "zeros:1", "--gpu", "T4")
    assert code == 2 and "nothing was found" in out
    assert err.startswith("autograder: NVRTC cannot compile k, which needs more than kernels have there: line 3: ")


@needs_nvrtc
def test_resources_of_a_kernel_beside_host_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text(
        "#pragma once\n#include <string>\nconstexpr int SIZE = 64;\nstd::string name();\n"
    )
    path = tmp_path / "k.cu"
    path.write_text(
        '#include "sizes.h"\n#include <iostream>\n#include <cuda_fp16.h>\n#include <vector>\n'
        "#define KERNEL(f) __global__ void f(__half* x) { __shared__ volatile int a[SIZE]; a[0] = 1; x[0] = a[0]; }\n"
        "struct Data { std::vector<int> all; };\n"
        "struct Array { int n; __device__ int size() const { return n; } void print() { std::cout << n; } };\n"
        "KERNEL(k)\n"
        "int main() { Data data; k<<<1, 1>>>(nullptr); std::cout << data.all.size(); }\n"
    )
    options = ["--grid", "1", "--block", "1", "--arg", "zeros:1", "--gpu", "T4", "--json"]
    code, out, err = run(capsys, path, *options)
    assert (code, err) == (0, "")
    (taken,) = json.loads(out)["resources"]
    assert taken["shared_bytes"] == 64 * 4 and taken["registers"] >= 4
