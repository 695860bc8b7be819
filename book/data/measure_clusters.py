"""What do barriers beyond the block cost, how far away is the shared memory of another block, and is it worth it?

Run it on a machine with an NVIDIA GPU of compute capability 9.0 or higher and CuPy:
`python book/data/measure_clusters.py`. It takes about half a minute and writes four files beside itself.

clusters_<gpu>.csv. Barriers: each block has 256 threads, and the GPU's own clock counts the cycles of thread 0 of block
0, for each of many barriers in a row. Loads: one thread follows a chain through shared memory, its own block's or
another's, or through global memory that the L2 cache holds, so that each load waits for the one before it; `cycles` is
for one load, with the addition that makes an index an address. Atomics: the chain is followed by additions of 0.
`blocks` is the size of the cluster; without one, of the grid.

clusters_at_once_<gpu>.csv: how many blocks run at the same time, where each has a multiprocessor to itself, by the size
of their clusters.

cluster_groups_<gpu>.csv: in many launches, clusters of 2 to 8 blocks note on which multiprocessors they run. Those that
ever shared a cluster are one group, also by way of others; `groups` is how many groups have so many `sms`.

cluster_kernels_<gpu>.csv: tasks done by kernels with clusters and without; see cluster_kernels.py. Times are medians of
launches that take turns, with a cold L2 cache; `us_each` is the time of one of many steps, and `ratio` that of the
task's first kernel, divided by the row's own.
"""

from collections import Counter
from collections.abc import Iterator

import cupy as cp
import numpy as np
from cluster_kernels import PROCESSORS, at_once
from cluster_kernels import rows as rows_of_kernels
from measuring import Row, compiled, machine, write

RUNS, TIMES, THREADS, LINKS = 15, 1000, 256, 4096
HEADER = """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
"""
BARRIER = """
__global__ void CLUSTER barriers(int times, long long* cycles)
{
    SYNC;  // all blocks are there
    long long begin = clock64();
    for (int i = 0; i < times; i++) SYNC;
    if (blockIdx.x == 0 && threadIdx.x == 0) cycles[0] = clock64() - begin;
}
"""
CHASE = """
__global__ void __cluster_dims__(BLOCKS, 1, 1)
    chase(int* links, int n, int times, int nothing, int* end, long long* cycles)
{
    __shared__ int tile[4096];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = links[i];
    cluster.sync();  // all tiles are written
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int* there = cluster.map_shared_rank(tile, RANK);
        int at = 0;
        long long begin = clock64();
        for (int i = 0; i < times; i++) at = STEP;
        cycles[0] = clock64() - begin;
        end[0] = at;
    }
    cluster.sync();  // no block ends while another reads its tile
}
"""
#: By what is timed: how a thread gets from one place to the next.
STEPS = {
    "load": "there[at]",
    "load by name": "tile[at]",
    "load past L1": "__ldcg(&links[at])",
    # (The compiler must not know that it adds 0: it could load instead.)
    "atomic": "atomicAdd(&there[at], nothing)",
    "atomic by name": "atomicAdd(&tile[at], nothing)",
    "atomic in global memory": "atomicAdd(&links[at], nothing)",
}
WHERE = """
__global__ void CLUSTER where(unsigned* sms)
{
    unsigned sm;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    if (threadIdx.x == 0) sms[blockIdx.x] = sm;
    for (long long begin = clock64(); clock64() - begin < 20000;) { }  // so that others go elsewhere
}
"""
#: What waits, the size of the cluster (0: none), the blocks of the grid.
BARRIERS = (
    ("__syncthreads()", 0, 1),
    *(("cluster.sync()", blocks, blocks) for blocks in (1, 2, 4, 8)),
    ("grid.sync()", 0, PROCESSORS),
)
#: Whose tile is accessed, the blocks of the cluster, the rank of the owner.
NAMED = ("its own", 2, 0)
TILES = (("its own (mapped)", 2, 0), *(("another block's", blocks, blocks - 1) for blocks in (2, 4, 8)))
GLOBAL = ("global memory", 2, 0)
ACCESSES = (
    ("load by name", *NAMED),
    *(("load", *tile) for tile in TILES),
    ("load past L1", *GLOBAL),
    ("atomic by name", *NAMED),
    *(("atomic", *tile) for tile in TILES),
    ("atomic in global memory", *GLOBAL),
)


