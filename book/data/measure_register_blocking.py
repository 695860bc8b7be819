"""What if a rung of the ladder were a little different, and how often does a GPU hide its mistakes?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_register_blocking.py`. It takes half a
minute and writes register_blocking_<gpu>.csv beside itself. `experiment` tells its tables apart:

  hidden       `passes` of `runs` launches, each with fresh input, gave what numpy gives, with the line marked
               `// barrier <removed>:` or `// wait <removed>:` emptied (0: none)
  changed      rung 5 of the ladder, or rung 11 with other sizes, with one thing changed, at n = 4096; `ratio`
               is how many times as fast as it is without the change
"""

import re
from collections.abc import Callable, Iterator

import cupy as cp
import numpy as np
from gemm_on_gpu import Compiled
from gemm_rungs import RUNGS, Rung
from measuring import Cell, Loaded, Row, Timer, machine, random, summary, write

from autograder.cuda.performance import gemm_tiles

PASSES, N = 30, 4096
TAKEN = ("registers", "local_bytes", "blocks_per_sm", "occupancy")


def row(experiment: str, kernel: str, case: str, n: int, **more: Cell) -> Row:
    columns = "removed runs passes median_ms spread_ms tflops ratio"
    return {
        "experiment": experiment,
        "kernel": kernel,
        "case": case,
        "n": n,
        **dict.fromkeys((*columns.split(), *TAKEN), ""),
        **more,
    }


def product(kernel: Loaded, n: int) -> bool:
    """Whether gemm_tiled_1x2 with 16 x 16 threads is right, for small whole numbers, whose sums are exact."""
    a, b = (cp.random.randint(0, 10, (n, n)).astype(cp.float32) for _ in range(2))
    c = cp.full((n, n), cp.nan, cp.float32)
    kernel((-(-n // 32), -(-n // 16)), (16, 16), (a, b, c, np.int32(n)), 12 * 16 * 16)
    return bool(cp.array_equal(c, cp.rint(a.astype(cp.float64) @ b.astype(cp.float64)).astype(cp.float32)))


def phases(kernel: Loaded, n: int) -> bool:
    """Whether the sums over n phases are right, in 500 blocks."""
    x = cp.random.randint(0, 10, (n, 500, 128)).astype(cp.float32)
    out = cp.full((500, 128), cp.nan, cp.float32)
    kernel((500,), (128,), (x, out, np.int32(n)))
    places = (cp.arange(128)[:, None] + 25 * cp.arange(5)) % 128
    return bool(cp.array_equal(out, x.sum(axis=0)[:, places].sum(axis=2)))


#: file, its barriers, what launches it and checks, and the sizes
HIDDEN: list[tuple[str, int, Callable[[Loaded, int], bool], tuple[int, ...]]] = [
    ("lectures/gemm_tiled_1x2.cu", 2, product, (64, 100, 1000, 2048)),
    ("register_blocking/one_buffer.cu", 2, phases, (1, 4, 64, 1000)),
    ("register_blocking/two_buffers.cu", 1, phases, (1, 4, 64, 1000)),
    ("register_blocking/three_buffers.cu", 2, phases, (1, 4, 64, 1000)),
]


def hidden() -> Iterator[Row]:
    for file, barriers, right, sizes in HIDDEN:
        for removed in range(barriers + 1):
            kernel = Loaded(file, removed)
            for n in sizes:
                passes = sum(right(kernel, n) for _ in range(PASSES))
                assert removed or passes == PASSES, f"{kernel.name} is wrong at n={n}"
                yield row("hidden", kernel.name, "", n, removed=removed, runs=PASSES, passes=passes)


def neighbors(source: str) -> str:
    """Rung 5 with a thread's columns side by side, 8x to 8x + 7."""
    source, loads = re.subn(r"tile_B\[k\]\[x \+ j \* \(BN / TN\)\]", "tile_B[k][x * TN + j]", source)
    source, stores = re.subn(r"first_col \+ x \+ j \* \(BN / TN\)", "first_col + x * TN + j", source)
    assert loads == stores == 1
    return source


def at_most(blocks: int) -> Callable[[str], str]:
    """Rung 5 with so few registers that `blocks` blocks fit on a multiprocessor."""
    return lambda source: source.replace("__global__ void", f"__launch_bounds__(256, {blocks}) __global__ void")


def sized(**sizes: int) -> Callable[[str], str]:
    """Rung 11 with other sizes."""
    return lambda source: gemm_tiles.with_sizes(source, sizes)


#: rung, what is changed, and how
CHANGED: list[tuple[int, str, Callable[[str], str]]] = [
    (5, "as it is", lambda source: source),
    (5, "loops not unrolled", lambda source: source.replace("#pragma unroll", "#pragma unroll 1")),
    (5, "a thread's columns side by side", neighbors),
    (5, "registers for three blocks", at_most(3)),
    (5, "registers for four blocks", at_most(4)),
    (11, "as it is", lambda source: source),
    (11, "two phases in one round of the loop", sized(UNROLL=2)),
    (11, "one phase in one round of the loop", sized(UNROLL=1)),
    (11, "three buffers", sized(STAGES=3)),
    (11, "three buffers, six phases in one round", sized(STAGES=3, UNROLL=6)),
    (11, "rows of blocks, no bands", sized(BAND=1)),
    (11, "8 x 8 elements for each thread, two blocks", sized(BN=128, WARPS_M=4, WARPS_N=2, BLOCKS=2)),
]


def changed(timer: Timer) -> Iterator[Row]:
    a, b, c, d = random(N, N), random(N, N), cp.empty((N, N), cp.float32), cp.empty((N, N), cp.float32)
    cp.matmul(a, b, out=d)
    for number in (5, 11):
        rung, cases = RUNGS[number - 1], [(case, change) for rung, case, change in CHANGED if rung == number]
        kernels = [Compiled(Rung(rung.file, rung.name, change(rung.source))) for _, change in cases]
        series = timer.series(7, *(kernel.call(a, b, c) for kernel in kernels))
        first = float(np.median(series[0]))
        for (case, _), kernel, times in zip(cases, kernels, series, strict=True):
            c.fill(cp.nan)
            kernel.call(a, b, c)()
            assert cp.allclose(c, d, rtol=0, atol=1e-5 * N), case
            taken = kernel.resources()
            yield row(
                "changed",
                rung.name,
                case,
                N,
                **summary(times),
                tflops=f"{2 * N**3 / np.median(times) / 1e9:.2f}",
                ratio=f"{first / np.median(times):.3f}",
                **{word: taken[word] for word in TAKEN},
            )


def rows() -> Iterator[Row]:
    yield from hidden()
    yield from changed(Timer())


if __name__ == "__main__":
    write("register_blocking", rows(), machine())
