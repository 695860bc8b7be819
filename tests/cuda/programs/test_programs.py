"""Whole programs: what right ones print, with nothing found, and what is found in wrong ones.

`right/` and `wrong/` state in their first lines what is expected, and `missed/` what is wrong. A wrong one may say what
its report contains, in lines of `// says:`; a right one has a line of `// warns:` for each warning.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from autograder import cli
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.core.host_findings import REMARKS
from autograder.cuda.programs.launches import budget

HERE = Path(__file__).parent
pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


def run(path: Path, capfd: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    """The exit code of `autograder run` and its document."""
    given = dict(re.findall(r"^// (arguments|gpus): (.*)$", path.read_text(), re.MULTILINE))
    arguments = ["--", *given["arguments"].split()] if "arguments" in given else []
    options = (*options, "--gpus", given["gpus"]) if "gpus" in given else options
    code = cli.main(["run", "--json", *options, str(path), *arguments])
    return code, json.loads(capfd.readouterr().out)


@pytest.mark.sampled(one_in=16)
@pytest.mark.parametrize("checked", [True, False], ids=["checked", "unchecked"])
@pytest.mark.parametrize("path", sorted((HERE / "right").glob("*.cu")), ids=lambda path: path.stem)
def test_a_right_program_prints_what_it_says_and_nothing_is_found(
    path: Path, checked: bool, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not checked:
        monkeypatch.setattr(budget, "WHOLE_PROGRAM", 0)
    expected = re.search(r"^// prints: (.*)$", path.read_text(), re.MULTILINE)
    code, done = run(path, capfd)
    assert [finding["report"] for finding in done["findings"]] == []
    warned = re.findall(r"^// warns: (.*)$", path.read_text(), re.MULTILINE) if checked else []
    assert [note[: len(f"Warning: {says}")] for says, note in zip(warned, done["notes"], strict=True)] == [
        f"Warning: {says}" for says in warned
    ]
    assert expected and done["printed"].rstrip("\n") == expected[1]
    assert (code, done["exit_code"]) == (0, 0)


@pytest.mark.sampled(by=lambda path: path.read_text().split()[2])
@pytest.mark.parametrize("path", sorted((HERE / "wrong").glob("*.cu")), ids=lambda path: path.stem)
def test_one_mistake_is_found_in_a_wrong_program_at_its_line(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expected = re.match(r"// finds: (\w+), line (\d+)", path.read_text())
    code, done = run(path, capfd)
    found = [(finding["kind"], finding.get("launch", finding)["line"]) for finding in done["findings"]]
    assert expected and found == [(expected[1], int(expected[2]))]
    assert code == (0 if expected[1] in REMARKS and done["exit_code"] == 0 else 1)
    # Each report names the line, and shows it.
    finding = done["findings"][0]
    assert finding["report"].startswith(finding["kind"])
    for says in re.findall(r"^// says: (.*)$", path.read_text(), re.MULTILINE):
        assert says in " ".join(finding["report"].split())
    assert "launch" in finding or re.search(rf"line +{finding['line']}   ", finding["report"])


@pytest.mark.parametrize("path", sorted((HERE / "missed").glob("*.cu")), ids=lambda path: path.stem)
def test_what_is_wrong_in_these_is_not_found(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Once it is, the program belongs to `wrong/`."""
    code, done = run(path, capfd)
    assert path.read_text().startswith("// wrong: line ")
    assert (code, done["findings"]) == (0, [])


def test_a_gpu_without_clusters_refuses_them(capfd: pytest.CaptureFixture[str]) -> None:
    code, done = run(HERE / "right" / "clusters.cu", capfd, "--gpu", "A100")
    (finding,) = done["findings"]
    assert (code, finding["kind"], finding["line"]) == (1, "FailedLaunch", 21)
    shown = " ".join(finding["report"].split())
    assert "swap fails with cudaErrorNoKernelImageForDevice, and nothing runs: it has clusters of blocks" in shown
    assert "the GPU has compute capability 8.0" in shown