def row(what: str, of: str, blocks: int, taken: list[float]) -> Row:
    low, middle, high = np.percentile(taken[1:], [25, 50, 75])  # the first run warms up
    return {
        "what": what,
        "of": of,
        "blocks": blocks,
        "runs": RUNS,
        "cycles": f"{middle:.0f}",
        "spread": f"{high - low:.1f}",
    }


def barrier(sync: str, cluster: int, blocks: int) -> Row:
    group = {"cluster.sync()": "cg::this_cluster().sync()", "grid.sync()": "cg::this_grid().sync()"}.get(sync, sync)
    dims = f"__cluster_dims__({cluster}, 1, 1)" if cluster else ""
    _, kernel = compiled(HEADER + BARRIER.replace("SYNC", group).replace("CLUSTER", dims), "barriers")
    cycles, taken = cp.empty(1, cp.int64), []
    for _ in range(RUNS + 1):
        together = sync == "grid.sync()"
        kernel((blocks,), (THREADS,), (np.int32(TIMES), cycles), enable_cooperative_groups=together)
        taken.append(int(cycles[0]) / TIMES)
    return row("barrier", sync, blocks, taken)


def access(what: str, owner: str, blocks: int, rank: int) -> Row:
    step = np.arange(LINKS, dtype=np.uint64)  # one ring through all links, in no order that a cache could foresee
    links = ((step * np.uint64(1_664_525) + np.uint64(1_013_904_223)) % np.uint64(LINKS)).astype(np.int32)
    text = HEADER + CHASE.replace("BLOCKS", str(blocks)).replace("RANK", str(rank)).replace("STEP", STEPS[what])
    _, kernel = compiled(text, "chase")
    given, end, cycles, taken = cp.asarray(links), cp.empty(1, cp.int32), cp.empty(1, cp.int64), []
    for _ in range(RUNS + 1):
        kernel((blocks,), (THREADS,), (given, np.int32(LINKS), np.int32(LINKS), np.int32(0), end, cycles))
        taken.append(int(cycles[0]) / LINKS)
    assert int(end[0]) == 0, "a ring leads back to where it began"
    return row(what.split()[0], owner, blocks, taken)


def rows() -> Iterator[Row]:
    yield from (barrier(*case) for case in BARRIERS)
    yield from (access(*case) for case in ACCESSES)


def rows_at_once() -> Iterator[Row]:
    for cluster in (0, 2, 4, 8):
        blocks = at_once(cluster)
        yield {"cluster": cluster or 1, "blocks": blocks, "of": PROCESSORS, "idle": PROCESSORS - blocks}


def rows_of_groups() -> Iterator[Row]:
    groups = [{sm} for sm in range(PROCESSORS)]
    for blocks in range(2, 9):
        _, kernel = compiled(WHERE.replace("CLUSTER", f"__cluster_dims__({blocks}, 1, 1)"), "where")
        sms = cp.empty(2000 * blocks, cp.uint32)
        kernel((sms.size,), (THREADS,), (sms,))
        for cluster in set(map(frozenset, sms.reshape(-1, blocks).tolist())):
            joined = [group for group in groups if group & cluster]
            groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    for size, count in sorted(Counter(map(len, groups)).items(), reverse=True):
        yield {"sms": size, "groups": count}


def check_refusal() -> None:
    """Check that a grid that is no multiple of the cluster is refused, and how."""
    try:
        _, kernel = compiled(WHERE.replace("CLUSTER", "__cluster_dims__(8, 1, 1)"), "where")
        kernel((100,), (THREADS,), (cp.empty(100, cp.uint32),))
    except cp.cuda.driver.CUDADriverError as error:
        assert "CUDA_ERROR_INVALID_CLUSTER_SIZE" in str(error)
    else:
        raise AssertionError("100 blocks ran in clusters of 8")


if __name__ == "__main__":
    check_refusal()
    write("clusters", rows(), machine())
    write("clusters_at_once", rows_at_once(), machine())
    write("cluster_groups", rows_of_groups(), machine())
    write("cluster_kernels", rows_of_kernels(), machine())
