"""Kernels with a mistake, and their reports with the picture, for the tests of pictures."""

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from autograder.cuda.backends import emulator
from autograder.cuda.core.findings import Finding, Kind
from autograder.cuda.core.races import find_races
from autograder.cuda.core.run import Expected, Run
from autograder.cuda.core.setting import Setting
from autograder.cuda.kernel import Kernel
from autograder.cuda.report import Report
from autograder.cuda.schedules.counterexamples import find_counterexample
from autograder.exercises.report import failed


class Pictured(NamedTuple):
    """A kernel of `in`, `out` and a number, its launch, and what `out` should hold."""

    text: str
    grid: int
    block: int | tuple[int, int]
    want: np.ndarray


KERNELS = {
    "one block": Pictured(
        """__global__ void turn(const float* in, float* out, int n)
{
    __shared__ float tile[128];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[127 - threadIdx.x];
}""",
        1,
        128,
        np.arange(128, dtype=np.float32)[::-1],
    ),
    "two blocks": Pictured(
        """__global__ void count(const float* in, float* out, int n)
{
    if (threadIdx.x == 0) out[0] += 1;
}""",
        4,
        32,
        np.array([4], np.float32),
    ),
    "a cluster": Pictured(
        """#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) swap(const float* in, float* out, int n)
{
    __shared__ float tile[32];
    auto cluster = cooperative_groups::this_cluster();
    int i = 32 * blockIdx.x + threadIdx.x;
    tile[threadIdx.x] = 0;
    cluster.sync();
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];
    cluster.sync();
}""",
        2,
        32,
        np.roll(np.arange(64, dtype=np.float32), 32),
    ),
    "two dimensions": Pictured(
        """__global__ void flip(const float* in, float* out, int n)
{
    __shared__ float tile[8][9];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[8 * y + x];
    out[8 * y + x] = tile[x][y];
}""",
        1,
        (8, 8),
        np.arange(64, dtype=np.float32).reshape(8, 8).T.ravel(),
    ),
    "many warps": Pictured(
        """__global__ void last(const float* in, float* out, int n)
{
    __shared__ float tile[512];
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0) out[0] = tile[500];
}""",
        1,
        512,
        np.array([500], np.float32),
    ),
    "many barriers": Pictured(
        """__global__ void rounds(const float* in, float* out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int k = 0; k < 12; ++k) {
        tile[threadIdx.x] = in[threadIdx.x] + k;
        __syncthreads();
        sum += tile[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}""",
        1,
        64,
        np.arange(64, dtype=np.float32)[::-1] * 12 + 66,
    ),
    "a barrier in a branch": Pictured(
        """__global__ void part(const float* in, float* out, int n)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x >= 50) return;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}""",
        1,
        64,
        np.zeros(64, np.float32),
    ),
}


@functools.cache
def explained(name: str) -> tuple[Run, Finding, Report]:
    """The run of a kernel, its finding, and its report."""
    text, grid, block, want = KERNELS[name]
    values = np.arange(512, dtype=np.float32)
    kernel = Kernel(text, text.split("(const float")[0].split()[-1])
    launch = kernel.prepare(grid, block, [values, np.zeros_like(want), len(values)])
    run = find_counterexample(launch, emulator.run(launch), {"out": Expected(want, 1e-3)})
    races = find_races(run)
    found: Sequence[Finding] = races or [f for f in run.findings if f.kind is Kind.BARRIER_DIVERGENCE]
    title = f"{launch.name} {'has no races' if races else 'reaches every barrier'}"
    return run, found[0], failed(title, Setting({"n": 5}, launch.grid, launch.block), found, text, (), run)
