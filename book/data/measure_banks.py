"""What do bank conflicts cost on a GPU, what do their cures gain, and how often does it hide a mistake?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_banks.py`. It takes some 20 seconds and
writes banks_<gpu>.csv beside itself. The column `experiment` tells its tables apart:

- stride: every multiprocessor full of warps that do nothing but read, or write, one word for each lane. `most_words`
  is how many different words the fullest bank is asked for; `times_stride_1` is how many times as long as at stride 1.
- width: the same bytes read one word and four words a lane at a time; `gbps` are bytes read from shared memory.
- polynomials, tally, transpose: the chapter's own kernels, and transposing by tiles; n polynomials, n elements, n x n
  elements. `gbps` are the bytes that must come from and go to global memory.
- hidden: `passes` of `runs` launches, each with fresh input, gave the right result, though the kernel has a mistake.

`ratio` is how many times as fast as the first kernel of the same experiment at the same n, whose launches take turns
with those of the others.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from measuring import Cell, Loaded, Row, Timer, machine, random, summary, write

PASSES = 30
ROUNDS = 8192  # reads of each warp: sums of whole numbers below 1024 stay exact in float32
WARPS = 32 * cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]  # blocks of one warp that run at a time
X = np.float32(0.5)

Launch = Callable[[], object]


def row(experiment: str, kernel: str, n: Cell = "", **more: Cell) -> Row:
    columns = "stride most_words removed runs passes median_ms spread_ms times_stride_1 ratio gbps"
    return {"experiment": experiment, "kernel": kernel, "n": n, **dict.fromkeys(columns.split(), ""), **more}


def by_stride(timer: Timer) -> Iterator[Row]:
    lane = cp.tile(cp.arange(32, dtype=cp.float32), WARPS)
    out = cp.empty(32 * WARPS, cp.float32)
    for name, strides in (
        ("reads", (0, 1, 2, 3, 4, 8, 16, 31, 32, 33)),
        ("writes", (1, 2, 3, 4, 8, 16, 31, 32, 33)),
    ):
        kernel = Loaded(f"banks/{name}_by_stride.cu")
        launches: list[Launch] = []
        for stride in strides:
            args = (out, np.int32(stride), np.int32(ROUNDS))
            launches.append(partial(kernel, (WARPS,), (32,), args))
            out.fill(-1)
            launches[-1]()
            assert cp.array_equal(out, ROUNDS * stride * lane if name == "reads" else lane + ROUNDS - 1), stride
        series = timer.series(10, *launches)
        for stride, times in zip(strides, series, strict=True):
            words = {stride * lane for lane in range(32)}
            most = max(sum(word % 32 == bank for word in words) for bank in range(32))
            slower = f"{np.median(times) / np.median(series[strides.index(1)]):.2f}"
            yield row("stride", name, stride=stride, most_words=most, **summary(times), times_stride_1=slower)


def compared(timer: Timer, runs: int, launches: dict[str, Launch], moved: int) -> Iterator[tuple[str, Row]]:
    """For each launch its name and the columns of its times; `moved` are the bytes that `gbps` counts."""
    series = timer.series(runs, *launches.values())
    first = float(np.median(series[0]))
    for name, times in zip(launches, series, strict=True):
        median = float(np.median(times))
        yield name, {**summary(times), "ratio": f"{first / median:.2f}", "gbps": f"{moved / median / 1e6:.0f}"}


def widths(timer: Timer) -> Iterator[Row]:
    out = cp.empty(32 * WARPS, cp.float32)
    rounds = ROUNDS // 32  # each reads 1024 words
    launches: dict[str, Launch] = {}
    args = (out, np.int32(rounds), np.int32(32))
    for name in ("reads_float", "reads_float4"):
        launches[name] = partial(Loaded(f"banks/{name}.cu"), (WARPS,), (32,), args)
        out.fill(-1)
        launches[name]()
        assert cp.array_equal(out, 32 * rounds * (cp.arange(32 * WARPS) % 8)), name
    for name, columns in compared(timer, 15, launches, 4 * 1024 * rounds * WARPS):
        yield row("width", name, **columns)


def values(c: Any) -> Any:
    """The polynomials' values at X, exactly: c holds small whole numbers, that of the highest power first."""
    return (c.astype(cp.float64) @ float(X) ** cp.arange(15, -1, -1)).astype(cp.float32)


