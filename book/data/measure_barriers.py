"""How often does a GPU hide a missing barrier, and what does a barrier cost?

Run it on a machine with an NVIDIA GPU, CuPy and numpy: `python book/data/measure_barriers.py`. It takes
about a minute and writes barriers_<gpu>.csv beside itself. Each row is one kernel of book/kernels at one
size: as it is (barrier_removed 0), or with the line marked `// barrier 1:` or `// barrier 2:` emptied.
`passes` of `runs` launches, each with fresh random input, gave what numpy gives; the times are those of
one launch, in microseconds, by CUDA events.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cupy as cp
import numpy as np
from measuring import Loaded, Row, by_events, machine, write

RUNS, WARM_UPS, TIMINGS = 30, 5, 20
SMALL, LARGE = (64, 100, 1000), 1 << 22  # LARGE: so large that its time is meaningful
BLOCKS = (64, 256, 1024)


@dataclass(frozen=True)
class Case:
    """One launch: its arguments, and what `out` must hold afterwards, by numpy."""

    grid: tuple[int, ...]
    block: tuple[int, ...]
    inputs: list[np.ndarray]
    n: int
    expected: np.ndarray
    shared_mem: int = 0


def neighbor_update(rng: np.random.Generator, n: int, block: int) -> Case:
    x = rng.random(n, np.float32)
    last = np.minimum(np.arange(n) // block * block + block, n) - 1  # of the element's block
    right = np.where(np.arange(n) == last, np.arange(n) // block * block, np.arange(n) + 1)
    return Case((-(-n // block),), (block,), [x], n, x + x[right], 4 * block)


def rotate_rounds(rng: np.random.Generator, n: int, block: int) -> Case:
    x = rng.random(block, np.float32)  # the kernel has one block; n is how many rounds it makes
    return Case((1,), (block,), [x], n, np.roll(x, -32 * n))


def gemm(rng: np.random.Generator, n: int, block: int) -> Case:
    # Small whole numbers: float32 adds them exactly, so that every difference is an error.
    a, b = rng.integers(0, 10, (2, n, n)).astype(np.float32)
    return Case((n // block, n // block), (block, block), [a, b], n, a @ b)


def count_digits(rng: np.random.Generator, n: int, block: int) -> Case:
    x = rng.integers(0, 1000, n, np.int32)
    blocks = -(-n // block)
    counts = np.bincount(np.arange(n) // block * 10 + x % 10, minlength=10 * blocks)
    return Case((blocks,), (block,), [x], n, counts.astype(np.int32))


#: file in book/kernels, its barriers, how to make a case, and the (n, block) to measure
KERNELS: list[tuple[str, int, Callable[[np.random.Generator, int, int], Case], list[tuple[int, int]]]] = [
    ("barriers/neighbor_update.cu", 1, neighbor_update, [(n, b) for n in (*SMALL, LARGE) for b in BLOCKS]),
    ("rotate_rounds.cu", 2, rotate_rounds, [(1, 128), (2, 128), (100, 128), (10_000, 128)]),
    ("gemm_square_tiles.cu", 2, gemm, [(n, 16) for n in (16, 64, 112, 1008, 2048)]),
    ("barriers/count_digits.cu", 2, count_digits, [(n, b) for n in (*SMALL, LARGE) for b in BLOCKS]),
]


def measure(kernel: Loaded, case: Callable[[], Case]) -> Row:
    passes = 0
    for _ in range(RUNS):
        c = case()
        # -1 is never a right answer of these kernels: an element that nobody writes is wrong.
        out = cp.full(c.expected.shape, -1, c.expected.dtype)
        args = (*map(cp.asarray, c.inputs), out, np.int32(c.n))
        kernel(c.grid, c.block, args, shared_mem=c.shared_mem)
        passes += bool(np.allclose(out.get(), c.expected))
    launch = partial(kernel, c.grid, c.block, args, c.shared_mem)
    times = [1000 * by_events(launch) for _ in range(WARM_UPS + TIMINGS)][WARM_UPS:]
    spread = {"median_us": np.median(times), "min_us": min(times), "max_us": max(times)}
    return {"runs": RUNS, "passes": passes, **{key: f"{value:.2f}" for key, value in spread.items()}}


def rows() -> Iterator[Row]:
    rng = np.random.default_rng()
    for file, barriers, make, sizes in KERNELS:
        for removed in range(barriers + 1):
            kernel = Loaded(file, removed)
            for n, block in sizes:
                result = measure(kernel, partial(make, rng, n, block))
                assert removed or result["passes"] == RUNS, "the whole kernel must always pass"
                yield {"kernel": Path(file).stem, "barrier_removed": removed, "n": n, "block": block, **result}


if __name__ == "__main__":
    write("barriers", rows(), machine())
