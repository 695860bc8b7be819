"""Is the thread reported as using memory most often the same as in a trace of the launch?"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import inputs
import numpy as np
import pytest
from course_book import kernels

from autograder import Kernel
from autograder.cuda.core.findings import Dim3
from autograder.cuda.core.run import TRACE_ACTIONS, MaximumWork

pytestmark = inputs.emulation_of_kernels

USES = [TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic")]
FILES = (
    "atomic_ticket", "column_sums", "constant_per_lane", "copy_grid_stride", "csr_rows", "device_table",
    "dynamic_shared", "gemm_tiled_16", "histogram_shared", "lanes_loop_differently", "local_array", "loop_nested",
    "loop_return", "reduce_shuffle", "rows_of_5", "scan_blelloch", "stencil_2d", "switch_falls",
)  # fmt: skip


def linear(place: Dim3, extent: Dim3) -> int:
    return place[0] + extent[0] * (place[1] + extent[1] * place[2])


def check_against_trace(kernel: Kernel, launch: Mapping[str, Any]) -> MaximumWork:
    run = kernel.emulate(**launch, trace=True)
    trace, found = run.trace, run.maximum_work
    assert trace is not None and found is not None
    prepared = Kernel(kernel.source, kernel.name).prepare(**launch)
    counted = [space in ("shared", "global", "device") for space in trace.spaces]
    events = trace.events[np.isin(trace.events["action"], USES)]
    events = events[np.array(counted)[events["array"]]]
    loads = events[(events["action"] == USES[0]) & (np.array(trace.spaces)[events["array"]] != "shared")]
    most_loads = max(Counter(zip(loads["block"].tolist(), loads["thread"].tolist(), strict=True)).values(), default=0)
    stores = events[(events["action"] == USES[1]) & (np.array(trace.spaces)[events["array"]] != "shared")]
    at_work = tuple(len(np.unique(some[["block", "thread"]])) for some in (loads, stores))
    pairs = list(zip(events["block"].tolist(), events["thread"].tolist(), strict=True))
    most = Counter(pairs)
    block, thread = min(most, key=lambda pair: (-most[pair], pair))
    lines = Counter(int(e["line"]) for e in events[(events["block"] == block) & (events["thread"] == thread)])
    together = Counter(block for block, _ in most)
    # In a cluster, other blocks can read what a block leaves in its shared memory, too.
    is_clustered = "cluster_dims" in kernel.source
    seen = np.array([is_clustered or space != "shared" for space in trace.spaces])
    leaving = events[(events["action"] != USES[0]) & seen[events["array"]]]
    in_block: dict[int, list[int]] = {}
    global_ = events[np.array(trace.spaces)[events["array"]] != "shared"]
    for (of, _), uses in Counter(zip(global_["block"].tolist(), global_["thread"].tolist(), strict=True)).items():
        in_block.setdefault(of, []).append(uses)
    hows: list[dict[str, Any]] = [
        {},
        {"trace": True},
        {"checks": False},
        {"schedule": "backward"},
        {"schedule": "lockstep"},
    ]
    for how in hows:
        found = kernel.emulate(**launch, **how).maximum_work
        assert found is not None
        assert linear(found.block, prepared.grid) == block and linear(found.thread, prepared.block) == thread, how
        assert found.uses == most[block, thread]
        assert (found.at_line, found.together) == (max(lines.values()), max(together.values()))
        threads = math.prod(prepared.block)
        assert found.shared_out == max(
            100 * sum(uses for uses in each if uses * threads <= 16 * sum(each)) // sum(each)
            for each in in_block.values()
        )
        assert (found.blocks, found.global_loads) == (len(np.unique(leaving["block"])), most_loads)
        assert (found.loading, found.storing) == at_work
        assert lines[found.line] == found.at_line
    return found


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("file", FILES)
def test_as_in_a_trace(file: str) -> None:
    source = kernels.read(f"access/{file}.cu")
    launch = next(iter(source.launches.values()))
    check_against_trace(Kernel(source.source, source.name), launch)


# Thread 3 of each block does b + 1 rounds, and the last block most of all.
UNEVEN = """__global__ void uneven(const float* in, float* out)
{
    __shared__ float kept[64];
    kept[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 3)
        for (int r = 0; r <= blockIdx.x; ++r)
            for (int i = 0; i < 64; ++i)
                out[blockIdx.x] += kept[i];
}
"""


def test_of_blocks_on_several_cores_the_maximum_counts() -> None:
    launch = {"grid": 100, "block": 64, "args": [np.ones(64, np.float32), np.zeros(100, np.float32)]}
    found = check_against_trace(Kernel(UNEVEN, "uneven"), launch)
    assert (found.block, found.thread) == ((99, 0, 0), (3, 0, 0))
    assert (found.uses, found.line) == (2 + 100 * 64 * 3, 9)


# All blocks are alive at once, each put aside at the grid's barrier.
WHOLE_GRID = """#include <cooperative_groups.h>
__global__ void whole(const int* in, int* out)
{
    int sum = 0;
    for (int i = 0; i <= blockIdx.x; ++i)
        sum += in[i];
    out[blockIdx.x] = sum;
    cooperative_groups::this_grid().sync();
    for (int i = 0; i < 10 - blockIdx.x; ++i)
        sum += in[i];
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
"""


def test_a_block_that_is_put_aside_keeps_what_it_has_done() -> None:
    launch = {"grid": 8, "block": 1, "args": [np.ones(16, np.int32), np.zeros(8, np.int32)]}
    found = check_against_trace(Kernel(WHOLE_GRID, "whole"), launch)
    assert found.uses == 1 + 10 + 2 and found.block == (0, 0, 0)


# One thread reads what all blocks of its cluster hold, in its own block and in the others by the same instruction.
OF_A_CLUSTER = """#include <cooperative_groups.h>
__global__ void __cluster_dims__(4) gather(const int* in, int* out)
{
    __shared__ int tile[32];
    auto cluster = cooperative_groups::this_cluster();
    tile[threadIdx.x] = in[32 * blockIdx.x + threadIdx.x];
    cluster.sync();
    if (cluster.block_rank() == 2 && threadIdx.x == 5)
        for (int rank = 0; rank < 4; ++rank)
            for (int i = 0; i < 32; ++i)
                out[blockIdx.x] += cluster.map_shared_rank(tile, rank)[i];
    cluster.sync();
}
"""


def test_accesses_of_other_blocks_count_too() -> None:
    launch = {"grid": 8, "block": 32, "args": [np.ones(256, np.int32), np.zeros(8, np.int32)]}
    found = check_against_trace(Kernel(OF_A_CLUSTER, "gather"), launch)
    assert (found.block, found.thread) == ((2, 0, 0), (5, 0, 0))
    assert (found.uses, found.line) == (2 + 3 * 128, 11)


def test_who_uses_no_memory_is_not_busy() -> None:
    nothing = Kernel("__global__ void nothing(int* out) { }", "nothing")
    assert nothing.emulate(2, 32, [np.zeros(1, np.int32)]).maximum_work is None
