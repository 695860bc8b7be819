"""How many registers a program's kernels take, by NVRTC."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder import cli
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.programs.launches.kernels import Kernels

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/test_registers.py")
needs_nvrtc = pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")

#: Each thread of `heavy` holds 48 doubles at once.
TEXT = """\
#include <cstdio>
#include <vector>
__global__ void heavy(const double* x, double* y, int rounds) {
    double a[48];
#pragma unroll
    for (int i = 0; i < 48; i++) a[i] = x[threadIdx.x + i];
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < 48; i++) a[i] = a[i] * a[(i + 7) % 48] + a[(i + 13) % 48];
    double sum = 0;
#pragma unroll
    for (int i = 0; i < 48; i++) sum += a[i];
    y[threadIdx.x] = sum;
}

"""


def run(folder: Path, main: str, capfd: pytest.CaptureFixture[str], kernels: str = "") -> tuple[str, list[str]]:
    """What a program prints, and the reports on it."""
    file = folder / "k.cu"
    file.write_text(f"{TEXT}{kernels}int main() {{ {main} }}\n")
    cli.main(["run", "--json", str(file)])
    done = json.loads(capfd.readouterr().out)
    return done["printed"].strip(), [finding["report"] for finding in done["findings"]]


REQUESTS = """
    std::vector<cudaFuncAttributes> about(1);
    int blocks;
    cudaFuncGetAttributes(&about[0], heavy);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, heavy, 128, 0);
    printf("%d %d %d\\n", about[0].numRegs, about[0].maxThreadsPerBlock, blocks);
"""
LAUNCHES = """
    double* x;
    cudaMalloc(&x, 2200 * sizeof(double));
    cudaMemset(x, 0, 2200 * sizeof(double));
    heavy<<<1, THREADS>>>(x, x + 1100, 3);
    printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
    cudaDeviceSynchronize();
    cudaFree(x);
"""


@needs_nvrtc
def test_a_program_gets_the_number_that_nvrtc_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    printed, found = run(tmp_path, REQUESTS, capfd)
    registers, threads, blocks = map(int, printed.split())
    assert not found and 96 < registers <= 128 and 512 <= threads < 640 and blocks in (4, 5)


@needs_nvrtc
def test_kernels_of_one_name_have_their_own_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    light = "__global__ void heavy(float* x) { *x = 1; }\n"
    requests = REQUESTS.replace("heavy", "(void (*)(const double*, double*, int))heavy")
    few = 'cudaFuncGetAttributes(&about[0], (void (*)(float*))heavy); printf("%d", about[0].numRegs);'
    printed, _ = run(tmp_path, requests + few, capfd, light)
    heavy, _, _, lighter = map(int, printed.split())
    assert 0 < lighter < 32 and 96 < heavy <= 128


@needs_nvrtc
def test_a_block_with_too_few_registers_is_not_launched(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    printed, (report,) = run(tmp_path, LAUNCHES.replace("THREADS", "1024"), capfd)
    assert printed == "too many resources requested for launch"
    assert report.startswith("FailedLaunch") and "registers" in report and "__launch_bounds__" in report
    assert run(tmp_path, LAUNCHES.replace("THREADS", "512"), capfd) == ("no error", [])


def test_without_nvrtc_each_kernel_takes_32(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvrtc, "problem", lambda: "NVRTC is not installed.")
    assert run(tmp_path, REQUESTS, capfd) == ("32 1024 16", [])


def test_of_a_kernel_with_few_variables_nobody_asks_nvrtc(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[object] = []

    def registers(*what: object) -> int:
        wanted.append(what)
        return 32

    monkeypatch.setattr(Kernels, "registers", registers)
    kernel = "__global__ void add(float* x, int n) { int i = threadIdx.x; if (i < n) x[i] += 1; }\n"
    main = "float* x; cudaMalloc(&x, 4096); cudaMemset(x, 0, 4096); add<<<1, 1024>>>(x, 1024); cudaFree(x);"
    file = tmp_path / "k.cu"
    file.write_text(f"{kernel}int main() {{ {main} }}\n")
    assert (cli.main(["run", str(file)]), wanted) == (0, [])
    capfd.readouterr()
    run(tmp_path, LAUNCHES.replace("THREADS", "1024"), capfd)
    assert wanted
