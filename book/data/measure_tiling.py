"""What do tiles in shared memory gain on a GPU, what do their barriers cost, and how often does it hide a missing one?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_tiling.py`. It takes half a minute and
writes tiling_<gpu>.csv beside itself. The column `experiment` tells its tables apart:

- product: C = A B with n x n matrices, one thread an element, with and without tiles, through the L1 cache and past it.
  `bound_tflops` is lecture L1's bound: (GB/s of a copy, measured in the same run) / 4 bytes x the side of a tile.
- distances, ranks: the chapter's own kernels; n points with 1024 coordinates each, and n elements.
- barriers: lecture L3's kernel with barrier 1, barrier 2 or both taken away.
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
DIMS = 1024  # coordinates of a point
COPIED = 1 << 28  # floats: 1 GiB

Launch = Callable[[], object]


def row(experiment: str, kernel: str, n: int, **more: Cell) -> Row:
    columns = "tile removed runs passes median_ms spread_ms ratio tflops bound_tflops copy_gbps"
    return {"experiment": experiment, "kernel": kernel, "n": n, **dict.fromkeys(columns.split(), ""), **more}


def square(n: int, block: int) -> tuple[int, int]:
    return -(-n // block), -(-n // block)


def timed(timer: Timer, runs: int, launches: dict[str, Launch]) -> Iterator[tuple[str, Row, float]]:
    """For each launch its name, the columns of its times with `ratio`, and its median in milliseconds."""
    series = timer.series(runs, *launches.values())
    first = float(np.median(series[0]))
    for name, times in zip(launches, series, strict=True):
        median = float(np.median(times))
        yield name, {**summary(times), "ratio": f"{first / median:.2f}"}, median


def copy_rate(timer: Timer) -> float:
    """GB/s of a copy of 1 GiB, bytes read and bytes written both counted."""
    source, target = cp.zeros(COPIED, cp.float32), cp.empty(COPIED, cp.float32)
    (times,) = timer.series(10, lambda: cp.copyto(target, source))
    return float(2 * source.nbytes / np.median(times) / 1e6)


#: file, side of a tile (0: none), whether the kernel takes M, N and K, bytes of dynamic shared memory
PRODUCTS = {
    "simple": ("gemm/01_simple.cu", 0, True, 0),
    "tiles sized at launch": ("gemm/02_tiled.cu", 16, True, 2 * 16 * 16 * 4),
    "tiles sized in the text": ("gemm_square_tiles.cu", 16, False, 0),
    "simple past L1": ("tiling/product_past_l1.cu", 0, False, 0),
    "tiles past L1": ("tiling/product_tiles_past_l1.cu", 16, False, 0),
}


def products(timer: Timer) -> Iterator[Row]:
    rate = copy_rate(timer)
    loaded = {name: Loaded(file) for name, (file, *_) in PRODUCTS.items()}
    for n, runs in ((1024, 15), (2048, 15), (4096, 7), (8192, 3)):
        a, b, c = random(n, n), random(n, n), cp.empty((n, n), cp.float32)
        expected = a @ b

        def launch(name: str, n: int = n, a: Any = a, b: Any = b, c: Any = c) -> None:
            _, _, three, shared = PRODUCTS[name]
            sizes = (np.int32(n),) * (3 if three else 1)
            loaded[name](square(n, 16), (16, 16), (a, b, c, *sizes), shared)

        for name in PRODUCTS:
            c.fill(cp.nan)
            launch(name)
            # Sums of n products of normal numbers: errors of float32 grow with the root of n.
            assert float(cp.abs(c - expected).max()) < 1e-5 * n, (name, n)
        calls: dict[str, Launch] = {name: partial(launch, name) for name in PRODUCTS}
        for name, times, median in timed(timer, runs, calls):
            tile = PRODUCTS[name][1]
            bound = {"copy_gbps": f"{rate:.1f}", "bound_tflops": f"{rate / 4 * max(tile, 1) / 1000:.2f}"}
            yield row("product", name, n, tile=tile, tflops=f"{2 * n**3 / median / 1e9:.2f}", **times, **bound)


def distances(timer: Timer) -> Iterator[Row]:
    direct, tiles = Loaded("tiling/distances_direct.cu"), Loaded("tiling/distances_tiles.cu")
    for n in (1000, 2048, 4096):
        p, q, out = random(n, DIMS), random(n, DIMS), cp.empty((n, n), cp.float32)
        args = (p, q, out, np.int32(n), np.int32(n), np.int32(DIMS))
        square_of_p, square_of_q = (p * p).sum(1, dtype=cp.float64), (q * q).sum(1, dtype=cp.float64)
        expected = square_of_p[:, None] + square_of_q - 2 * (p.astype(cp.float64) @ q.astype(cp.float64).T)
        calls: dict[str, Launch] = {
            kernel.name: partial(kernel, square(n, 16), (16, 16), args) for kernel in (direct, tiles)
        }
        for call in calls.values():
            out.fill(cp.nan)
            call()
            assert bool(cp.allclose(out, expected, rtol=1e-4)), n
        for name, times, median in timed(timer, 10, calls):
            # A subtraction, and a multiplication and an addition in one: counted as 3 operations.
            yield row("distances", name, n, tflops=f"{3 * n * n * DIMS / median / 1e9:.2f}", **times)


def right_ranks(x: Any) -> Any:
    """For each element of x, how many are smaller (all differ)."""
    ranks = cp.empty(x.size, cp.int32)
    ranks[cp.argsort(x)] = cp.arange(x.size, dtype=cp.int32)
    return ranks


def distinct(n: int) -> Any:
    """0 to n - 1 in no order, as float32: n is at most 2**24."""
    return cp.random.permutation(n).astype(cp.float32)


def ranks(timer: Timer) -> Iterator[Row]:
    kernels = [Loaded(f"tiling/ranks_{name}.cu") for name in ("direct", "tiles", "any")]
    for n in (1 << 14, 1 << 17):
        x, out = distinct(n), cp.empty(n, cp.int32)
        expected = right_ranks(x)
        args = (x, out, np.int32(n))
        calls: dict[str, Launch] = {kernel.name: partial(kernel, (n // 64,), (64,), args, 64 * 4) for kernel in kernels}
        for name, call in calls.items():
            out.fill(-1)
            call()
            assert cp.array_equal(out, expected), name
        for name, times, _ in timed(timer, 10, calls):
            yield row("ranks", name, n, **times)


def passes(one: Callable[[], bool]) -> dict[str, int]:
    return {"runs": PASSES, "passes": sum(one() for _ in range(PASSES))}


def hidden_ranks() -> Iterator[Row]:
    broken = [("tiles", 0), ("tiles", 1), ("tiles", 2), ("no_fill", 0), ("early_return", 0)]
    for name, removed in broken:
        kernel = Loaded(f"tiling/ranks_{name}.cu", removed)
        # ranks_tiles is for multiples of 64; the others have their mistake at the edge.
        for n in (64, 128, 1024, 65536) if name == "tiles" else (40, 100, 1000, 65500):

            def one(kernel: Any = kernel, n: int = n) -> bool:
                x, out = distinct(n), cp.full(n, -1, cp.int32)
                kernel((-(-n // 64),), (64,), (x, out, np.int32(n)))
                return bool(cp.array_equal(out, right_ranks(x)))

            counted = passes(one)
            assert name != "tiles" or removed or counted["passes"] == PASSES, "the whole kernel must always pass"
            yield row("hidden", kernel.name, n, removed=removed, **counted)


def barriers(timer: Timer) -> Iterator[Row]:
    file = "lectures/tiled_matrix_mul_sync.cu"
    variants = {
        "both barriers": Loaded(file),
        "without barrier 1": Loaded(file, 1),
        "without barrier 2": Loaded(file, 2),
        "without both": Loaded("lectures/tiled_matrix_mul_no_sync.cu"),
    }
    for n in (16, 64, 100, 1000, 1024, 4096):
        args: list[Any] = []
        counted = {}
        for name, kernel in variants.items():

            def one(kernel: Any = kernel, n: int = n, args: list[Any] = args) -> bool:
                # Small whole numbers: float32 adds them exactly, so that every difference is an error.
                a, b = cp.random.randint(0, 10, (2, n, n)).astype(cp.float32)
                c = cp.full((n, n), -1, cp.float32)
                args[:] = a, b, c, np.int32(n)
                kernel(square(n, 16), (16, 16), tuple(args))
                return bool(cp.array_equal(c, a @ b))

            counted[name] = passes(one) if n < 4096 else {}
        assert n == 4096 or counted["both barriers"]["passes"] == PASSES, "the whole kernel must always pass"
        if n == 4096:
            args[:] = random(n, n), random(n, n), cp.empty((n, n), cp.float32), np.int32(n)
        calls: dict[str, Launch] = {
            name: partial(kernel, square(n, 16), (16, 16), tuple(args)) for name, kernel in variants.items()
        }
        for name, times, _ in timed(timer, 20 if n < 4096 else 7, calls):
            # `runs` counts compared launches if there are any, and timed ones otherwise.
            yield row("barriers", name, n, **{**times, **counted[name]})


def rows(timer: Timer) -> Iterator[Row]:
    yield from barriers(timer)
    yield from hidden_ranks()
    yield from ranks(timer)
    yield from distances(timer)
    yield from products(timer)


def main() -> None:
    write("tiling", rows(Timer()), machine())


if __name__ == "__main__":
    main()
