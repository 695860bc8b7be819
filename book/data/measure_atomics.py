"""What do atomics cost, and what do the fences, scopes and orders of the chapter on atomics do on a GPU?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_atomics.py`. It takes half a minute and
writes atomics_<gpu>.csv beside itself. A row is one kernel of book/kernels at one size. Times: launches that are
compared take turns; `per_ns` is how many additions (or elements) a launch does in a nanosecond, `ratio` this rate
divided by that of the comparison's first kernel. Results: `passes` of `runs` launches
gave what numpy gives, `distinct` is how many different results they gave, and least, median and most say which number
came out where it is one (for the sums of floats, `most` is the largest error).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from measuring import Cell, Loaded, Row, Timer, machine, random, summary, write

TIMINGS, RUNS, MANY = 11, 30, 1000
LARGE = 1 << 26
GRID, BLOCK = 1024, 256  # of the launches that add to a few counters
ROUNDS, ROUNDS_SHARED = 64, 8192  # so many that the start of a launch is a small part of its time
LOCKED = 1 << 14  # elements under a lock: it takes long
COLUMNS = (
    "experiment kernel size apart runs passes right distinct least median most median_ms spread_ms per_ns ratio"
).split()

Launch = Callable[[], object]


def row(experiment: str, kernel: str, size: Cell, **values: Cell) -> Row:
    """A row with all columns; those that the experiment does not use are empty."""
    return {**dict.fromkeys(COLUMNS, ""), "experiment": experiment, "kernel": kernel, "size": size, **values}


def short(value: float) -> str:
    """Three digits, or more if the number has more before the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def grid(n: int) -> tuple[int]:
    return (-(-n // BLOCK),)


def timed(timer: Timer, experiment: str, launches: Sequence[tuple[str, Cell, Cell, int, Launch]]) -> Iterator[Row]:
    """One row for each (kernel, size, apart, additions, launch); their launches alternate."""
    series = timer.series(TIMINGS, *(launch for *_, launch in launches))
    rates = [work / np.median(times) / 1e6 for (*_, work, _), times in zip(launches, series, strict=True)]
    for (kernel, size, apart, _, _), times, rate in zip(launches, series, rates, strict=True):
        about = {"per_ns": short(rate), "ratio": short(rate / rates[0])}
        yield row(experiment, kernel, size, apart=apart, **about, **summary(times))


def counted(experiment: str, kernel: str, size: Cell, runs: int, one: Callable[[], tuple[bool, int]]) -> Row:
    """A row about `runs` launches; each says whether it was right and gives its result."""
    rights, got = zip(*(one() for _ in range(runs)), strict=True)
    return row(
        experiment,
        kernel,
        size,
        runs=runs,
        passes=sum(rights),
        right=f"{sum(rights)} of {runs}",
        least=min(got),
        median=int(np.median(got)),
        most=max(got),
    )


def contention(timer: Timer) -> Iterator[Row]:
    counts = cp.zeros(GRID * BLOCK, cp.int32)
    launches: list[tuple[str, Cell, Cell, int, Launch]] = []
    places = [(c, 1) for c in (1, 2, 4, 8, 32, BLOCK, GRID * BLOCK)] + [(32, 8), (32, 32)]
    for file, where in (("add_to_some", places), ("add_to_some_shared", [(c, 1) for c in (1, 2, 4, 8, 32, BLOCK)])):
        kernel = Loaded(f"atomics/{file}.cu")
        for counters, apart in where:
            # The third argument is how far apart counters are in one kernel, and how much to add in the other.
            rounds = ROUNDS if file == "add_to_some" else ROUNDS_SHARED
            args = (counts, np.int32(counters), np.int32(apart), np.int32(rounds))
            launch = partial(kernel, (GRID,), (BLOCK,), args)
            counts.fill(0)
            launch()
            adds = GRID * BLOCK * rounds
            assert bool((counts[: counters * apart : apart] == np.int64(adds // counters).astype(np.int32)).all())
            launches.append((file, counters, apart, adds, launch))
    yield from timed(timer, "contention", launches)


def alone(timer: Timer) -> Iterator[Row]:
    x, sums = cp.ones(LARGE, cp.float32), cp.zeros(LARGE, cp.float32)
    args = (x, sums, np.int32(LARGE))
    kernels = [(f"add_each_{way}", Loaded(f"atomics/add_each_{way}.cu")) for way in ("plain", "atomic")]
    for times, (_, kernel) in enumerate(kernels, 1):
        kernel(grid(LARGE), (BLOCK,), args)
        assert bool((sums == times).all())
    launches = [(name, LARGE, "", LARGE, lambda k=kernel: k(grid(LARGE), (BLOCK,), args)) for name, kernel in kernels]
    yield from timed(timer, "alone", launches)


def fewer(timer: Timer) -> Iterator[Row]:
    x, count = cp.random.randint(0, 100, LARGE, np.int32), cp.zeros(1, cp.int32)
    odd = int((x % 2).sum())
    args = (x, count, np.int32(LARGE))
    launches = []
    for way in ("each", "warp", "block"):
        kernel = Loaded(f"atomics/count_odd_{way}.cu")
        count.fill(0)
        kernel(grid(LARGE), (BLOCK,), args)
        assert int(count[0]) == odd
        launches.append((f"count_odd_{way}", LARGE, "", LARGE, lambda k=kernel: k(grid(LARGE), (BLOCK,), args)))
    yield from timed(timer, "fewer", launches)


def histograms(timer: Timer) -> Iterator[Row]:
    for name, x in (
        ("all values", cp.random.randint(0, 64, LARGE, np.int32)),
        ("one value", cp.full(LARGE, 7, cp.int32)),
    ):
        bins = cp.zeros(64, cp.int32)
        args = (x, bins, np.int32(LARGE))
        launches = []
        for file, blocks in (("histogram", grid(LARGE)), ("histogram_shared", grid(LARGE // 16))):
            kernel = Loaded(f"lectures/{file}.cu")
            bins.fill(0)
            kernel(blocks, (BLOCK,), args)
            assert bool((bins == cp.bincount(x, minlength=64)).all())
            launches.append((file, name, "", LARGE, lambda k=kernel, b=blocks, a=args: k(b, (BLOCK,), a)))
        yield from timed(timer, "histogram", launches)


def orders() -> Iterator[Row]:
    sums, keep = Loaded("atomics/sums.cu"), Loaded("atomics/keep_positive.cu")
    for n in (32, 1000, 1 << 20):
        x = random(n)
        floats, wholes, kept = [], [], []
        for _ in range(RUNS):
            sum_, whole = cp.zeros(1, cp.float32), cp.zeros(1, cp.uint64)
            sums(grid(n), (BLOCK,), (x, sum_, whole, np.int32(n)))
            floats.append(float(sum_[0]))
            wholes.append(int(whole.view(cp.int64)[0]))
            out, next_ = cp.zeros(n, cp.float32), cp.zeros(1, cp.int32)
            keep(grid(n), (BLOCK,), (x, out, next_, np.int32(n)))
            assert bool((cp.sort(out[: int(next_[0])]) == cp.sort(x[x > 0])).all())
            kept.append(cp.asnumpy(out).tobytes())
        assert wholes[0] == int(cp.rint(x * np.float32(65536)).astype(cp.int64).sum())
        exact = float(x.sum(dtype=cp.float64))
        off = max(abs(one - exact) for one in floats)
        yield row("order", "float sum", n, runs=RUNS, distinct=len(set(floats)), most=f"{off:.2g}")
        yield row("order", "whole sum", n, runs=RUNS, distinct=len(set(wholes)))
        yield row("order", "keep_positive", n, runs=RUNS, distinct=len(set(kept)))


def fences() -> Iterator[Row]:
    for file in ("fullest_row", "fullest_row_no_fences"):
        kernel = Loaded(f"atomics/{file}.cu")
        even, arrived = cp.zeros(1000, cp.int32), cp.zeros(1, cp.uint32)
        for rows_ in (4, 132, 1000):

            def fullest(
                kernel: Any = kernel, n: int = rows_, even: Any = even, arrived: Any = arrived
            ) -> tuple[bool, int]:
                x, best = cp.random.randint(0, 1000, (n, 1000), np.int32), cp.full(1, -1, cp.int32)
                kernel((n,), (1024,), (x, even, arrived, best, np.int32(1000)))
                return int(best[0]) == int((x % 2 == 0).sum(axis=1).argmax()), 0

            yield counted("last block", file, rows_, MANY, fullest)
    for file in ("post", "post_one_fence", "post_no_fences"):
        kernel = Loaded(f"atomics/{file}.cu")

        def missing(kernel: Any = kernel) -> tuple[bool, int]:
            letters, posted, lost = cp.zeros(10_000, cp.int32), cp.zeros(1, cp.int32), cp.full(1, -1, cp.int32)
            kernel((2,), (1,), (letters, posted, lost, np.int32(10_000)))
            return int(lost[0]) == 0, int(lost[0])

        yield counted("post", file, 10_000, RUNS, missing)


def seats() -> Iterator[Row]:
    for file in ("book_seats", "book_seats_look_first"):
        kernel = Loaded(f"atomics/{file}.cu")

        def booked(kernel: Any = kernel) -> tuple[bool, int]:
            taken, seat = cp.zeros(1, cp.int32), cp.full(100 * BLOCK, -2, cp.int32)
            kernel((100,), (BLOCK,), (taken, seat, np.int32(1000)))
            right = bool((cp.sort(seat[seat >= 0]) == cp.arange(1000)).all()) if int(taken[0]) == 1000 else False
            return right, int(taken[0])

        yield counted("seats", file, 1000, RUNS, booked)


def scopes(timer: Timer) -> Iterator[Row]:
    launches = []
    for file in ("lectures/inc_atomic", "atomics/count_block_scope"):
        kernel, name = Loaded(f"{file}.cu"), file.partition("/")[2]

        def total(kernel: Any = kernel) -> tuple[bool, int]:
            count = cp.zeros(1, cp.int32)
            kernel((1000,), (BLOCK,), (count,))
            return int(count[0]) == 1000 * BLOCK, int(count[0])

        yield counted("scope", name, 1000 * BLOCK, RUNS, total)
        x = cp.zeros(1, cp.int32)
        launches.append((name, 1000 * BLOCK, "", 1000 * BLOCK, lambda k=kernel, x=x: k((1000,), (BLOCK,), (x,))))
    yield from timed(timer, "scope time", launches)


def locks(timer: Timer) -> Iterator[Row]:
    launches = []
    for file in ("largest_locked", "largest_locked_no_fences", "largest_packed"):
        kernel = Loaded(f"atomics/{file}.cu")
        lock, pair, packed = cp.zeros(1, cp.int32), cp.zeros(2, cp.int32), cp.zeros(1, cp.uint64)
        into = (packed,) if file == "largest_packed" else (lock, pair)

        def launch(x: Any, kernel: Any = kernel, into: Any = into) -> None:
            kernel(grid(LOCKED), (BLOCK,), (x, *into, np.int32(LOCKED)))

        def one(launch: Any = launch, pair: Any = pair, packed: Any = packed) -> tuple[bool, int]:
            x = cp.random.permutation(LOCKED).astype(cp.int32)
            pair.fill(-1)
            packed.fill(0)
            launch(x)
            both = int(packed[0])
            value, index = (both >> 32, both & 0xFFFFFFFF) if both else map(int, pair)
            return value == LOCKED - 1 and int(x[index]) == value, value

        yield counted("lock", file, LOCKED, RUNS, one)
        x = cp.random.permutation(LOCKED).astype(cp.int32)
        launches.append((file, LOCKED, "", LOCKED, lambda launch=launch, x=x: launch(x)))
    # From its second launch on a kernel finds the result already there: what is timed is the way to it.
    yield from timed(timer, "lock time", launches)


def rows() -> Iterator[Row]:
    timer = Timer()
    for experiment in (contention, alone, fewer, histograms, scopes, locks):
        yield from experiment(timer)
    for results in (orders, fences, seats):
        yield from results()


#: Kernels that may be wrong; every other kernel must always pass.
WRONG = {
    "book_seats_look_first",
    "count_block_scope",
    "fullest_row_no_fences",
    "largest_locked_no_fences",
    "post_no_fences",
    "post_one_fence",
}


def checked(rows: Iterator[Row]) -> Iterator[Row]:
    for one in rows:
        assert one["kernel"] in WRONG or one["passes"] in ("", one["runs"]), one
        yield one


def main() -> None:
    write("atomics", checked(rows()), machine())


if __name__ == "__main__":
    main()
