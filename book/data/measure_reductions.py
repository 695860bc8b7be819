"""What do the shapes of a reduction and of a scan cost, how exact are float sums, how often does a GPU hide a mistake?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_reductions.py`. It takes about half a
minute and writes reductions_<gpu>.csv beside itself. The column `experiment` tells its tables apart:

- hidden: launches of a kernel of book/kernels/reductions (barrier_removed: with that barrier's line emptied) with
  fresh random input whose results were all what numpy says
- tree: the largest of n elements, by launches that follow each other until one element is left
- blocks: running sums within each block
- scan: running sums of all n elements
- order: the worst error of float sums of ten inputs, relative to the sum in double, and how many different results
  the same input gave in so many runs
- ones: the sum of n ones

Times are medians of launches that take turns; ratio is the time of the table's first row, divided by the row's own.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import cupy as cp
import numpy as np
from hidden_reductions import hidden, row, shuffle_in_a_branch
from measuring import Loaded, Row, Timer, machine, random, summary, write

TIMINGS = 15
LARGE, HUGE = 1 << 26, 1 << 28
BLOCKS = 8 * cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]  # of 256 threads, at the same time
SCAN_TILE = 8192  # of memory/scan.cu
Call = Callable[[], object]
#: The kernel, the threads of a block and the launches; "" if not applicable.
Key = tuple[str, Any, Any]


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


# ---- times -------------------------------------------------------------------------------------------------


def timed(timer: Timer, experiment: str, n: int, moved: int, calls: Mapping[Key, Call]) -> Iterator[Row]:
    """A row for each of `calls`: (kernel, block, launches) -> the call; `moved` are the bytes that must move."""
    times = timer.series(TIMINGS, *calls.values())
    for (name, block, launches), own in zip(calls, times, strict=True):
        about = {"kernel": name, "n": n, "block": block, "launches": launches, **summary(own)}
        rates = {"gbps": f"{moved / np.median(own) / 1e6:.0f}", "ratio": f"{np.median(times[0]) / np.median(own):.2f}"}
        yield row(experiment=experiment, **about, **rates)


def halvings(kernel: Loaded, x: cp.ndarray, block: int, shared: int) -> tuple[Call, int, cp.ndarray]:
    """Launches that leave one element for each block, until there is one: the call, how many there are, its result."""
    buffers = [x]
    while buffers[-1].size > 1:
        buffers.append(cp.empty(ceil_div(buffers[-1].size, block), cp.float32))

    def call() -> None:
        for source, target in pairwise(buffers):
            kernel((target.size,), (block,), (source, target, np.int32(source.size)), shared)

    return call, len(buffers) - 1, buffers[-1]


def tree(timer: Timer) -> Iterator[Row]:
    x, results = random(LARGE), []
    calls: dict[Key, Call] = {}
    for name in ("largest_neighbors", "largest_dense", "largest", "largest_shuffles"):
        kernel = Loaded(f"reductions/{name}.cu")
        for block in (256, 1024):
            calls_of, launches, result = halvings(kernel, x, block, 0 if name == "largest_shuffles" else 4 * block)
            calls[name, block, launches] = calls_of
            results.append(result)
    kernel, some, one = Loaded("reductions/largest_any_n.cu"), cp.empty(BLOCKS, cp.float32), cp.empty(1, cp.float32)

    def any_n() -> None:
        kernel((BLOCKS,), (256,), (x, some, np.int32(x.size)), 1024)
        kernel((1,), (256,), (some, one, np.int32(some.size)), 1024)

    calls["largest_any_n", 256, 2] = any_n
    calls["CuPy's max", "", ""] = x.max
    yield from timed(timer, "tree", x.size, x.nbytes, calls)
    assert all(result == x.max() for result in (*results, one))


def blocks(timer: Timer) -> Iterator[Row]:
    x = cp.random.randint(0, 10, LARGE).astype(cp.float32)  # exact in any order
    out, totals = cp.empty_like(x), cp.empty(LARGE // 256, cp.float32)
    calls: dict[Key, Call] = {}
    checks = []
    for block in (256, 1024):  # elements of a block
        grid = LARGE // block
        two_rows, tree_of_two, chunks = (
            Loaded(f"reductions/{name}.cu") for name in ("running_sum", "before_me", "scan_chunks")
        )
        rows = x.reshape(grid, block)
        n = np.int32(LARGE)
        calls["running_sum", block, 1] = partial(two_rows, (grid,), (block,), (x, out), 8 * block)
        calls["before_me", block, 1] = partial(tree_of_two, (grid,), (block // 2,), (x, out), 4 * block)
        calls["scan_chunks", block, 1] = partial(chunks, (grid,), (block,), (x, out, totals, n))
        inclusive = cp.cumsum(rows, axis=1)
        checks += [inclusive, inclusive - rows, inclusive]
    calls["a copy", "", 1] = partial(cp.copyto, out, x)
    for call, expected in zip(calls.values(), checks, strict=False):
        call()
        assert cp.array_equal(out.reshape(expected.shape), expected)
    yield from timed(timer, "blocks", LARGE, 2 * x.nbytes, calls)


def levels(x: cp.ndarray, out: cp.ndarray, block: int) -> tuple[Call, int]:
    """All running sums by scan_chunks and add_before, level upon level: the call, and how many launches it makes."""
    scan, add = Loaded("reductions/scan_chunks.cu"), Loaded("reductions/add_before.cu")
    sources, targets = [x], [out]
    while sources[-1].size > 1:
        sources.append(cp.empty(ceil_div(sources[-1].size, block), cp.float32))  # the totals of the chunks
        targets.append(cp.empty_like(sources[-1]))  # and their running sums
    depth = len(sources) - 1

    def call() -> None:
        for k in range(depth):
            size = sources[k].size
            scan((ceil_div(size, block),), (block,), (sources[k], targets[k], sources[k + 1], np.int32(size)))
        for k in reversed(range(depth - 1)):
            size = sources[k].size
            add((ceil_div(size, block),), (block,), (targets[k], targets[k + 1], np.int32(size)))

    return call, 2 * depth - 1


def scan(timer: Timer) -> Iterator[Row]:
    one_pass = Loaded("memory/scan.cu")
    for n in (1 << 20, HUGE):
        x, out = random(n), cp.empty(n, cp.float32)
        tiles = ceil_div(n, SCAN_TILE)
        said = cp.zeros(tiles + 1, cp.uint64)
        in_levels, launches = levels(x, out, 1024)

        def look_back(x: Any = x, out: Any = out, said: Any = said, tiles: int = tiles, n: int = n) -> None:
            said.fill(0)
            one_pass((tiles,), (256,), (x, out, said, np.int32(n)))

        expected = cp.cumsum(x, dtype=cp.float64)
        for call in (in_levels, look_back):
            out.fill(0)
            call()
            assert float(cp.abs(out - expected).max()) < 1.0
        del expected
        calls: dict[Key, Call] = {
            ("scan_chunks and add_before", 1024, launches): in_levels,
            ("memory/scan", 256, 1): look_back,
            ("CuPy's cumsum", "", ""): partial(cp.cumsum, x, out=out),
            ("a copy", "", 1): partial(cp.copyto, out, x),
        }
        yield from timed(timer, "scan", n, 2 * x.nbytes, calls)


# ---- how exact ---------------------------------------------------------------------------------------------


def order(timer: Timer) -> Iterator[Row]:
    n, inputs = 128**3, 10
    x, one = cp.random.random(n, cp.float32), cp.zeros(1, cp.float32)
    in_turn, tree_of_128, by_atomics = (
        Loaded(file) for file in ("reductions/sum_in_turn.cu", "access/reduce_sequential.cu", "memory/sum.cu")
    )
    sums = [x, cp.empty(128**2, cp.float32), cp.empty(128, cp.float32), one]

    def three_trees() -> None:
        for source, target in pairwise(sums):
            tree_of_128((target.size,), (128,), (source, target))

    def atomics() -> None:
        one.fill(0)
        by_atomics((BLOCKS,), (256,), (x, one, np.int32(n)))

    calls: dict[tuple[str, Any, int], Call] = {
        ("sum_in_turn", 1, 1): lambda: in_turn((1,), (1,), (x, one, np.int32(n))),
        ("reduce_sequential", 128, 3): three_trees,
        ("memory/sum", 256, 1): atomics,
    }
    errors: dict[tuple[str, Any, int], float] = dict.fromkeys(calls, 0.0)
    for _ in range(inputs):
        x[:] = cp.random.random(n, cp.float32)
        exact = float(x.sum(dtype=cp.float64))
        for about, call in calls.items():
            call()
            errors[about] = max(errors[about], abs(float(one[0]) - exact) / exact)
    assert max(errors.values()) < 1e-2
    for (about, call), times in zip(calls.items(), timer.series(5, *calls.values()), strict=True):
        name, block, launches = about
        runs, results = 10 if name == "sum_in_turn" else 100, set()
        for _ in range(runs):
            call()
            results.add(float(one[0]))
        measured = {"relative_error": f"{errors[about]:.1e}", "different_results": f"{len(results)} in {runs} runs"}
        where = {"kernel": name, "n": n, "block": block, "launches": launches}
        yield row(experiment="order", **where, **summary(times), **measured)


def ones() -> Iterator[Row]:
    n = 1 << 25
    x, one = cp.ones(n, cp.float32), cp.zeros(1, cp.float32)
    for name, grid, block in (("reductions/sum_in_turn", 1, 1), ("memory/sum", BLOCKS, 256)):
        one.fill(0)
        Loaded(f"{name}.cu")((grid,), (block,), (x, one, np.int32(n)))
        yield row(experiment="ones", kernel=name.split("/")[1], n=n, block=block, result=int(one[0]))


def rows(timer: Timer) -> Iterator[Row]:
    yield from tree(timer)
    yield from blocks(timer)
    yield from scan(timer)
    yield from order(timer)
    yield from ones()
    yield from hidden()
    yield from shuffle_in_a_branch()


if __name__ == "__main__":
    write("reductions", rows(Timer()), machine())
