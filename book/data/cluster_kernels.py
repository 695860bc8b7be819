"""The kernels of book/kernels/clusters that measure_clusters.py compares, and what they must compute."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, Timer, compiled, summary

from autograder.cuda.core.launch import MAX_SHARED

RUNS = 21
CLUSTER = 8
PROCESSORS = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
LARGE = 1 << 26  # numbers to add up, or to count
#: For the steps: rows, threads of a block, blocks of a row.
ROWS, THREADS, STEPS = 16, 1024, 200
BINS = (1024, 8192, 32_768, 57_344, 65_536, 98_304, 131_072)
COUNTING = 512  # threads of a block that counts
STAY = 2_000_000  # cycles: a millisecond or more
STAYS = """
__global__ void CLUSTER stays(int* seen, long long cycles)
{
    if (threadIdx.x == 0) {
        atomicMax(&seen[1], atomicAdd(&seen[0], 1) + 1);
        for (long long begin = clock64(); clock64() - begin < cycles;) { }
        atomicSub(&seen[0], 1);
    }
}
"""
Call = Callable[[], object]


@dataclass(frozen=True)
class Way:
    """One way to do the task `what` of `size`: a call that does it, and a launch's blocks and dynamic shared memory."""

    what: str
    size: int
    kernel: str
    blocks: int
    shared: int
    call: Call


def in_a_graph(call: Call) -> Call:
    """What `call` launches, recorded once: to start it again takes no time of Python's for each launch."""
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        call()
        graph = stream.end_capture()
    return lambda: graph.launch(stream=cp.cuda.Stream.null)


def at_once(cluster: int) -> int:
    """How many blocks run at the same time in clusters of this size (0: none), with one block on a multiprocessor: each
    block says when it is there and when it goes, and stays for long enough that all others come who can."""
    dims = f"__cluster_dims__({cluster}, 1, 1)" if cluster else ""
    _, kernel = compiled(STAYS.replace("CLUSTER", dims), "stays")
    shared = MAX_SHARED - 1024
    driver = cp.cuda.driver
    driver.funcSetAttribute(kernel.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
    seen = cp.zeros(2, cp.int32)
    kernel((2 * PROCESSORS // 8 * 8,), (32,), (seen, np.int64(STAY)), shared_mem=shared)
    return int(seen[1])


def sums() -> Iterator[Way]:
    """One number a thread; each block, or each cluster, adds to the total by an atomic operation."""
    given = cp.random.randint(-100, 100, LARGE, dtype=cp.int32)
    want = int(given.sum(dtype=cp.int64))
    total = cp.zeros(1, cp.int32)
    blocks = LARGE // 256
    kernels = {"sum_blocks": Loaded("clusters/sum_blocks.cu")}
    kernels |= {
        f"sum_clusters<{n}>": Loaded("clusters/sum_clusters.cu", name=f"sum_clusters<{n}>") for n in (1, 2, 4, 8)
    }
    for name, kernel in kernels.items():
        launch = partial(kernel, (blocks,), (256,), (given, total, np.int32(LARGE)))
        total.fill(0)
        launch()
        assert int(total[0]) == want, name
        yield Way("sum", LARGE, name, blocks, 0, launch)


def counts(size: int) -> Iterator[Way]:
    """`size` counters: in global memory, all of them in each block, or spread over each cluster."""
    values = cp.random.randint(0, size, LARGE, dtype=cp.int32)
    want, bins = cp.bincount(values, minlength=size), cp.zeros(size, cp.uint32)
    ways: dict[str, tuple[Loaded, int, tuple[Any, ...]]] = {"count_global": (Loaded("clusters/count_global.cu"), 0, ())}
    if 4 * size <= MAX_SHARED:
        ways["count_block"] = (Loaded("clusters/count_block.cu"), 4 * size, (np.int32(size),))
    name = f"count_cluster<{CLUSTER}>"
    part = size // CLUSTER
    ways[name] = (Loaded("clusters/count_cluster.cu", name=name), 4 * part, (np.int32(part),))
    for kernel_name, (kernel, shared, more) in ways.items():
        each = min(2048 // COUNTING, MAX_SHARED // max(shared, 1))  # blocks of a multiprocessor
        blocks = each * (at_once(CLUSTER) if kernel_name == name else PROCESSORS)
        launch = partial(kernel, (blocks,), (COUNTING,), (values, bins, np.int32(LARGE), *more), shared)
        bins.fill(0)
        launch()
        assert cp.array_equal(bins, want), kernel_name
        yield Way("count", size, kernel_name, blocks, shared, launch)


def steps() -> Iterator[Way]:
    """STEPS steps of a blur on ROWS rows, each of CLUSTER blocks: a launch for each step, or one for all of them."""
    n = ROWS * CLUSTER * THREADS
    given = cp.random.randint(-100, 100, n).astype(cp.float32)
    want = given.reshape(ROWS, -1)
    for _ in range(STEPS):
        wide = cp.pad(want, ((0, 0), (1, 1)))
        want = np.float32(0.25) * (wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:])
    one, whole = Loaded("clusters/steps_launch.cu"), Loaded("clusters/steps_grid.cu")
    name = f"cluster_steps<{CLUSTER}>"
    cluster = Loaded("clusters/steps_cluster.cu", name=name)
    grid, block = (ROWS * CLUSTER,), (THREADS,)
    now, other, out = given.copy(), cp.empty_like(given), cp.empty_like(given)

    def launches() -> None:
        for _ in range(STEPS // 2):
            one(grid, block, (now, other, np.int32(CLUSTER)))
            one(grid, block, (other, now, np.int32(CLUSTER)))

    ways: dict[str, tuple[Call, cp.ndarray]] = {
        "one_step": (in_a_graph(launches), now),
        "grid_steps": (partial(whole, grid, block, (now, other, *map(np.int32, (n // ROWS, n, STEPS)))), now),
        name: (partial(cluster, grid, block, (given, out, np.int32(STEPS)), 8 * THREADS), out),
    }
    for kernel_name, (call, result) in ways.items():
        now[:] = given
        call()
        cp.cuda.Device().synchronize()
        assert cp.allclose(result.reshape(ROWS, -1), want, atol=1e-3), kernel_name
        shared = 8 * THREADS if kernel_name == name else 0
        yield Way("steps", n, kernel_name, ROWS * CLUSTER, shared, call)


def rows() -> Iterator[Row]:
    """A row for each way of each task; the ways of a task take turns."""
    timer = Timer()
    tasks: list[Callable[[], Iterator[Way]]] = [sums, *(partial(counts, size) for size in BINS), steps]
    for task in tasks:
        ways = list(task())
        times = timer.series(RUNS, *(way.call for way in ways))
        for way, own in zip(ways, times, strict=True):
            yield {
                "task": way.what,
                "size": way.size,
                "kernel": way.kernel,
                "blocks": way.blocks,
                "shared": way.shared,
                **summary(own),
                "us": f"{1000 * np.median(own):.1f}",
                "us_each": f"{1000 * np.median(own) / STEPS:.2f}" if way.what == "steps" else "",
                "ratio": f"{np.median(times[0]) / np.median(own):.2f}",
            }
