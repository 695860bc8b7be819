"""Is each line's traffic right in a kernel that can be counted by hand, and do the lines add up to the counts?"""

from typing import Any

import inputs
import numpy as np
import pytest
from course_book import kernels

from autograder import Kernel
from autograder.cuda.core.run import LineTraffic
from autograder.exercises.checks.kernels.has_no_bank_conflicts import find_bank_conflicts
from autograder.exercises.checks.kernels.is_coalesced import find_uncoalesced

pytestmark = inputs.checking_of_listings

SOURCE = """__global__ void k(const float* in, float* out)
{
    __shared__ float tile[32][32];
    int t = threadIdx.x, i = 32 * blockIdx.x + t;
    tile[t][0] = in[i];
    __syncthreads();
    float a = tile[(t + 1) % 32][0] + in[0];
    out[32 * i] = a;
}
"""
BLOCKS = 128  # this many threads are spread over the cores
EXPECTED = (
    LineTraffic(5, "tile[t][0] = in[i];", "global", "load", BLOCKS, 4 * BLOCKS, 0, 4 * BLOCKS),
    LineTraffic(5, "tile[t][0] = in[i];", "shared", "store", BLOCKS, 32 * BLOCKS, 31 * BLOCKS, BLOCKS),
    LineTraffic(
        7, "float a = tile[(t + 1) % 32][0] + in[0];", "shared", "load", BLOCKS, 32 * BLOCKS, 31 * BLOCKS, BLOCKS
    ),
    LineTraffic(8, "out[32 * i] = a;", "global", "store", BLOCKS, 32 * BLOCKS, 0, 5 * BLOCKS),
)


@pytest.mark.parametrize("how", [{}, {"trace": True}, {"checks": False}, {"schedule": "lockstep"}])
def test_each_line_by_hand(how: dict[str, Any]) -> None:
    arrays = [np.ones(32 * BLOCKS, np.float32), np.zeros(1024 * BLOCKS, np.float32)]
    assert Kernel(SOURCE, name="k").emulate(BLOCKS, 32, arrays, **how).traffic == EXPECTED


@pytest.mark.parametrize("file", ["gemm_tiled_16", "scan_blelloch", "histogram_shared", "stencil_2d", "csr_rows"])
def test_lines_add_up_to_the_counts(file: str) -> None:
    source = kernels.read(f"access/{file}.cu")
    for launch in source.launches.values():
        run = Kernel(source.source, source.name).emulate(**launch)
        for space, unit in (("global", "sectors"), ("shared", "wavefronts")):
            for action in ("load", "store"):
                lines = [line for line in run.traffic if (line.space, line.action) == (space, action)]
                of = {what: getattr(run.counts, f"{space}_{action}_{what}") for what in ("requests", unit)}
                # Lines whose requests all take one are left out.
                assert sum(line.units - line.requests for line in lines) == of[unit] - of["requests"]
                assert sum(line.requests for line in lines) <= of["requests"]


TURNS = """__global__ void k(const double* in, double* out, int width)
{
    __shared__ double tile[64];
    int t = threadIdx.x, lane = t % 32;
    for (int first = 0; first < 32; first += width)
        if (first <= lane && lane < first + width) {
            tile[t] = in[t];
            out[63 - t] = tile[t];
        }
}
"""


@pytest.mark.parametrize("width", [32, 8, 1])
@pytest.mark.parametrize("how", [{}, {"checks": False}])
def test_lanes_that_take_turns_have_no_better_best_than_all_together(width: int, how: dict[str, Any]) -> None:
    arrays = [np.ones(64), np.zeros(64)]
    counts = Kernel(TURNS, name="k").emulate(1, 64, [*arrays, width], **how).counts
    assert counts is not None
    # Two warps with one access of 8 bytes: 8 sectors, one more where each lane is alone; or two passes over the banks.
    best = counts.global_load_sectors_at_best, counts.global_store_sectors_at_best
    assert best == ((2 * 9, 2 * 9) if width == 1 else (2 * 8, 2 * 8))
    assert (counts.shared_load_wavefronts_at_best, counts.shared_store_wavefronts_at_best) == (2 * 2, 2 * 2)
    assert counts.global_load_sectors == 2 * max(8, 32 // width)


ALONE = """__global__ void k(float4* out, int lanes)
{
    __shared__ float4 tile[32];
    if (threadIdx.x < lanes) out[8 * threadIdx.x] = tile[threadIdx.x] = make_float4(0, 0, 0, 0);
}
"""


@pytest.mark.parametrize("lanes", [1, 2, 17, 32])
def test_a_few_accesses_alone_need_one_sector_each(lanes: int) -> None:
    """Else a lone store would pay for scattered ones."""
    counts = Kernel(ALONE, name="k").emulate(1, 32, [np.zeros((256, 4), np.float32), lanes]).counts
    assert counts is not None
    assert counts.global_store_sectors_at_best == min(lanes, 17)
    assert counts.shared_store_wavefronts_at_best == -(-lanes // 8)


def test_a_line_is_told_whose_lanes_take_turns_though_each_request_takes_one_sector() -> None:
    run = Kernel(TURNS, name="k").emulate(1, 64, [np.ones(64), np.zeros(64), 1])
    reported = [(line.line, line.space, line.action, line.requests, line.units_at_best) for line in run.traffic]
    assert (7, "global", "load", 64, 2 * 9) in reported and (8, "shared", "load", 64, 2 * 2) in reported


ATOMICS = """__global__ void transposes(int* out)
{
    __shared__ int tile[32][32];
    int t = threadIdx.x;
    for (int k = 0; k < 32; k++) tile[k][t] = k;
    __syncthreads();
    for (int k = 0; k < 32; k++)
        atomicExch(&out[32 * t + k], atomicOr(&tile[t][k], 0));
}
"""


def test_atomics_in_place_of_loads_and_stores_are_told() -> None:
    run = Kernel(ATOMICS, name="transposes").emulate(1, 32, [np.zeros(1024, np.int32)])
    reported = [(line.line, line.space, line.action, line.units, line.units_at_best) for line in run.traffic]
    assert reported == [(8, "global", "atomic", 1024, 160), (8, "shared", "atomic", 1024, 32)]
    assert run.counts is not None
    assert [found.action for found in find_uncoalesced(run.counts)] == ["atomic"]
    assert [found.passes for found in find_bank_conflicts(run.counts)] == [1024 + 32]
