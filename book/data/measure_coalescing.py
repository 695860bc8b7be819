"""What does it cost on a GPU if the lanes of a warp do not touch neighbors?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_coalescing.py`. It takes half a minute and
writes coalescing_<gpu>.csv beside itself. The column `experiment` tells its tables apart, `what` their rows.

`gbps` counts the bytes that the kernel needs, once each: those that it must read and those that it writes.
`times` is its time divided by that of the first row of the experiment; launches of one experiment take turns.
`sectors` is how many sectors one load of a warp moves, on average, counted by Nsight Compute for the same kernel
(counts_<gpu>.csv); empty where it was not counted.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from measuring import Loaded, Row, Timer, machine, random, summary, write
from places import DATA

from autograder.cuda.performance import measurements

Launch = Callable[[], object]
#: What is timed, by name: the launch, and the bytes that it needs.
Timed = dict[str, tuple[Launch, int]]
BLOCK = 256


def sectors() -> dict[tuple[str, str], str]:
    """Sectors of a load, by (kernel, launch), from the counts of Nsight Compute."""
    (path,) = DATA.glob("counts_nvidia_*.csv")
    found = [row for row in measurements.read(path) if row["build"] == "optimized"]
    return {
        (row["kernel"], row["launch"]): f"{int(row['global_load_sectors']) / int(row['global_load_requests']):g}"
        for row in found
        if int(row["global_load_requests"])
    }


def rows_of(
    experiment: str, timer: Timer, runs: int, timed: Timed, counted: dict[str, str] | None = None
) -> Iterator[Row]:
    series = timer.series(runs, *(launch for launch, _ in timed.values()))
    first = float(np.median(series[0]))
    for (what, (_, used)), times in zip(timed.items(), series, strict=True):
        median = float(np.median(times))
        yield {
            "experiment": experiment,
            "what": what,
            "sectors": (counted or {}).get(what, ""),
            **summary(times),
            "gbps": f"{used / median / 1e6:.0f}",
            "times": f"{median / first:.2f}",
        }


def blocks(n: int) -> tuple[int]:
    return (-(-n // BLOCK),)


def checked(launch: Launch, out: Any, expected: Any) -> Launch:
    """`launch`, after one call of it has put `expected` into `out`."""
    out.fill(0)
    launch()
    assert cp.array_equal(out, expected) or bool(cp.allclose(out, expected, rtol=1e-4, atol=1e-3))
    return launch


def strides(timer: Timer) -> Iterator[Row]:
    n, steps = 1 << 24, (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
    x, out, kernel, counts = random(n * steps[-1]), cp.empty(n, cp.float32), Loaded("access/copy_strided.cu"), sectors()
    timed: Timed = {}
    for step in steps:
        launch = partial(kernel, blocks(n), (BLOCK,), (x, out, np.int32(step)))
        timed[str(step)] = checked(launch, out, x[: n * step : step]), 8 * n
    yield from rows_of("stride", timer, 20, timed, {str(s): counts["copy_strided", f"stride={s}"] for s in steps})


def offsets(timer: Timer) -> Iterator[Row]:
    n, starts = 1 << 27, (0, 1, 4, 8, 16, 24, 31, 32)
    x, out, kernel, counts = random(n + 32), cp.empty(n, cp.float32), Loaded("access/copy_offset.cu"), sectors()
    timed: Timed = {}
    for start in starts:
        launch = partial(kernel, blocks(n), (BLOCK,), (x, out, np.int32(start)))
        timed[str(start)] = checked(launch, out, x[start : start + n]), 8 * n
    yield from rows_of(
        "offset", timer, 20, timed, {str(s): counts.get(("copy_offset", f"offset={s}"), "") for s in starts}
    )


def widths(timer: Timer) -> Iterator[Row]:
    size = 1 << 29
    x, out, counts = cp.random.randint(0, 256, size, cp.uint8), cp.empty(size, cp.uint8), sectors()
    files = {1: "copy_uchar", 2: "copy_short", 4: "copy_offset", 8: "copy_double", 16: "copy_float4"}
    timed: Timed = {}
    for width, name in files.items():
        more = (np.int32(0),) if name == "copy_offset" else ()
        kernel = Loaded(f"access/{name}.cu")
        launch = lambda kernel=kernel, width=width, more=more: kernel(  # noqa: E731
            blocks(size // width), (BLOCK,), (x, out, *more)
        )
        timed[str(width)] = checked(launch, out, x), 2 * size
    counted = {str(w): counts[name, "offset=0" if name == "copy_offset" else ""] for w, name in files.items()}
    yield from rows_of("width", timer, 20, timed, counted)


def structs(timer: Timer) -> Iterator[Row]:
    n = 1 << 26
    x, out = random(n, 4), cp.empty(n, cp.float32)
    vx, vy = x[:, 2].copy(), x[:, 3].copy()
    of_structs, of_arrays = Loaded("coalescing/speed_structs.cu"), Loaded("coalescing/speed_arrays.cu")
    calls: dict[str, Launch] = {
        "arrays": lambda: of_arrays(blocks(n), (BLOCK,), (vx, vy, out)),
        "array of structs": lambda: of_structs(blocks(n), (BLOCK,), (x, out)),
    }
    timed: Timed = {k: (checked(call, out, cp.hypot(vx, vy)), 12 * n) for k, call in calls.items()}
    yield from rows_of("two of four", timer, 20, timed)

    whole = cp.empty_like(x)
    flat, plain = Loaded("access/aos_aligned.cu"), Loaded("access/aos_whole.cu")
    calls = {
        "aligned struct": lambda: flat(blocks(n), (BLOCK,), (x, whole)),
        "plain struct": lambda: plain(blocks(n), (BLOCK,), (x, whole)),
    }
    counts = sectors()
    timed = {k: (checked(call, whole, x), 2 * x.nbytes) for k, call in calls.items()}
    counted = {"aligned struct": counts["aos_aligned", ""], "plain struct": counts["aos_whole", ""]}
    yield from rows_of("whole struct", timer, 20, timed, counted)


def sums(timer: Timer) -> Iterator[Row]:
    long, short = 1 << 18, 1 << 10
    x, out = random(long, short), cp.empty(long, cp.float32)
    sideways = cp.ascontiguousarray(x.T)
    columns, rows, tile = (Loaded(f"coalescing/{name}.cu") for name in ("column_sums", "row_sums", "row_sums_tile"))
    calls: dict[str, Launch] = {
        "columns": lambda: columns(blocks(long), (BLOCK,), (sideways, out, np.int32(short), np.int32(long))),
        "rows": lambda: rows(blocks(long), (BLOCK,), (x, out, np.int32(short))),
        "rows through a tile": lambda: tile((long // 32,), (32,), (x, out, np.int32(short))),
    }
    expected = x.sum(1, dtype=cp.float64)
    yield from rows_of("sums", timer, 10, {k: (checked(c, out, expected), x.nbytes) for k, c in calls.items()})


def transposes(timer: Timer) -> Iterator[Row]:
    n = 1 << 14
    x, out = random(n, n), cp.empty((n, n), cp.float32)
    store, load, tile, padded = (
        Loaded(f"access/transpose_{name}.cu") for name in ("strided_store", "strided_load", "shared", "shared_padded")
    )
    four, wide = Loaded("coalescing/transpose_four.cu"), Loaded("memory/transpose.cu")
    grid, args = (n // 32, n // 32), (x, out, np.int32(n))
    calls: dict[str, Launch] = {
        "reads rows and writes columns": lambda: store(grid, (32, 8), args),
        "reads columns and writes rows": lambda: load(grid, (32, 8), args),
        "tile of 32 x 32 and 1024 threads": lambda: tile(grid, (32, 32), args),
        "tile of 32 x 33 and 1024 threads": lambda: padded(grid, (32, 32), args),
        "tile of 32 x 33 and 256 threads": lambda: four(grid, (32, 8), (*args, np.int32(n))),
        "tile of 64 x 65 in pieces of 16 bytes": lambda: wide((n // 64, n // 64), (16, 16), (*args, np.int32(n))),
    }
    timed: Timed = {"copy": (lambda: cp.copyto(out, x), 2 * x.nbytes)}
    timed |= {what: (checked(call, out, x.T), 2 * x.nbytes) for what, call in calls.items()}
    yield from rows_of("transpose", timer, 10, timed)


def chunks(timer: Timer) -> Iterator[Row]:
    n = 1 << 28
    x = cp.ones(n, cp.float32)
    turns, pieces = Loaded("coalescing/brighten_turns.cu"), Loaded("coalescing/brighten_chunks.cu")
    for kernel in (turns, pieces):
        x.fill(1)
        kernel(blocks(n // 8), (BLOCK,), (x, np.int32(n)))
        assert bool((x == 2).all())
    x.fill(0)  # so that doubling does not overflow
    timed: Timed = {
        "turns": (lambda: turns(blocks(n // 8), (BLOCK,), (x, np.int32(n))), 2 * x.nbytes),
        "chunks": (lambda: pieces(blocks(n // 8), (BLOCK,), (x, np.int32(n))), 2 * x.nbytes),
    }
    yield from rows_of("chunks", timer, 10, timed)


def orders(timer: Timer) -> Iterator[Row]:
    n, kernel = 1 << 27, Loaded("coalescing/gather.cu")
    x, out = random(n), cp.empty(n, cp.float32)
    line = cp.arange(n, dtype=cp.int32)
    mixed = cp.arange(1024, dtype=cp.int32)
    cp.random.shuffle(mixed)
    lists = {
        "in order": line,
        "backwards": line[::-1].copy(),
        "shuffled within each warp": line & ~31 | cp.asarray(mixed[mixed < 32])[line & 31],
        "shuffled within each 1024": line & ~1023 | mixed[line & 1023],
        "shuffled": cp.random.permutation(n).astype(cp.int32),
    }
    timed: Timed = {}
    for what, places in lists.items():
        launch = partial(kernel, blocks(n), (BLOCK,), (x, places, out))
        timed[what] = checked(launch, out, x[places]), 12 * n
    yield from rows_of("order", timer, 10, timed)


def downsample(timer: Timer) -> Iterator[Row]:
    n, kept = 1 << 29, (1, 2, 4, 8, 16, 32)
    x, out, plain = random(n), cp.empty(n, cp.float32), Loaded("access/copy_strided.cu")
    timed: Timed = {}
    for step in kept:
        shared = Loaded("lectures/downsample.cu", name=f"downsample<{BLOCK}, {step}>")
        part, grid = out[: n // step], blocks(n // step)
        calls: dict[str, Launch] = {
            f"{step}": partial(shared, grid, (BLOCK,), (x, part, np.int32(n))),
            f"{step} plain": partial(plain, grid, (BLOCK,), (x, part, np.int32(step))),
        }
        for what, call in calls.items():
            timed[what] = checked(call, part, x[::step]), 8 * (n // step)
    yield from rows_of("downsample", timer, 10, timed)


def products(timer: Timer) -> Iterator[Row]:
    n = 2048
    a, b, c = random(n, n), random(n, n), cp.empty((n, n), cp.float32)
    naive, swapped = Loaded("access/gemm_naive.cu"), Loaded("access/gemm_swapped.cu")
    counts, args, grid = sectors(), (a, b, c, np.int32(n)), (n // 16, n // 16)
    calls: dict[str, Launch] = {
        "threadIdx.x counts columns": lambda: naive(grid, (16, 16), args),
        "threadIdx.x counts rows": lambda: swapped(grid, (16, 16), args),
    }
    expected = a @ b
    counted = {what: counts[name, ""] for what, name in zip(calls, ("gemm_naive", "gemm_swapped"), strict=True)}
    timed: Timed = {}
    for what, call in calls.items():
        c.fill(cp.nan)
        call()
        assert float(cp.abs(c - expected).max()) < 1e-5 * n
        timed[what] = call, 3 * a.nbytes
    yield from rows_of("product", timer, 10, timed, counted)


def rows(timer: Timer) -> Iterator[Row]:
    for part in (strides, offsets, widths, structs, sums, transposes, chunks, orders, downsample, products):
        yield from part(timer)
        cp.get_default_memory_pool().free_all_blocks()


def main() -> None:
    write("coalescing", rows(Timer()), machine())


if __name__ == "__main__":
    main()
