"""The text that `autograder run` prints on a program: each mistake once, its cause first, and leaks as remarks."""

from __future__ import annotations

import json
from pathlib import Path

import inputs
import pytest

from autograder import cli

pytestmark = inputs.commands

#: A warp reduction without barriers: six lines race with each other, by one mistake.
LAST_WARP = """\
__global__ void total(float* out)
{
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = t;
    __syncthreads();
    if (t < 32) {
        volatile float* v = part;
        v[t] += v[t + 32];
        v[t] += v[t + 16];
        v[t] += v[t + 8];
        v[t] += v[t + 4];
    }
    if (t == 0) *out = part[0];
}
"""
#: One launch races within a warp, and the next, larger one between warps.
TWO_SIZES = """\
__global__ void spread(const float* x, float* y)
{
    __shared__ float s[2];
    int t = threadIdx.x;
    if (t % 32 == 0) s[t / 32] = x[t];
    __syncthreads();
    float v = x[t] - s[0];
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    y[t] = s[0];
}
"""


def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], text: str, *options: str) -> tuple[int, str, str]:
    program = tmp_path / "p.cu"
    program.write_text(text)
    code = cli.main(["run", str(program), *options])
    out, err = capfd.readouterr()
    return code, out, err


def main(body: str) -> str:
    """A main function that allocates 64 floats on the GPU, and frees them."""
    return (
        "int main()\n{\n    float h[64] = {}, *d;\n    if (cudaMalloc(&d, sizeof h)) return 1;\n"
        f"{body}    if (cudaDeviceSynchronize()) return 1;\n    cudaFree(d);\n}}\n"
    )


