"""When do groups smaller than a block pay: tiles of a warp, and lanes that share an atomic?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_groups.py`. It takes about half a minute and
writes groups_<gpu>.csv beside itself. The column `experiment` tells its tables apart:

- rows: the sum of each row of a matrix of `LARGE` floats, by `lanes` lanes for each row of `size` elements
- keep: the positive elements side by side, by the plain atomic and by one for a group of lanes; `size` says how many
  elements are positive
- bins: a histogram of `LARGE` numbers; `size` says how many different ones, and how they lie

Times are medians of launches that take turns; gbps counts each element of the input once, and `ratio` is the time of
the comparison's first launch, divided by the row's own. All results are compared with CuPy's.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import cupy as cp
import numpy as np
from measuring import Loaded, Row, Timer, machine, random, summary, write

TIMINGS = 11
LARGE = 1 << 26
BLOCK = 256
LANES = (1, 2, 4, 8, 16, 32)
COLUMNS = (4, 8, 16, 32, 128, 1024)  # elements of a row
FEW, MANY = 64, 1 << 20  # bins

#: A kernel, its lanes or "", and the launch.
Launch = tuple[str, int | str, partial[None]]


def timed(timer: Timer, experiment: str, size: int | str, launches: Sequence[Launch]) -> Iterator[Row]:
    """A row for each of `launches`, which read `LARGE` elements of four bytes."""
    series = timer.series(TIMINGS, *(launch for *_, launch in launches))
    for (kernel, lanes, _), times in zip(launches, series, strict=True):
        about = {"experiment": experiment, "kernel": kernel, "size": size, "lanes": lanes, **summary(times)}
        rate, ratio = 4 * LARGE / np.median(times) / 1e6, np.median(series[0]) / np.median(times)
        yield {**about, "gbps": f"{rate:.0f}", "ratio": f"{ratio:.2f}"}


def rows(timer: Timer) -> Iterator[Row]:
    x = cp.random.randint(-8, 9, LARGE).astype(cp.float32)  # so small that no sum of a row is rounded
    kernels = {lanes: Loaded("reductions/row_sums.cu", name=f"row_sums<{lanes}>") for lanes in LANES}
    for columns in COLUMNS:
        many = LARGE // columns
        launches: list[Launch] = []
        for lanes, kernel in kernels.items():
            out = cp.full(many, np.nan, cp.float32)
            args = (x, out, np.int32(many), np.int32(columns))
            launch = partial(kernel, (many * lanes // BLOCK,), (BLOCK,), args)
            launch()
            assert bool((out == x.reshape(many, columns).sum(axis=1)).all())
            launches.append(("row_sums", lanes, launch))
        yield from timed(timer, "rows", columns, launches)


def from_zero(counter: cp.ndarray, kernel: Loaded, args: Sequence[object]) -> None:
    counter.fill(0)
    kernel((LARGE // BLOCK,), (BLOCK,), args)


def keep(timer: Timer) -> Iterator[Row]:
    for size, x in (("half", random(LARGE)), ("all", abs(random(LARGE)) + 1)):
        kept, counter = cp.zeros(LARGE, cp.float32), cp.zeros(1, cp.int32)
        launches: list[Launch] = []
        for name in ("keep_positive", "keep_positive_group"):
            args = (x, kept, counter, np.int32(LARGE))
            launch = partial(from_zero, counter, Loaded(f"atomics/{name}.cu"), args)
            launch()
            assert bool((cp.sort(kept[: int(counter[0])]) == cp.sort(x[x > 0])).all())
            launches.append((name, "", launch))
        yield from timed(timer, "keep", size, launches)


def bins(timer: Timer) -> Iterator[Row]:
    few, many = (cp.random.randint(0, top, LARGE, np.int32) for top in (FEW, MANY))
    # The 32 elements of a warp have at most four different numbers.
    of_warp = cp.random.randint(0, MANY, (LARGE // 32, 4), np.int32)
    four = cp.take_along_axis(of_warp, cp.random.randint(0, 4, (LARGE // 32, 32)), axis=1).ravel()
    for size, x, counters in (
        ("64", few, FEW),
        ("one of 64", cp.full(LARGE, 7, cp.int32), FEW),
        ("a million", many, MANY),
        ("a million; four in a warp", four, MANY),
        ("a million; sorted", cp.sort(many), MANY),
    ):
        counts = cp.zeros(counters, cp.int32)
        args, launches = (x, counts, np.int32(LARGE)), list[Launch]()
        ways = {"histogram": "lectures/histogram", "histogram_match": "atomics/histogram_match"}
        if counters == FEW:  # it has room for so many
            ways["histogram_shared"] = "lectures/histogram_shared"
        for name, file in ways.items():
            grid = LARGE // BLOCK // (16 if name == "histogram_shared" else 1)  # whose threads take 16 each
            launch = partial(Loaded(f"{file}.cu"), (grid,), (BLOCK,), args)
            counts.fill(0)
            launch()
            assert bool((counts == cp.bincount(x, minlength=counters)).all())
            launches.append((name, "", launch))
        yield from timed(timer, "bins", size, launches)


def every(timer: Timer) -> Iterator[Row]:
    for experiment in (rows, keep, bins):
        yield from experiment(timer)


if __name__ == "__main__":
    write("groups", every(Timer()), machine())
