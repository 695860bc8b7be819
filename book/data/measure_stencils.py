"""Does shared memory make a blur faster, what does fusing gain, and how often does a GPU hide the mistakes?

Run it on a machine with an NVIDIA GPU and CuPy: `python book/data/measure_stencils.py`. It takes some 40 seconds and
writes stencils_<gpu>.csv beside itself. The column `experiment` tells its tables apart:

- blur: lecture L2's blur of n doubles, with and without shared memory and L1 cache, beside a copy of the row.
- twice: two of these blurs, in two launches and in one.
- heat: one step of the chapter's own kernel on n floats, with and without shared memory, L1 cache and wide accesses.
- steps: `steps` steps, in as many launches (heat, heat_wide) and in one, with one element a thread and with four.
  `fetched`: elements loaded for each that is stored. `over_wide`: how many times as fast as that many launches of
  heat_wide.
- box: sums over (2 radius + 1)^2 elements of a picture of n x n floats, with and without a tile, and in two steps.
  "known": the source says which radius, not the launch.
- hidden: `passes` of `runs` launches, each with fresh input, gave the right result, though the kernel has a mistake.

`gbps` are the bytes of one reading and one writing of the data. `ratio` is how many times as fast as the first kernel
of the same table at the same size, whose launches take turns with those of the others.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import cupy as cp
import numpy as np
from measuring import Cell, Loaded, Row, Timer, compiled, machine, random, summary, write
from places import KERNELS

PASSES = 30
BLOCK = 256
SLACK = 2 * BLOCK  # elements behind a row that a wrong kernel may read

Launch = Callable[[], object]


def row(experiment: str, kernel: str, n: int, **more: Cell) -> Row:
    columns = "steps radius fetched removed runs passes median_ms spread_ms ratio over_wide gbps"
    return {"experiment": experiment, "kernel": kernel, "n": n, **dict.fromkeys(columns.split(), ""), **more}


def blocks(n: int) -> tuple[int]:
    return (-(-n // BLOCK),)


def compared(timer: Timer, runs: int, launches: dict[str, Launch], moved: int) -> Iterator[tuple[str, Row]]:
    """For each launch its name and the columns of its times; `moved` are the bytes that `gbps` counts."""
    series = timer.series(runs, *launches.values())
    first = float(np.median(series[0]))
    for name, times in zip(launches, series, strict=True):
        median = float(np.median(times))
        yield name, {**summary(times), "ratio": f"{first / median:.2f}", "gbps": f"{moved / median / 1e6:.0f}"}


def blurred(x: Any) -> Any:
    """One blur by CuPy: two elements fewer."""
    return 0.25 * (x[:-2] + 2 * x[1:-1] + x[2:])


def lecture(timer: Timer) -> Iterator[Row]:
    plain, shared = Loaded("lectures/blur.cu"), Loaded("lectures/blur_shared.cu")
    fused, past = Loaded("lectures/blur_twice.cu"), Loaded("stencils/blur_past_l1.cu")
    for n in (1 << 20, 1 << 24, 1 << 27):
        x = cp.random.standard_normal(n)
        once, twice, copied = cp.zeros(n), cp.zeros(n), cp.empty(n)

        def launch(kernel: Any, elements: int, a: Any, b: Any, n: int = n) -> None:
            kernel(blocks(n), (BLOCK,), (a, b, np.int32(n)), 8 * elements)

        def two(kernel: Any, elements: int, launch: Any = launch, a: Any = x, b: Any = once, c: Any = twice) -> None:
            launch(kernel, elements, a, b)
            launch(kernel, elements, b, c)

        first: dict[str, Launch] = {
            "blur": partial(launch, plain, 0, x, once),
            "blur_shared": partial(launch, shared, BLOCK + 2, x, once),
            "blur_past_l1": partial(launch, past, 0, x, once),
        }
        second: dict[str, Launch] = {
            "blur, two launches": partial(two, plain, 0),
            "blur_shared, two launches": partial(two, shared, BLOCK + 2),
            "blur_twice": partial(launch, fused, BLOCK + 4, x, twice),
        }
        for name, call in first.items():
            once.fill(0)
            call()
            assert bool(cp.allclose(once[1:-1], blurred(x))), name
        for name, call in second.items():
            twice.fill(0)
            call()
            assert bool(cp.allclose(twice[2:-2], blurred(blurred(x)))), name
        copy: dict[str, Launch] = {"copy": partial(cp.copyto, copied, x)}
        for name, columns in compared(timer, 25, first | copy, 2 * x.nbytes):
            yield row("blur", name, n, **columns)
        for name, columns in compared(timer, 25, second, 2 * x.nbytes):
            yield row("twice", name, n, **columns)


def stepped(x: Any, steps: int) -> Any:
    """Steps of heat in a ring, by CuPy in float64."""
    x = x.astype(cp.float64)
    for _ in range(steps):
        x = 0.5 * x + 0.25 * (cp.roll(x, 1) + cp.roll(x, -1))
    return x


def one_step(timer: Timer) -> Iterator[Row]:
    names = ("heat", "heat_tile", "heat_tile_loads_first", "heat_past_l1", "heat_wide")
    kernels = {name: Loaded(f"stencils/{name}.cu") for name in names}
    for n in (1 << 20, 1 << 24, 1 << 28):
        x, out = random(n), cp.empty(n, cp.float32)
        args = (x, out, np.int32(n))
        launches: dict[str, Launch] = {
            name: partial(kernel, blocks(n // 4 if name == "heat_wide" else n), (BLOCK,), args, 4 * (BLOCK + 2))
            for name, kernel in kernels.items()
        }
        for name, launch in launches.items():
            out.fill(cp.nan)
            launch()
            assert float(cp.abs(out - stepped(x, 1)).max()) < 1e-5, name
        for name, columns in compared(timer, 25, launches, 2 * x.nbytes):
            yield row("heat", name, n, **columns)


def many_steps(timer: Timer) -> Iterator[Row]:
    names = ("heat", "heat_wide", "heat_steps", "heat_steps_wide")
    single, wide, fused, fused_wide = (Loaded(f"stencils/{name}.cu") for name in names)

    def apart(kernel: Any, each: int, x: Any, out: Any, between: Any, steps: int) -> None:
        """Launch by launch, back and forth between two arrays, so that the last one writes `out`."""
        source = x
        for left in reversed(range(steps)):
            target = between if left % 2 else out
            kernel(blocks(x.size // each), (BLOCK,), (source, target, np.int32(x.size)))
            source = target

    def together(x: Any, out: Any, steps: int) -> None:
        fused(blocks(x.size), (BLOCK,), (x, out, np.int32(x.size), np.int32(steps)), 8 * (BLOCK + 2 * steps))

    def together_wide(x: Any, out: Any, steps: int) -> None:
        grid = -(-x.size // own_wide(steps))
        fused_wide((grid,), (BLOCK,), (x, out, np.int32(x.size), np.int32(steps)))

    def own_wide(steps: int) -> int:
        """How many of the elements of a block of heat_steps_wide are not halo."""
        return 4 * BLOCK - 2 * (-(-steps // 4) * 4)

    for n in (1 << 22, 1 << 27):
        x, out, between = random(n), cp.empty(n, cp.float32), cp.empty(n, cp.float32)
        expected, done = x, 0
        for steps in (1, 2, 4, 8, 16, 32, 64):
            expected, done = stepped(expected, steps - done), steps
            fetched = {"heat_steps": (BLOCK + 2 * steps) / BLOCK, "heat_steps_wide": 4 * BLOCK / own_wide(steps)}
            launches: dict[str, Launch] = {
                "heat": partial(apart, single, 1, x, out, between, steps),
                "heat_steps": partial(together, x, out, steps),
                "heat_wide": partial(apart, wide, 4, x, out, between, steps),
                "heat_steps_wide": partial(together_wide, x, out, steps),
            }
            for name, launch in launches.items():
                out.fill(cp.nan)
                launch()
                assert float(cp.abs(out - expected).max()) < 1e-5, (name, steps)
            found = dict(compared(timer, 10, launches, 2 * x.nbytes))
            over = float(found["heat_wide"]["median_ms"])
            for name, columns in found.items():
                more = {"fetched": f"{fetched[name]:.2f}"} if name in fetched else {}
                ratio = f"{over / float(columns['median_ms']):.2f}"
                yield row("steps", name, n, steps=steps, over_wide=ratio, **more, **columns)


def known(name: str, radius: int) -> Any:
    """A kernel of the boxes, with the radius as a constant in place of an argument."""
    source = (KERNELS / f"stencils/{name}.cu").read_text()
    assert ", int radius)" in source
    _, function = compiled(f"constexpr int radius = {radius};\n" + source.replace(", int radius)", ")"), name)
    return function


def boxes(timer: Timer) -> Iterator[Row]:
    plain, tile, fused = (Loaded(f"stencils/{name}.cu") for name in ("box", "box_tile", "box_fused"))
    n = 4096
    for radius in (1, 2, 4, 8, 16):
        side = 2 * radius + 1
        x, out = random(n + 2 * radius, n + 2 * radius), cp.empty((n, n), cp.float32)
        down = sum(x[d : d + n].astype(cp.float64) for d in range(side))
        expected = sum(down[:, d : d + n] for d in range(side))
        args = (x, out, np.int32(n), np.int32(radius))
        wide, high = 32 + 2 * radius, 8 + 2 * radius
        launches: dict[str, Launch] = {
            kernel.name: partial(kernel, (n // 32, n // 8), (32, 8), args, shared)
            for kernel, shared in ((plain, 0), (tile, 4 * wide * high), (fused, 4 * 32 * high))
        }
        for name, shared in (("box", 0), ("box_tile", 4 * wide * high), ("box_fused", 4 * 32 * high)):
            kernel = known(name, radius)
            launches[f"{name} known"] = partial(kernel, (n // 32, n // 8), (32, 8), args[:3], shared_mem=shared)
        for name, launch in launches.items():
            out.fill(cp.nan)
            launch()
            assert float(cp.abs(out - expected).max()) < 1e-5 * side * side, (name, radius)
        for name, columns in compared(timer, 10, launches, x.nbytes + out.nbytes):
            yield row("box", name, n, radius=radius, **columns)


def passes(one: Callable[[], bool]) -> dict[str, int]:
    return {"runs": PASSES, "passes": sum(one() for _ in range(PASSES))}


def hidden_heat() -> Iterator[Row]:
    broken = [("tile", 1, 1), ("halo_forgotten", 0, 1), ("steps", 1, 2), ("steps", 1, 8)]
    for name, removed, steps in [("tile", 0, 1), ("steps", 0, 8), *broken]:
        kernel = Loaded(f"stencils/heat_{name}.cu", removed)
        for n in (512, 1000, 1 << 16, 1 << 22):

            def one(kernel: Any = kernel, n: int = n, steps: int = steps) -> bool:
                x, out = random(n), cp.full(n, cp.nan, cp.float32)
                more = (np.int32(steps),) if kernel.name == "heat_steps" else ()
                shared = 8 * (BLOCK + 2 * steps) if more else 4 * (BLOCK + 2)
                kernel(blocks(n), (BLOCK,), (x, out, np.int32(n), *more), shared)
                return float(cp.abs(out - stepped(x, steps)).max()) < 1e-5

            counted = passes(one)
            whole = (name, removed, steps) not in broken
            assert not whole or counted["passes"] == PASSES, "the whole kernel must always pass"
            yield row("hidden", kernel.name, n, removed=removed, steps=steps, **counted)


def hidden_lecture() -> Iterator[Row]:
    told, fixed = Loaded("lectures/blur_twice_as_told.cu"), Loaded("lectures/blur_twice.cu")
    # Blocks are whole if n - 4 is a multiple of BLOCK.
    for kernel in (fixed, told):
        for n in (BLOCK + 4, 100, 1000, 4 * BLOCK + 4, 100_000, 1_000_000):

            def one(kernel: Any = kernel, n: int = n) -> bool:
                x = cp.random.standard_normal(n + SLACK)  # reads past the end stay in this array
                out = cp.zeros(n)
                kernel(blocks(n - 4), (BLOCK,), (x, out, np.int32(n)), 8 * (BLOCK + 4))
                return bool(cp.allclose(out[2:-2], blurred(blurred(x[:n]))))

            counted = passes(one)
            assert kernel is told or counted["passes"] == PASSES, "the whole kernel must always pass"
            yield row("hidden", kernel.name, n, **counted)
    for name in ("blur_shared_block", "blur_shared_block_as_told"):
        kernel = Loaded(f"lectures/{name}.cu", name=f"{name}<130>")
        for n in (128, 100, 33):

            def block(kernel: Any = kernel, n: int = n) -> bool:
                x, out = cp.random.standard_normal(n), cp.zeros(n)
                kernel((1,), (128,), (x, out, np.int32(n)))
                return bool(cp.allclose(out[1:-1], blurred(x)))

            yield row("hidden", name, n, **passes(block))


def rows(timer: Timer) -> Iterator[Row]:
    yield from lecture(timer)
    yield from one_step(timer)
    yield from many_steps(timer)
    yield from boxes(timer)
    yield from hidden_heat()
    yield from hidden_lecture()


def main() -> None:
    write("stencils", rows(Timer()), machine())


if __name__ == "__main__":
    main()