def test_the_pairs_of_lines_that_race_by_one_mistake_are_one_finding(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = LAST_WARP + main("    total<<<1, 64>>>(d);\n")
    code, _, err = run(tmp_path, capfd, text)
    assert code == 1
    assert ": 1 finding.\n\nRace in total" in err and err.count("Hint") == 1
    assert "thread 16 writes   line  9   v[t] += v[t + 32];" in err
    assert "thread  0 reads    line 10   v[t] += v[t + 16];" in err
    assert "\n8 more pairs of lines race on part: 9/11, 9/12, 10/10, 10/11, 10/12, 11/11, ...\n" in err
    _, out, _ = run(tmp_path, capfd, text, "--json")
    assert len(json.loads(out)["findings"]) > 9
    assert ": 1 finding." in json.loads(out)["summary"]
    code, out, _ = run(tmp_path, capfd, text, "--grid", "1", "--block", "64", "--arg", "out=zeros:1")
    assert "on the emulator: 1 finding.\n" in out and "\n8 more pairs of lines race on part: 9/11" in out


def test_races_on_two_arrays_are_two_findings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kernel = (
        "__global__ void turn(float* x)\n{\n    __shared__ float a[64], b[64];\n    int t = threadIdx.x;\n"
        "    a[t] = t;\n    b[t] = t;\n    x[t] = a[63 - t];\n    x[t] += b[63 - t];\n}\n"
    )
    _, _, err = run(tmp_path, capfd, kernel + main("    turn<<<1, 64>>>(d);\n"))
    assert ": 2 findings." in err and err.count("Hint") == 2 and "more pair" not in err


def test_of_the_launches_of_a_line_the_strongest_race_is_reported(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    launches = "    for (int size = 32; size <= 64; size += 32) spread<<<1, size>>>(d, d);\n"
    text = TWO_SIZES + main(f"    cudaMemset(d, 0, sizeof h);\n{launches}").replace("(d, d)", "(d, d + 64)").replace(
        "&d, sizeof h", "&d, 2 * sizeof h"
    )
    _, _, err = run(tmp_path, capfd, text)
    assert "In block 0, two threads use s[0] with no barrier between them:" in err
    assert "one warp" not in err
    assert err.endswith("The same in 1 more launch of this line.\n")
    (race,) = json.loads(run(tmp_path, capfd, text, "--json")[1])["findings"]
    assert (race["details"]["scope"], race["launches"]) == ("block", 2)


def test_a_copy_in_the_wrong_direction_comes_before_the_reads_that_it_leaves_without_data(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
    text = kernel + main(
        "    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice)) h[0] = 1;\n    twice<<<1, 64>>>(d);\n"
    )
    _, _, err = run(tmp_path, capfd, text)
    assert 0 < err.index("\nWrongDirection\n") < err.index("\nUninitializedRead in twice")
    found = json.loads(run(tmp_path, capfd, text, "--json")[1])["findings"]
    assert [finding["kind"] for finding in found] == ["WrongDirection", "UninitializedRead", "UncheckedError"]


def test_what_the_host_does_wrong_after_a_launch_comes_after_its_findings(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
    _, _, err = run(tmp_path, capfd, kernel + main("    twice<<<1, 64>>>(d);\n    cudaFree(d);\n"))
    assert 0 < err.index("\nUninitializedRead in twice") < err.index("\nInvalidFree\n")


def test_a_long_line_with_a_launch_is_cut(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kernel = "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n"
    long = f"    {{ int of_no_use = 0; twice<<<1, 64>>>(d); {'of_no_use += 1; ' * 10}(void)of_no_use; }}\n"
    _, _, err = run(tmp_path, capfd, kernel + main(long))
    (head,) = [line for line in err.split("\n") if line.startswith("UninitializedRead in twice, launched in line")]
    assert len(head) == 100 and head.endswith("...") and "twice<<<1, 64>>>(d);" in head


LEAK = "int main() {\n    int* x;\n    return cudaMalloc(&x, 4);\n}\n"


def test_a_leak_alone_is_a_remark(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(tmp_path, capfd, LEAK)
    assert code == 0
    assert err.startswith(
        "p.cu ended with exit code 0, with 0 launches on the emulated H200: nothing was found but 1 leak.\n\n"
        "Remark: Leak\n\nThe program ends, and nothing has freed x (4 bytes):\n"
    )
    code, out, _ = run(tmp_path, capfd, LEAK, "--json")
    assert (code, [finding["kind"] for finding in json.loads(out)["findings"]]) == (0, ["Leak"])


def test_a_leak_with_a_mistake_is_counted_separately(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(tmp_path, capfd, LEAK.replace("int* x;", "int* x; cudaFree(&x);"))
    assert code == 1 and " findings and 1 leak.\n" in err.replace("1 finding and", "1 findings and")
    assert err.index("\nInvalidFree\n") < err.index("\nRemark: Leak\n")


@pytest.mark.parametrize("blocks", [1, 4])
def test_a_change_in_two_statements_needs_an_atomic_operation(
    blocks: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = "__global__ void count(float* c)\n{\n    float v = c[0];\n    c[0] = v + 1;\n}\n"
    _, _, err = run(
        tmp_path, capfd, kernel + main(f"    cudaMemset(d, 0, sizeof h);\n    count<<<{blocks}, 64>>>(d);\n")
    )
    assert ": 1 finding.\n" in err
    assert "Should both threads change this element?" in err and "1 more pair of lines races on c: 3/4." in err


def test_a_write_after_all_reads_is_no_change(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    kernel = "__global__ void turn(float* c)\n{\n    float v = c[63 - threadIdx.x];\n    c[threadIdx.x] = v;\n}\n"
    _, _, err = run(tmp_path, capfd, kernel + main("    cudaMemset(d, 0, sizeof h);\n    turn<<<1, 64>>>(d);\n"))
    assert "__syncthreads() after reading" in " ".join(err.split()) and "Should both" not in err


def test_a_failed_assertion_shows_its_condition_and_its_thread(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = "#include <cassert>\n__global__ void check()\n{\n    assert(threadIdx.x < 60);\n}\n"
    _, _, err = run(tmp_path, capfd, kernel + main("    check<<<1, 64>>>();\n"))
    message = " ".join(err.split())
    assert "assertion failed: threadIdx.x < 60." in message and "Thread 60 of block 0 was here:" in message
    assert "its condition is false" in message and "Look at every index" not in message