def coefficients(n: int) -> Any:
    return cp.random.randint(0, 100, (n, 16)).astype(cp.float32)


#: kernel, and whether it is told the number of coefficients
POLYNOMIALS = {
    "polynomials": True,
    "polynomials_rows_of_17": True,
    "polynomials_padded": True,
    "polynomials_swizzled": True,
    "polynomials_fixed": False,
    "polynomials_wide": False,
    "polynomials_wide_swizzled": False,
    "polynomials_direct": False,
}
TERMS = np.int32(16)


def polynomials(timer: Timer) -> Iterator[Row]:
    kernels = {Loaded(f"banks/{name}.cu"): told for name, told in POLYNOMIALS.items()}
    for n in (1 << 16, 1 << 20, 1 << 24):
        c, out = coefficients(n), cp.empty(n, cp.float32)
        expected = values(c)
        launches: dict[str, Launch] = {
            kernel.name: partial(kernel, (n // 128,), (128,), (c, out, X, TERMS)[: 3 + told])
            for kernel, told in kernels.items()
        }
        for name, launch in launches.items():
            out.fill(cp.nan)
            launch()
            assert cp.array_equal(out, expected), name
        for name, columns in compared(timer, 15, launches, c.nbytes + out.nbytes):
            yield row("polynomials", name, n, **columns)


def tallies(timer: Timer) -> Iterator[Row]:
    kernels = [Loaded(f"banks/tally{name}.cu") for name in ("", "_turned")]
    each, n = 256, 1 << 28
    x, out = cp.random.randint(0, 100, n, np.int32), cp.empty((8, n // each), cp.int32)
    expected = cp.stack([(x % 8 == d).reshape(each, -1).sum(0) for d in range(8)])
    args = (x, out, np.int32(each))
    launches: dict[str, Launch] = {
        kernel.name: partial(kernel, (n // each // 128,), (128,), args) for kernel in kernels
    }
    for name, launch in launches.items():
        out.fill(-1)
        launch()
        assert cp.array_equal(out, expected), name
    for name, columns in compared(timer, 15, launches, x.nbytes + out.nbytes):
        yield row("tally", name, n, **columns)


def transposes(timer: Timer) -> Iterator[Row]:
    names = ("transpose_shared", "transpose_shared_padded")
    kernels = [Loaded(f"access/{name}.cu") for name in names]
    for n in (1024, 4096, 16384):
        x, out = random(n, n), cp.empty((n, n), cp.float32)
        args = (x, out, np.int32(n))
        launches: dict[str, Launch] = {
            kernel.name: partial(kernel, (n // 32, n // 32), (32, 32), args) for kernel in kernels
        }
        for name, launch in launches.items():
            out.fill(cp.nan)
            launch()
            assert cp.array_equal(out, x.T), name
        for name, columns in compared(timer, 15, launches, 2 * x.nbytes):
            yield row("transpose", name, n, **columns)


def hidden() -> Iterator[Row]:
    for name, removed in (("", 0), ("", 1), ("_swizzled", 1), ("_half_padded", 0)):
        kernel = Loaded(f"banks/polynomials{name}.cu", removed)
        for n in (128, 1024, 1 << 16, 1 << 20):
            passes = 0
            for _ in range(PASSES):
                c, out = coefficients(n), cp.full(n, cp.nan, cp.float32)
                kernel((n // 128,), (128,), (c, out, X, TERMS))
                passes += bool(cp.array_equal(out, values(c)))
            assert name or removed or passes == PASSES, "the whole kernel must always pass"
            yield row("hidden", kernel.name, n, removed=removed, runs=PASSES, passes=passes)


def rows(timer: Timer) -> Iterator[Row]:
    yield from by_stride(timer)
    yield from widths(timer)
    yield from polynomials(timer)
    yield from tallies(timer)
    yield from transposes(timer)
    yield from hidden()


def main() -> None:
    write("banks", rows(Timer()), machine())


if __name__ == "__main__":
    main()
