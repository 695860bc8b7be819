"""How close do the kernels of book/kernels/memory come to the rate of a copy, and to CuPy's own?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_memory_bound.py`. It takes half a
minute and writes memory_bound_<gpu>.csv beside itself: for each kernel its time, the bytes that it must move,
the rate as % of a copy of 1 GiB measured in the same run, and CuPy's time for the same task. Launches of the
kernel, of CuPy and of the copy take turns; spread is the interquartile range. Both blurs blur a row twice:
`blur` in two launches, `blur_fused` in one; for both, the bytes that must move are those of one reading and
one writing of the row.
"""

from collections.abc import Callable, Iterator
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, Timer, machine, random, summary, write

RUNS = 15
SIDE = 1 << 14  # of the transposed matrix: 1 GiB
ELEMENTS = 1 << 28  # 1 GiB of floats
BYTES = 1 << 30
SCAN_TILE = 4096


#: As many blocks of 256 threads as run at the same time. (Asking takes longer than many kernels.)
BLOCKS = 8 * cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]


#: What is timed: the kernel, CuPy, the bytes that must move, and a function that asserts that the result is right.
Task = tuple[Callable[[], object], Callable[[], object], int, Callable[[], None]]


def transpose(kernel: Any) -> Task:
    x, out = random(SIDE, SIDE), cp.empty((SIDE, SIDE), cp.float32)
    theirs = cp.empty_like(out)
    args = (x, out, np.int32(SIDE), np.int32(SIDE))

    def check() -> None:
        assert cp.array_equal(out, x.T)

    grid = (SIDE // 64, SIDE // 64)
    return lambda: kernel(grid, (16, 16), args), lambda: cp.copyto(theirs, x.T), 2 * x.nbytes, check


def total(kernel: Any) -> Task:
    x, out = random(ELEMENTS), cp.zeros(1, cp.float32)

    def launch() -> None:
        out.fill(0)
        kernel((BLOCKS,), (256,), (x, out, np.int32(ELEMENTS)))

    def check() -> None:
        assert abs(float(out[0]) - float(x.sum(dtype=cp.float64))) < 1.0

    return launch, x.sum, x.nbytes, check


def scan(kernel: Any) -> Task:
    x, out, theirs = random(ELEMENTS), cp.empty(ELEMENTS, cp.float32), cp.empty(ELEMENTS, cp.float32)
    tiles = -(-ELEMENTS // SCAN_TILE)
    said = cp.zeros(tiles + 1, cp.uint64)

    def launch() -> None:
        said.fill(0)
        kernel((tiles,), (256,), (x, out, said, np.int32(ELEMENTS)))

    def check() -> None:
        assert float(cp.abs(out - cp.cumsum(x, dtype=cp.float64)).max()) < 1.0

    return launch, lambda: cp.cumsum(x, out=theirs), 2 * x.nbytes, check


def histogram(kernel: Any) -> Task:
    x, counts = cp.random.randint(0, 256, BYTES, np.uint8), cp.zeros(256, cp.uint32)

    def launch() -> None:
        counts.fill(0)
        kernel((BLOCKS,), (256,), (x, counts, np.int32(BYTES)))

    def check() -> None:
        assert cp.array_equal(counts, cp.bincount(x, minlength=256))

    return launch, lambda: cp.histogram(x, 256, (0, 256)), x.nbytes, check


#: CuPy's own: one kernel for each blur, made from an expression.
WEIGH = cp.ElementwiseKernel(
    "T left, T self, T right", "T out", "out = (T)0.25 * (left + (T)2 * self + right)", "weigh"
)


def blurs(kernel: Any) -> Task:
    """Two blurs of a row: one launch of blur_fused, or two of blur."""
    x, out, middle = random(ELEMENTS), cp.empty(ELEMENTS, cp.float32), cp.empty(ELEMENTS, cp.float32)
    theirs, between = x.copy(), x.copy()  # the two ends stay as they are
    n = np.int32(ELEMENTS)

    def fused() -> None:
        kernel((ELEMENTS // 1024,), (256,), (x, out, n))

    def one_by_one() -> None:
        kernel((ELEMENTS // 256,), (256,), (x, middle, n))
        kernel((ELEMENTS // 256,), (256,), (middle, out, n))

    def library() -> None:
        WEIGH(x[:-2], x[1:-1], x[2:], between[1:-1])
        WEIGH(between[:-2], between[1:-1], between[2:], theirs[1:-1])

    def check() -> None:
        assert float(cp.abs(out - theirs).max()) < 1e-5

    return fused if kernel.name == "blur_fused" else one_by_one, library, 2 * x.nbytes, check


TASKS = {
    "transpose": transpose,
    "sum": total,
    "scan": scan,
    "histogram": histogram,
    "blur": blurs,
    "blur_fused": blurs,
}


def rows(timer: Timer) -> Iterator[Row]:
    source = cp.zeros(ELEMENTS, cp.float32)
    target = cp.empty_like(source)
    for name, make in TASKS.items():
        own, library, moved, check = make(Loaded(f"memory/{name}.cu"))
        times, theirs, copies = timer.series(RUNS, own, library, lambda: cp.copyto(target, source))
        check()
        copy_rate = 2 * source.nbytes / np.median(copies) / 1e6
        rate = moved / np.median(times) / 1e6
        yield {
            "kernel": name,
            "bytes": moved,
            **summary(times),
            "gbps": f"{rate:.1f}",
            "copy_gbps": f"{copy_rate:.1f}",
            "percent_of_copy": f"{100 * rate / copy_rate:.1f}",
            "cupy_ms": f"{np.median(theirs):.4f}",
            "times_as_fast_as_cupy": f"{np.median(theirs) / np.median(times):.3f}",
        }


def main() -> None:
    write("memory_bound", rows(Timer()), machine())


if __name__ == "__main__":
    main()