@pytest.mark.parametrize(
    ("attribute", "says"),
    [
        ("cudaLaunchAttributeClusterDimension", "gives the clusters of a launch their size"),
        ("cudaLaunchAttributeProgrammaticEvent", "the attribute number 7 of cudaLaunchAttributeID"),
    ],
)
def test_an_attribute_of_a_launch_that_is_missing_is_named(
    attribute: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = f"""__global__ void idle() {{}}
int main() {{
    cudaLaunchAttribute all[2] = {{}};
    all[0].id = cudaLaunchAttributePriority;
    all[1].id = {attribute};
    cudaLaunchConfig_t config = {{2, 32, 0, 0, all, 2}};
    cudaLaunchKernelEx(&config, idle);
}}
"""
    (tmp_path / "idle.cu").write_text(text)
    assert cli.main(["run", str(tmp_path / "idle.cu")]) == 2
    message = " ".join(capfd.readouterr().err.split())
    assert "idle.cu line 7 gives" in message and says in message


@pytest.mark.parametrize(("gpu", "generation"), [("A100", 80), ("T4", 75), ("H200", 90)])
def test_both_halves_are_told_the_generation_of_the_gpu(
    gpu: str, generation: int, capfd: pytest.CaptureFixture[str]
) -> None:
    _, done = run(HERE / "right" / "generation_of_the_gpu.cu", capfd, "--gpu", gpu)
    arch = 10 * generation
    assert (done["printed"], done["findings"]) == (f"{arch} {arch} {arch} {generation} {generation}\n", [])


def test_a_program_that_asks_for_no_generation_is_made_for_each(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Their texts are the same."""
    text = """#include <cstdio>
__global__ void idle() {}
int main() {
    cudaFuncAttributes of;
    if (cudaFuncGetAttributes(&of, idle)) return 1;
    printf("%d", of.ptxVersion);
}
"""
    (tmp_path / "asks.cu").write_text(text)
    assert [run(tmp_path / "asks.cu", capfd, "--gpu", gpu)[1]["printed"] for gpu in ("H200", "A100")] == ["90", "80"]


def test_the_report_stands_on_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", str(HERE / "wrong" / "freed_twice.cu")]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("freed_twice.cu ended with exit code 1, with 0 launches on the emulated H200: 1 finding.\n")


def test_a_hint_speaks_of_the_launch_as_the_program_has_it(capfd: pytest.CaptureFixture[str]) -> None:
    program = HERE / "wrong" / "third_number_in_elements.cu"
    _, done = run(program, capfd)
    shown = " ".join(done["findings"][0]["report"].split())
    assert "as many bytes as the launch asks for in <<<grid, block, bytes>>>: a float takes 4" in shown


def test_a_crash_tells_which_calls_have_failed_before(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """And a null pointer is nobody's memory."""
    text = """int main() {
    int *d = nullptr, *h = nullptr;
    cudaMalloc(&d, size_t(1) << 40);
    cudaMallocHost(&h, size_t(1) << 40);
    cudaMemset(d, 0, 4);
    END;
}
"""
    found = []
    for end in ("return h[0]", "abort()"):
        (tmp_path / "p.cu").write_text("#include <cstdlib>\n" + text.replace("END", end))
        _, done = run(tmp_path / "p.cu", capfd)
        found.append([(f["kind"], f["line"]) for f in done["findings"] if f["kind"] != "OutOfMemory"])
    failed = [("UncheckedError", 4), ("UncheckedError", 5), ("UncheckedError", 6)]
    assert found == [[("HostCrash", 7), *failed], [("HostCrash", 0)]]


def test_a_lambda_has_lines_of_its_own(capfd: pytest.CaptureFixture[str]) -> None:
    _, done = run(HERE / "wrong" / "lambda_out_of_bounds.cu", capfd)
    (finding,) = done["findings"]
    assert "thread 31 writes   line 12   a[i + 1] = n;" in finding["report"]
    assert finding["launch"]["text"] == "each<<<1, 32>>>([=] __device__(int i) {"


def test_a_kernel_of_a_program_runs_alone_where_a_grid_is_given(capfd: pytest.CaptureFixture[str]) -> None:
    program = str(HERE / "wrong" / "kernel_out_of_bounds.cu")
    launch = ["--grid", "1", "--block", "32", "--arg", "x=zeros:32"]
    assert cli.main(["run", program, *launch]) == 0
    assert "fill, grid=1" in capfd.readouterr().out


def shown(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """What is reported about bad input, or with `code` 3 about the machine."""
    assert cli.main(["run", *arguments]) == code
    return capfd.readouterr().err


def test_bad_input_gets_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text("#include <cusolverDn.h>\nint main() {}\n")
    assert "p.cu line 1 includes cusolverDn.h, which is not there" in shown(capfd, str(program))
    program.write_text("int main() {\n    return cudaGraphDebugDotPrint(0, 0, 0);\n}\n")
    assert "line 2 uses cudaGraphDebugDotPrint, which the emulated runtime does not have" in shown(capfd, str(program))
    program.write_text("int main() {\n    cudaMipmappedArray_t x;\n}\n")
    assert "p.cu line 2 uses cudaMipmappedArray_t, which the emulated runtime" in shown(capfd, str(program))
    program.write_text("int main() { return x; }\n")
    assert "p.cu line 1 does not compile: use of undeclared identifier 'x'" in shown(capfd, str(program))
    program.write_text("int f();\nint main() { return f(); }\n")
    assert "p.cu calls f(), which is defined in no file that is given" in shown(capfd, str(program))
    assert "give --grid and --block to launch one of its kernels" in shown(capfd, str(program), "--kernel", "k")
    assert "--gpu P100 is not known" in shown(capfd, str(program), "--gpu", "P100")
    program.write_text("__global__ void k() {}\n")
    assert "runs as one kernel: give --grid and --block" in shown(capfd, str(program), "--grid", "1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name a CUDA program, as in `autograder run blur.cu`."),
        (["--blub"], "`autograder run` takes no --blub: `autograder run --help` lists what it takes."),
        (["p.cu", "--grid", "a"], "argument --grid: a is not one to three integers"),
        (["/bin/sh"], "/bin/sh was not linked by `autograder cc`: give the program's .cu file"),
        (["p.cu"], "p.cu has no main function, so it is not a program: give --grid and --block to launch one"),
    ],
)
def test_a_command_line_gets_a_sentence(
    words: list[str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.cu").write_text("int x;\n")
    err = shown(capfd, *words)
    assert err.startswith(f"autograder: {message}") and err.count("\n") == 1


def test_a_programs_arguments_stand_behind_any_option(capfd: pytest.CaptureFixture[str]) -> None:
    program = str(HERE / "right" / "arguments.cu")
    assert cli.main(["run", program, "--format", "json", "--", "--blub", "300"]) == 0
    assert json.loads(capfd.readouterr().out)["printed"] == "3 arguments, the last is 300\n"


def test_a_program_may_print_more_than_a_pipe_holds(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        '#include <cstdio>\nint main() {\n    for (int i = 0; i < 50000; ++i) printf("%d\\n", i);\n'
        "    fflush(stdout);\n    return cudaDeviceSynchronize();\n}\n"
    )
    code, done = run(program, capfd)
    assert (code, done["printed"].split()[-1]) == (0, "49999")


def test_hints_about_memory_are_taken_as_cuda_13_has_them(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "int main() {\n    int* x;\n    cudaMallocManaged(&x, 4);\n"
        "    cudaMemLocation at = {cudaMemLocationTypeHost, 0};\n"
        "    if (cudaMemPrefetchAsync(x, 4, at, 0, 0)) return 1;\n"
        "    if (cudaMemAdvise(x, 4, cudaMemAdviseSetReadMostly, at)) return 1;\n    return cudaFree(x);\n}\n"
    )
    assert run(program, capfd)[0] == 0


#: Ways to end with exit code 0, and without freeing anything.
ENDS = {
    "returns": "return 0;",
    "exit": "exit(0);",
    "_exit": "_exit(0);",
    "quick_exit": "quick_exit(0);",
    "handler": "atexit([] { quick_exit(0); }); exit(0);",
    "destructor": "static End end; return 0;",
    "another program": 'execl("/bin/true", "true", nullptr);',
    "reset": "cudaDeviceReset(); return 0;",
}


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", ENDS)
def test_a_leak_is_found_however_the_program_ends(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    ways = "".join(f'    if (!strcmp(argv[1], "{name}")) {{ {statements} }}\n' for name, statements in ENDS.items())
    program.write_text(
        "#include <unistd.h>\n#include <cstdlib>\n#include <cstring>\nstruct End { ~End() { std::exit(0); } };\n"
        f"int main(int, char** argv) {{\n    int* x;\n    cudaMalloc(&x, 4);\n{ways}    return 2;\n}}\n"
    )
    assert cli.main(["run", "--json", str(program), "--", name]) == 0
    done = json.loads(capfd.readouterr().out)
    assert done["exit_code"] == 0
    assert [(finding["kind"], finding["line"]) for finding in done["findings"]] == [("Leak", 7)]


def test_a_device_says_how_much_of_its_cache_may_persist(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "int main() {\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n"
        "    return p.l2CacheSize != 62914560 || p.persistingL2CacheMaxSize != 39321600;\n}\n"
    )
    assert run(program, capfd)[1]["exit_code"] == 0


@pytest.mark.parametrize(("end", "leaks"), [("", [4]), ("cudaFree(x);", [])])
def test_a_leak_behind_an_error_that_lasts_is_what_nobody_tried_to_free(
    end: str, leaks: list[int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "__global__ void fail() { __trap(); }\nint main() {\n    int* x;\n    cudaMalloc(&x, 4);\n"
        f"    fail<<<1, 1>>>();\n    cudaDeviceSynchronize();\n    {end}\n}}\n"
    )
    assert cli.main(["run", "--json", str(program)]) == 1
    found = json.loads(capfd.readouterr().out)["findings"]
    assert [finding["line"] for finding in found if finding["kind"] == "Leak"] == leaks


def test_a_copy_that_is_not_made_since_the_hosts_block_ends_has_its_own_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = (HERE / "wrong" / "copies_whole_blocks_of_a_vector.cu").read_text()
    (tmp_path / "unchecked.cu").write_text(text.replace("return 1", "return 0"))
    findings = run(tmp_path / "unchecked.cu", capfd)[1]["findings"]
    assert [finding["kind"] for finding in findings] == ["CopyOutOfBounds", "UncheckedError"]
    assert "cudaMemcpy fails with cudaErrorInvalidValue" in " ".join(findings[1]["report"].split())


#: What a program does at its end, and what is said of it.
CRASHES = {
    "throw 1;": "ended with SIGABRT, which an uncaught exception",
    "abort();": "ended with SIGABRT",
    "return deep(argc);": "ended with SIGSEGV, most likely because its stack is full",
    "raise(SIGTERM);": "ended by SIGTERM.",
    "return 100 / (argc - 1);": "divides an integer by 0, or with a result that does not fit, and the program ends "
    "(SIGFPE):",
    "memset((char*)4096 + argc, 1, 100000);": "writes where there is no memory, and the program ends (SIGSEGV)",
}


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("statement", CRASHES)
def test_a_program_that_a_signal_ends_gets_a_sentence(
    statement: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "#include <csignal>\n#include <cstdlib>\n#include <cstring>\n"
        "int deep(volatile int n) { volatile int x[1000] = {n}; return n ? deep(n + 1) + x[0] : 0; }\n"
        f"int main(int argc, char**) {{\n    {statement}\n}}\n"
    )
    code, done = run(program, capfd)
    report = done["findings"][0]["report"]
    assert (code, len(done["findings"])) == (1, 1) and done["exit_code"] < 0
    assert report.startswith("HostCrash\n") and CRASHES[statement] in " ".join(report.split())


def test_a_program_is_native(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, Engine.WEBASSEMBLY)
    assert f"unset {VARIABLE}" in shown(capfd, str(HERE / "right" / "arguments.cu"), code=3)


def test_a_kernel_that_does_not_compile_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text("__global__ void k(int* x) { *x = undefined; }\nint main() {\n    k<<<1, 1>>>(nullptr);\n}\n")
    assert cli.main(["run", "--format", "json", str(program)]) == 2
    out, err = capfd.readouterr()
    message = "use of undeclared identifier 'undefined': declare it above this line, and not only within other {...}"
    assert out == "" and err == f"autograder: p.cu line 1 does not compile: {message}.\n"


def test_kernels_are_called_as_in_the_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text(
        "namespace a { namespace { template <class T, int N> __global__ void put(T* x, int (*f)(int)) { *x = N; } } }\n"
        "int main() { a::put<int, 3><<<0, 1>>>(nullptr, nullptr); }\n"
    )
    _, done = run(program, capfd)
    assert "launch of a::put<int, 3> " in " ".join(done["findings"][0]["report"].split()), done["findings"]


def test_a_function_of_both_sides_is_written_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "twice.h").write_text("inline int h() { return 1; }\nfloat twice(float x) { return 2 * x; }\n")
    program = tmp_path / "p.cu"
    program.write_text(
        '#include <vector>\n#include "twice.h"\n__device__ float twice(int x) { return 3 * x; }\n'
        "__device__ float twice(float x) { return 3 * x; }\n"
        "__global__ void k(float* x) { *x = twice(*x); }\nint main() { k<<<1, 1>>>(nullptr); }\n"
    )
    message = "p.cu line 4 does not compile: redefinition of 'twice', which twice.h line 2 defines: a function of "
    assert message in shown(capfd, str(program))


@pytest.mark.parametrize(
    ("statement", "refused"),
    [
        ("cudaMallocHost(p, 4);", "calls cudaMallocHost on the GPU, which is not supported by the emulator."),
        (
            "cudaDeviceSynchronize();",
            "calls cudaDeviceSynchronize on the GPU, where CUDA no longer has it: no kernel can",
        ),
        ("cudaStreamCreate(s);", "calls cudaStreamCreate on the GPU, which is not supported by the emulator."),
    ],
)
def test_a_kernel_that_does_the_work_of_the_host_gets_a_sentence(
    statement: str, refused: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.cu"
    kernels = f"__global__ void plain() {{}}\n__global__ void outer(void** p, cudaStream_t* s) {{ {statement} }}\n"
    program.write_text(kernels + "int main() {}\n")
    assert f"p.cu line 2 {refused}" in shown(capfd, str(program))


def test_a_kernel_that_runs_alone_cannot_launch_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Only a whole program has what its children share."""
    program = tmp_path / "p.cu"
    program.write_text("__global__ void child() {}\n__global__ void parent() {\n    child<<<1, 1>>>();\n}\n")
    assert cli.main(["run", str(program), "--kernel", "parent", "--grid", "1", "--block", "1"]) == 1
    message = " ".join(capfd.readouterr().out.split())
    assert "line 3" in message and "launches a kernel" in message
