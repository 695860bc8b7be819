"""Does a load take longer the more cache lines of 128 bytes a warp's lanes touch?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_lines.py`. It takes some seconds and writes
lines_<gpu>.csv beside itself: kernels of the chapters on tiling and coalescing, with rows of a power of two of
elements, and with rows that are 32 elements longer. `row` is how many elements a row has; `sectors` and `lines` are
what one load of a warp touches, on average. `expected_ms` is the time of all loads if each multiprocessor serves one
line in each cycle; the clock (`clock_ghz`) is the one that measuring_<gpu>.csv read.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, Timer, machine, random, summary, write
from places import DATA

from autograder.cuda.performance import measurements

SECTOR, LINE = 8, 32  # floats
LANE = np.arange(32)
SUMS = 1 << 18  # rows, or columns, that are added up
#: What the lanes of a warp want in one step, load by load, by the length of a row. Blocks of a product are 16 x 16.
WANTED: dict[str, Callable[[int], list[Any]]] = {
    "column_sums": lambda row: [LANE],
    "row_sums": lambda row: [row * LANE],
    "gemm_naive": lambda row: [row * (LANE // 16), LANE % 16],
    "gemm_swapped": lambda row: [row * (LANE % 16), LANE // 16],
    "distances_direct": lambda row: [row * (LANE // 16), row * (LANE % 16)],
}


def pieces(name: str, row: int, size: int) -> list[int]:
    """How many pieces of `size` floats each load of one step touches."""
    return [len(np.unique(wanted // size)) for wanted in WANTED[name](row)]


def launches() -> Iterator[tuple[str, int, int, Callable[[], object]]]:
    """Each kernel's name, the length of a row, how many steps of a warp its launch has in all, and the launch."""
    folders = {"column_sums": "coalescing", "row_sums": "coalescing", "distances_direct": "tiling"}
    kernels = {name: Loaded(f"{folders.get(name, 'access')}/{name}.cu") for name in WANTED}
    out = cp.empty(1 << 24, cp.float32)
    x = random(1024, SUMS)
    args: tuple[Any, ...] = (x, out, np.int32(1024), np.int32(SUMS))
    yield "column_sums", SUMS, SUMS // 32 * 1024, partial(kernels["column_sums"], (SUMS // 256,), (256,), args)
    for row in (1024, 1056):
        args = (random(SUMS, row), out, np.int32(row))
        yield "row_sums", row, SUMS // 32 * row, partial(kernels["row_sums"], (SUMS // 256,), (256,), args)
    for row in (2048, 2080):
        args = (random(row, row), random(row, row), out, np.int32(row))
        for name in ("gemm_naive", "gemm_swapped"):
            yield name, row, row**3 // 32, partial(kernels[name], (row // 16, row // 16), (16, 16), args)
    for row in (1024, 1056):
        args = (random(4096, row), random(4096, row), out, np.int32(4096), np.int32(4096), np.int32(row))
        launch = partial(kernels["distances_direct"], (256, 256), (16, 16), args)
        yield "distances_direct", row, 4096**2 // 32 * row, launch


def rows(timer: Timer, device: str) -> Iterator[Row]:
    read = measurements.read(DATA / measurements.file_name("measuring", device))
    (mhz,) = (float(row["mhz"]) for row in read if row["case"] == "0 s with a full queue")
    clock = mhz * 1e6
    processors = cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
    for name, row, steps, launch in launches():
        (times,) = timer.series(10, launch)
        lines = pieces(name, row, LINE)
        yield {
            "kernel": name,
            "row": row,
            "sectors": f"{np.mean(pieces(name, row, SECTOR)):g}",
            "lines": f"{np.mean(lines):g}",
            "clock_ghz": f"{clock / 1e9:.3f}",
            "expected_ms": f"{steps * sum(lines) / processors / clock * 1e3:.2f}",
            **summary(times),
            "over_expected": f"{float(np.median(times)) * processors * clock / 1e3 / steps / sum(lines):.2f}",
        }


def main() -> None:
    origin = machine()
    write("lines", rows(Timer(), origin["device"]), origin)


if __name__ == "__main__":
    main()
