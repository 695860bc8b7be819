"""One's own program may be large: its launches may take long, and its grids may be those of a small GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.cuda.core.findings import Kind
from autograder.cuda.errors import UsageError
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.building.unit import Options
from autograder.cuda.programs.process import ProgramRun, run_program
from autograder.cuda.programs.served import Limits

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

#: More accesses of one thread than an exercise's launch may make.
LONG = """
#include <cstdio>
__global__ void add_up(int* sum, int n) { for (int i = 0; i < n; ++i) *sum += i % 2; }
int main()
{
    int *sum, total = 0;
    cudaMalloc(&sum, 4);
    cudaMemcpy(sum, &total, 4, cudaMemcpyHostToDevice);
    add_up<<<1, 1>>>(sum, 11000000);
    cudaMemcpy(&total, sum, 4, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    std::printf("%d\\n", total);
}
"""
#: As many blocks as fit on the GPU at once, all of which meet at a barrier.
WHOLE_GRID = """
#include <cooperative_groups.h>
#include <cstdio>
__global__ void meet(int* arrived)
{
    if (threadIdx.x == 0) atomicAdd(arrived, 1);
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) arrived[1] = arrived[0];
}
int main()
{
    int *arrived, both[2] = {}, blocks;
    cudaDeviceProp gpu;
    cudaGetDeviceProperties(&gpu, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meet, 512, 0);
    cudaMalloc(&arrived, 8);
    cudaMemcpy(arrived, both, 8, cudaMemcpyHostToDevice);
    void* arguments[] = {&arrived};
    cudaLaunchCooperativeKernel((void*)meet, blocks * gpu.multiProcessorCount, 512, arguments, 0, 0);
    cudaMemcpy(both, arrived, 8, cudaMemcpyDeviceToHost);
    cudaFree(arrived);
    std::printf("%d\\n", both[1]);
}
"""


def run(text: str, folder: Path, gpu: str = "H200", limits: Limits | None = None) -> ProgramRun:
    file = folder / "program.cu"
    file.write_text(text)
    return run_program(build_program(file, Options(untrusted=bool(limits))), file, (), gpu, keep=True, limits=limits)


def test_a_launch_of_ones_own_program_may_take_long(tmp_path: Path) -> None:
    mine = run(LONG, tmp_path)
    assert (mine.printed, mine.findings, mine.launches[0].run.findings) == ("5500000\n", (), ())
    answer = run(LONG, tmp_path, limits=Limits())
    assert [finding.kind for finding in answer.launches[0].run.findings] == [Kind.STEP_LIMIT]


def test_a_grid_that_fills_a_small_gpu_fits_into_the_emulator(tmp_path: Path) -> None:
    done = run(WHOLE_GRID, tmp_path, "Orin")
    assert (done.printed, done.findings) == ("24\n", ())
    with pytest.raises(UsageError, match=r"All 528 blocks .* use a smaller grid"):
        run(WHOLE_GRID, tmp_path)
