"""What does the bulk copy engine gain over loads through registers and over copies by each thread, and its multicast?

Run it on a machine with a GPU of compute capability 9.0, CuPy and Nsight Compute (`ncu`):
`python book/data/measure_bulk_copies.py`. It takes about a minute and writes two files beside itself. Times are medians
of launches that take turns, with a cold L2 cache.

bulk_copies_<gpu>.csv: the sum of 2^30 numbers, 4 GiB, by the three kernels `sum_...` of book/kernels/bulk_copies:
`threads` in a block, `blocks` on a multiprocessor, and `stages` tiles of 16 KiB in its ring. `instructions` are those
of all warps for each KiB, by Nsight Compute, with a sixteenth of the numbers.

multicast_<gpu>.csv: BLOCKS blocks of `count_below`, each of which goes through the same 2^20 numbers, 4 MiB, by the
size of their clusters. `l2_gb` is what the L2 cache was asked for, by Nsight Compute; `gbps` is what arrived in all
blocks together.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

import cupy as cp
import numpy as np
from measuring import Row, Timer, compiled, machine, summary, write
from places import KERNELS
from profiling import CHOSEN, launch, median, profiled

from autograder.cuda.performance import gemm_tiles

RUNS, PROFILED = 21, 5
TILE = 4096  # numbers
LARGE, SMALL, COUNTED = 1 << 30, 1 << 26, 1 << 20
BLOCKS, CLUSTERS = 1056, (1, 2, 4, 8)
PROCESSORS = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
INSTRUCTIONS, SECTORS = "smsp__inst_executed.sum", "lts__t_sectors_srcunit_tex.sum"


@cache
def function(file: str, name: str, threads: int, stages: int) -> cp.cuda.Function:
    source = (KERNELS / "bulk_copies" / f"{file}.cu").read_text()
    sizes = {"THREADS": threads, "STAGES": stages}
    _, found = compiled(gemm_tiles.with_sizes(source, {k: v for k, v in sizes.items() if v}), name)
    driver = cp.cuda.driver
    driver.funcSetAttribute(
        found.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 4 * TILE * max(1, stages)
    )
    return found


@dataclass(frozen=True)
class Sum:
    """A kernel that adds up, and its launch. `stages` is 0 for the kernel without a ring."""

    kernel: str
    threads: int
    blocks: int  # of a multiprocessor
    stages: int

    def __call__(self, given: cp.ndarray, sums: cp.ndarray) -> None:
        found = function(self.kernel, self.kernel, self.threads, self.stages)
        args = given, sums, np.int32(given.size // TILE)
        found((self.blocks * PROCESSORS,), (self.threads,), args, shared_mem=4 * TILE * self.stages)


def sums() -> list[Sum]:
    """Each kernel with few threads and with many; then those with a ring, with fewer stages and with more."""
    rings = {"sum_plain": 0, "sum_async": 4, "sum_bulk": 4}
    sizes = [(threads, 1) for threads in (32, 64, 128, 256, 512, 1024)] + [(1024, 2)]
    found = [Sum(kernel, *size, stages) for size in sizes for kernel, stages in rings.items()]
    return found + [Sum(kernel, 128, 1, stages) for stages in (1, 2, 8) for kernel in ("sum_async", "sum_bulk")]


def count_below(cluster: int, given: cp.ndarray, limits: cp.ndarray, counts: cp.ndarray) -> None:
    found = function("count_below", f"count_below<{cluster}>", 256, 4)
    found((BLOCKS,), (256,), (given, limits, counts, np.int32(given.size // TILE)), shared_mem=16 * TILE)


def numbers(n: int) -> cp.ndarray:
    return cp.random.randint(-1000, 1000, n, dtype=cp.int32)


def profile() -> list[dict[str, float]]:
    """The metrics of each launch of `launch_all`: medians."""
    metrics = INSTRUCTIONS, SECTORS
    rows = profiled(CHOSEN, metrics, __file__, "launch")
    seen = [rows[i : i + PROFILED] for i in range(0, len(rows), PROFILED)]
    assert len(seen) == len(sums()) + len(CLUSTERS), f"ncu saw {len(rows)} launches"
    return [{metric: median(own, metric) for metric in metrics} for own in seen]


def launch_all() -> None:
    given, out = numbers(SMALL), cp.empty(2 * 1024 * PROCESSORS, cp.int32)
    few, limits, counts = numbers(COUNTED), numbers(BLOCKS), cp.empty(256 * BLOCKS, cp.int32)
    launches = [partial(way, given, out) for way in sums()]
    launches += [partial(count_below, cluster, few, limits, counts) for cluster in CLUSTERS]
    launch(launches, PROFILED)


def of_sums(timer: Timer, seen: list[dict[str, float]]) -> Iterator[Row]:
    given, out = numbers(LARGE), cp.empty(2 * 1024 * PROCESSORS, cp.int32)
    want, ways = int(given.sum(dtype=cp.int64)), sums()
    for way in ways:
        out.fill(0)
        way(given, out)
        assert int(out.sum(dtype=cp.int64)) == want, f"{way} is wrong"
    times = timer.series(RUNS, *(partial(way, given, out) for way in ways))
    for way, own, found in zip(ways, times, seen, strict=True):
        yield {
            "kernel": way.kernel,
            "threads": way.threads,
            "blocks": way.blocks,
            "stages": way.stages or "",
            **summary(own),
            "gbps": f"{given.nbytes / 1e6 / np.median(own):.0f}",
            "instructions": f"{found[INSTRUCTIONS] / (4 * SMALL / 1024):.1f}",
        }


def of_counts(timer: Timer, seen: list[dict[str, float]]) -> Iterator[Row]:
    given, limits, counts = numbers(COUNTED), numbers(BLOCKS), cp.empty(256 * BLOCKS, cp.int32)
    want = cp.searchsorted(cp.sort(given), limits)
    launches = [partial(count_below, cluster, given, limits, counts) for cluster in CLUSTERS]
    for count in launches:
        counts.fill(0)
        count()
        assert cp.array_equal(counts.reshape(BLOCKS, -1).sum(axis=1), want), "count_below is wrong"
    times = timer.series(RUNS, *launches)
    for cluster, own, found in zip(CLUSTERS, times, seen, strict=True):
        yield {
            "cluster": cluster,
            "blocks": BLOCKS,
            **summary(own),
            "l2_gb": f"{32 * found[SECTORS] / 1e9:.2f}",
            "gbps": f"{BLOCKS * given.nbytes / 1e6 / np.median(own):.0f}",
            "gain": f"{np.median(times[0]) / np.median(own):.2f}",
        }


def main() -> None:
    timer, where, seen = Timer(), machine(), profile()
    write("bulk_copies", of_sums(timer, seen[: len(sums())]), where)
    write("multicast", of_counts(timer, seen[len(sums()) :]), where)


if __name__ == "__main__":
    launch_all() if sys.argv[1:] == ["launch"] else main()
