"""What does each race of the chapter on races do on a GPU, and how often does the GPU hide it?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_races.py`. It takes a few seconds and
writes races_<gpu>.csv beside itself. A row is one kernel of book/kernels at one launch, each time with fresh
input: `passes` of `runs` launches gave what numpy gives; `cuda_errors` of them CUDA reported as failed. Where the
result is one number, least, median and most say what it was. There are kernels without a race for comparison
(`races` is "no"), and must pass always.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, machine, write

RUNS = 30
LARGE = 1 << 22
SIZES = (32, 64, 1000, LARGE)

loaded = functools.cache(Loaded)


@dataclass(frozen=True)
class Case:
    """One launch, and a summary of its results: the number to show (if there is one), and whether they are right."""

    args: tuple[Any, ...]
    right: Callable[[], bool]
    number: Callable[[], int] | None = None


@dataclass(frozen=True)
class Trial:
    """A future row: `size` is what varies in the experiment, as the page prints it."""

    experiment: str
    file: str
    races: bool
    size: str
    grid: int
    block: int
    make: Callable[[], Case]
    without: int = 0


def counted(threads: int) -> Case:
    x = cp.zeros(1, cp.int32)
    return Case((x,), lambda: int(x[0]) == threads, lambda: int(x[0]))


def count_rare(hits: int) -> Case:
    x = cp.ones(LARGE, cp.int32)
    x[cp.asarray(np.random.default_rng().choice(LARGE, hits, replace=False, shuffle=False))] = -1
    count = cp.zeros(1, cp.int32)
    args = (x, count, np.int32(LARGE), np.int32(0))
    return Case(args, lambda: int(count[0]) == hits, lambda: int(count[0]))


def not_sorted(n: int) -> Case:
    x, found = cp.arange(n, 0, -1, dtype=cp.int32), cp.zeros(1, cp.int32)
    return Case((x, found, np.int32(n)), lambda: int(found[0]) == 1)


def numbers(n: int) -> cp.ndarray:
    return cp.random.randint(0, 1000, n, cp.int32)


def halves(n: int) -> Case:
    x, out = numbers(n).astype(cp.float32), cp.full(n, -1, cp.float32)
    expected = (x * x).reshape(-1, 2, 16)[:, 0]
    return Case((x, out, np.int32(n)), lambda: bool((out.reshape(-1, 2, 16)[:, 1] == expected).all()))


def rotate_warp(n: int) -> Case:
    x, out = numbers(n).astype(cp.float32), cp.full(n, -1, cp.float32)
    return Case((x, out), lambda: bool((out == cp.roll(x, -1)).all()))


def averaged(x: cp.ndarray) -> cp.ndarray:
    return cp.append(0.5 * (x[:-1] + x[1:]), x[-1:])


def average_in_place(n: int) -> Case:
    x = numbers(n).astype(cp.float32)  # half of a sum of two of them is exact
    expected = averaged(x)
    return Case((x, np.int32(n)), lambda: bool((x == expected).all()))


def average(n: int) -> Case:
    x, out = numbers(n).astype(cp.float32), cp.full(n, -1, cp.float32)
    return Case((x, out, np.int32(n)), lambda: bool((out == averaged(x)).all()))


def mark_bits(n: int) -> Case:
    x, marks = numbers(n), cp.zeros(-(-n // 8), cp.uint8)
    args = (x, marks, np.int32(n))
    return Case(args, lambda: bool((cp.unpackbits(marks, bitorder="little")[:n] == (x % 2 == 0)).all()))


def mark_bytes(n: int) -> Case:
    x, marks = numbers(n), cp.full(n, 9, cp.uint8)
    return Case((x, marks, np.int32(n)), lambda: bool((marks == (x % 2 == 0)).all()))


def find_any(n: int) -> Case:
    x, found = cp.random.permutation(n).astype(cp.int32), cp.full(2, -1, cp.int32)
    return Case((x, found, np.int32(n), np.int32(-1)), lambda: int(found[0]) == int(x[int(found[1])]))


def relay(rounds: int, late: int) -> Case:
    x, out = cp.random.randint(0, 9, 128, cp.int32).astype(cp.float32), cp.full(128, -1, cp.float32)
    expected = x  # small whole numbers: all sums are exact
    for _ in range(rounds):
        expected = expected + cp.roll(expected, 32)
    args = (x, out, np.int32(rounds), np.int32(late))
    return Case(args, lambda: bool((out == expected).all()))


def trials() -> Iterator[Trial]:
    launches = [(1, 2), (1, 32), (1, 64), (1, 1024), (2, 1), (64, 1), (1000, 256)]
    for file in ("lectures/race.cu", "races/count_volatile.cu", "lectures/inc_atomic.cu"):
        for grid, block in launches:
            yield Trial(
                "increments",
                file,
                "atomic" not in file,
                f"{grid} of {block}",
                grid,
                block,
                functools.partial(counted, grid * block),
            )
    for hits in (1, 2, 5, 10, 30, 100, 1000, 10_000, 100_000):
        make = functools.partial(count_rare, hits)
        yield Trial("rare", "races/count_rare.cu", hits > 1, str(hits), LARGE // 256, 256, make)

    def sized(file: str, races: bool, case: Callable[[int], Case], sizes: Any = SIZES, without: int = 0) -> Any:
        for n in sizes:
            block = min(n, 256)
            yield Trial("sizes", file, races, str(n), -(-n // block), block, functools.partial(case, n), without)

    yield from sized("races/not_sorted.cu", True, not_sorted)
    yield from sized("rotate_warp.cu", True, rotate_warp, (32,), 1)
    yield from sized("rotate_warp.cu", False, rotate_warp, (32,))
    yield from sized("races/halves.cu", True, halves, (32, 64, LARGE), 1)
    yield from sized("races/halves.cu", False, halves, (32, 64, LARGE))
    yield from sized("races/halves_else.cu", True, halves, (32, 64, LARGE))
    yield from sized("races/average_in_place.cu", True, average_in_place)
    yield from sized("races/average.cu", False, average)
    yield from sized("races/mark_bits.cu", True, mark_bits)
    yield from sized("races/mark_bytes.cu", False, mark_bytes)
    yield from sized("races/find_any.cu", True, find_any)
    for without in (0, 1, 2):
        for late in (-1, 0, 1, 3):
            make = functools.partial(relay, 5, late)
            size = "no warp" if late < 0 else f"warp {late}"
            yield Trial("delays", "races/relay.cu", without > 0, size, 1, 128, make, without)


def row(trial: Trial) -> Row:
    kernel = loaded(trial.file, trial.without)
    passes, errors, got = 0, 0, []
    for _ in range(RUNS):
        case = trial.make()
        kernel((trial.grid,), (trial.block,), case.args)
        try:
            cp.cuda.runtime.deviceSynchronize()
        except cp.cuda.runtime.CUDARuntimeError:
            errors += 1
        passes += case.right()
        if case.number:
            got.append(case.number())
    assert trial.races or passes == RUNS, f"{trial.file} without a race: {passes} of {RUNS} at {trial.size}"
    return {
        "experiment": trial.experiment,
        "kernel": trial.file.rpartition("/")[2].removesuffix(".cu"),
        "barrier_removed": trial.without,
        "races": "yes" if trial.races else "no",
        "size": trial.size,
        "threads": trial.grid * trial.block,
        "runs": RUNS,
        "passes": passes,
        "right": f"{passes} of {RUNS}",
        "least": min(got, default=""),
        "median": int(np.median(got)) if got else "",
        "most": max(got, default=""),
        "cuda_errors": errors,
    }


def main() -> None:
    # A first launch, so that no row includes the startup.
    Loaded("lectures/inc_atomic.cu")((1,), (1,), counted(1).args)
    write("races", map(row, trials()), machine())


if __name__ == "__main__":
    main()
