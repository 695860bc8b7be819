"""How close do the kernels of book/kernels/memory come to the rate of a copy, and to the libraries?

Run it on a machine with an NVIDIA GPU, CuPy and nvcc: `python book/data/measure_memory_bound.py FOLDER`, where FOLDER
has the headers of CCCL, such as cuda/cccl/headers/include of the package cuda-cccl; without, they are the toolkit's.
It takes a minute and writes memory_bound_<gpu>.csv beside itself: for each kernel its time, the bytes that it must
move, the rate as % of a copy of 1 GiB measured in the same run, and the times of CuPy and of CUB (by cub_calls.cu)
for the same task. Launches of the kernel, of the libraries and of the copy take turns; spread is the interquartile
range. Both blurs blur a row twice: `blur` in two launches, `blur_fused` in one; for both, the bytes that must move
are those of one reading and one writing of the row.
"""

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, Timer, machine, random, summary, write
from places import DATA

RUNS = 15
SIDE = 1 << 14  # of the transposed matrix: 1 GiB
ELEMENTS = 1 << 28  # 1 GiB of floats
BYTES = 1 << 30
#: Elements of a tile of each scan.
SCAN_TILES = {"scan": 8192, "scan_in_shared": 4096}


#: As many blocks of 256 threads as run at the same time. (Asking takes longer than many kernels.)
BLOCKS = 8 * cp.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]


Call = Callable[[], object]
#: What is timed: the kernel, the libraries by name, the bytes that must move, and a function that asserts that
#: the result is right.
Task = tuple[Call, dict[str, Call], int, Callable[[], None]]


@cache
def cub_library() -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cub_calls.so"
        arch = f"-arch=sm_{cp.cuda.Device().compute_capability}"
        options = ["-O3", arch, "-shared", "-Xcompiler", "-fPIC", "-o", str(file)]
        options += [f"-I{headers}" for headers in sys.argv[1:]]
        subprocess.run(["nvcc", *options, str(DATA / "cub_calls.cu")], check=True)
        return ctypes.CDLL(str(file))


def cub_version() -> str:
    """CUB's version, such as "3.5.0"."""
    number = int(cub_library().version())
    return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"


def cub(name: str, x: cp.ndarray, out: cp.ndarray) -> Call:
    """A call of CUB's `name` (see cub_calls.cu) for x and out, with its temporary memory."""
    function = getattr(cub_library(), name)
    arrays = [ctypes.c_void_p(array.data.ptr) for array in (x, out)]
    size = ctypes.c_size_t(0)
    assert function(None, ctypes.byref(size), *arrays, x.size) == 0
    memory = cp.empty(max(size.value, 1), cp.uint8)

    def call() -> None:
        assert function(ctypes.c_void_p(memory.data.ptr), ctypes.byref(size), *arrays, x.size) == 0

    return call


def transpose(kernel: Any) -> Task:
    x, out = random(SIDE, SIDE), cp.empty((SIDE, SIDE), cp.float32)
    theirs = cp.empty_like(out)
    args = (x, out, np.int32(SIDE), np.int32(SIDE))

    def check() -> None:
        assert cp.array_equal(out, x.T)

    grid = (SIDE // 64, SIDE // 64)
    return lambda: kernel(grid, (16, 16), args), {"cupy": lambda: cp.copyto(theirs, x.T)}, 2 * x.nbytes, check


def total(kernel: Any) -> Task:
    x, out = random(ELEMENTS), cp.zeros(1, cp.float32)

    def launch() -> None:
        out.fill(0)
        kernel((BLOCKS,), (256,), (x, out, np.int32(ELEMENTS)))

    def check() -> None:
        assert abs(float(out[0]) - float(x.sum(dtype=cp.float64))) < 1.0

    return launch, {"cupy": x.sum, "cub": cub("sum", x, cp.empty(1, cp.float32))}, x.nbytes, check


def scan(kernel: Any) -> Task:
    x, out, theirs = random(ELEMENTS), cp.empty(ELEMENTS, cp.float32), cp.empty(ELEMENTS, cp.float32)
    tiles = -(-ELEMENTS // SCAN_TILES[kernel.name])
    said = cp.zeros(tiles + 1, cp.uint64)

    def launch() -> None:
        said.fill(0)
        kernel((tiles,), (256,), (x, out, said, np.int32(ELEMENTS)))

    def check() -> None:
        assert float(cp.abs(out - cp.cumsum(x, dtype=cp.float64)).max()) < 1.0

    libraries = {"cupy": lambda: cp.cumsum(x, out=theirs), "cub": cub("scan", x, theirs)}
    return launch, libraries, 2 * x.nbytes, check


def histogram(kernel: Any, values: int = 256) -> Task:
    x, counts = cp.random.randint(0, values, BYTES, np.uint8), cp.zeros(256, cp.uint32)
    theirs = cp.empty_like(counts)
    threads = 512 if kernel.name == "histogram" else 256

    def launch() -> None:
        counts.fill(0)
        kernel((BLOCKS * 256 // threads,), (threads,), (x, counts, np.int32(BYTES)))

    def check() -> None:
        assert cp.array_equal(counts, cp.bincount(x, minlength=256))

    libraries = {"cupy": lambda: cp.histogram(x, 256, (0, 256)), "cub": cub("histogram", x, theirs)}
    return launch, libraries, x.nbytes, check


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

    def cupy() -> None:
        WEIGH(x[:-2], x[1:-1], x[2:], between[1:-1])
        WEIGH(between[:-2], between[1:-1], between[2:], theirs[1:-1])

    def check() -> None:
        assert float(cp.abs(out - theirs).max()) < 1e-5

    return fused if kernel.name == "blur_fused" else one_by_one, {"cupy": cupy}, 2 * x.nbytes, check


#: The kernel, its input where that matters, and what makes the task.
TASKS: list[tuple[str, str, Callable[[Any], Task]]] = [
    ("transpose", "", transpose),
    ("sum", "", total),
    ("scan_in_shared", "", scan),
    ("scan", "", scan),
    ("histogram_of_warps", "any bytes", histogram),
    ("histogram_of_warps", "equal bytes", partial(histogram, values=1)),
    ("histogram", "any bytes", histogram),
    ("histogram", "equal bytes", partial(histogram, values=1)),
    ("blur", "", blurs),
    ("blur_fused", "", blurs),
]


def rows(timer: Timer) -> Iterator[Row]:
    source = cp.zeros(ELEMENTS, cp.float32)
    target = cp.empty_like(source)
    for name, given, make in TASKS:
        own, libraries, moved, check = make(Loaded(f"memory/{name}.cu"))
        times, copies, *theirs = timer.series(RUNS, own, lambda: cp.copyto(target, source), *libraries.values())
        check()
        copy_rate = 2 * source.nbytes / np.median(copies) / 1e6
        rate = moved / np.median(times) / 1e6
        of_libraries = dict(zip(libraries, map(np.median, theirs), strict=True))
        row: Row = {
            "kernel": name,
            "input": given,
            "bytes": moved,
            **summary(times),
            "gbps": f"{rate:.1f}",
            "copy_gbps": f"{copy_rate:.1f}",
            "percent_of_copy": f"{100 * rate / copy_rate:.1f}",
        }
        for library in ("cupy", "cub"):
            ms = of_libraries.get(library)
            row[f"{library}_ms"] = f"{ms:.4f}" if ms else ""
            row[f"times_as_fast_as_{library}"] = f"{ms / np.median(times):.3f}" if ms else ""
        yield row


def main() -> None:
    write("memory_bound", rows(Timer()), {"cub": cub_version(), **machine()})


if __name__ == "__main__":
    main()
