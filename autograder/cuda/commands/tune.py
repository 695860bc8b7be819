"""`autograder tune gemm`: which tiles make the course's fastest matrix product fastest on this GPU, and when?

The kernel's text declares its sizes as `constexpr int`. Here each tile of TILES replaces them, and the kernel is
compiled and timed. A tile's costs are saved under the GPU's name: its start, a phase, and the sharing of tiles among
blocks. From these `gemm_tiles.choose` picks a tile and a number of blocks for any matrices.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..backends import gpu
from ..core.launch import Launch, Series
from ..core.run import TimedRun
from ..errors import GraderFault, UsageError
from ..kernel import Kernel
from ..nvrtc import compiler as nvrtc
from ..performance import measurements
from ..performance.gemm_tiles import SIZES, Sizes, Tile, launch_words, phases, with_sizes, workspace

KERNEL = Path("book/kernels/gemm/12_stream_k.cu")
RESULTS = Path("book/data")
#: How many launches are timed.
ROUNDS = 15
#: The depths K of the products that are timed; their difference shows what a phase takes.
SHALLOW, DEEP = 512, 2048
#: The most blocks that share a tile.
MANY = 16

#: Tiles that were best for some matrices on some GPU, from small to large: their `gemm_tiles.SIZES` except WIDE.
TILES = (
    (32, 64, 32, 1, 1, 8, 4, 4, 1, 8),
    (64, 64, 32, 2, 1, 4, 4, 3, 1, 8),
    (96, 48, 32, 3, 1, 4, 8, 3, 1, 8),
    (64, 128, 16, 2, 2, 1, 4, 3, 2, 8),
    (64, 128, 32, 2, 2, 2, 4, 3, 1, 8),
    (128, 80, 16, 4, 1, 2, 8, 3, 1, 8),
    (64, 256, 16, 2, 4, 1, 4, 3, 1, 8),
    (128, 192, 16, 4, 2, 1, 4, 3, 1, 8),
    (128, 256, 8, 2, 4, 1, 4, 3, 1, 8),
)

Time = Callable[[Sequence[Series], int], tuple[tuple[TimedRun, ...], ...]]


def add_command(commands: Any) -> None:
    """Add `tune` to the subparsers `commands` of the command line."""
    tune = commands.add_parser("tune", help="find the fastest tiles for this machine's GPU")
    tune.add_argument("kernel", choices=["gemm"])
    tune.set_defaults(command=_tune)


def _tune(options: argparse.Namespace) -> int:
    if not KERNEL.is_file():
        raise UsageError(f"There is no {KERNEL} here: run this in the course's repository.")
    name = gpu.device_name()
    cuda = "{}.{}".format(*nvrtc.version())  # the CUDA version that compiles
    origin = measurements.origin("autograder tune gemm", device=name, driver=measurements.driver(), cuda=cuda)
    path = RESULTS / measurements.file_name("tuned", name)
    measurements.write(path, tune_gemm(KERNEL.read_text(), gpu.processors()), origin)
    print(f"wrote {path}")
    return 0


class Bench:
    """Times the kernel, for tiles that keep every multiprocessor busy.

    Args:
        source: the kernel's text.
        processors: the GPU's multiprocessors.
        time: times launches, as `gpu.time`.
    """

    def __init__(self, source: str, processors: int, time: Time = gpu.time) -> None:
        self._source, self._processors, self._time = source, processors, time

    def took(self, sizes: Sizes, depth: int, blocks: int = 1, shared: int = 1) -> float:
        """Microseconds of a product in which every block has one tile's phases for this depth.

        Each `blocks` blocks share `shared` tiles. There are fewer tiles than blocks by that factor, and they are deeper
        by it.

        Raises:
            GraderFault: the product is wrong.
        """
        groups = sizes["BLOCKS"] * self._processors // blocks
        all_tiles = groups * shared
        down = max(n for n in range(1, math.isqrt(all_tiles) + 1) if all_tiles % n == 0)
        rows, cols, depth = down * sizes["BM"], all_tiles // down * sizes["BN"], depth * blocks // shared
        if sizes["WIDE"] == 1:
            cols, depth = cols - 1, depth - 1  # so that rows of A, B and C begin anywhere
        launch = self._launch(sizes, rows, cols, depth, groups * blocks)
        ((timed,),) = self._time([Series([launch])], ROUNDS)
        if timed.run.completed:
            a, b, c = timed.run.outputs[:3]
            picked = np.random.default_rng(2).integers(0, rows, 64)
            if np.allclose(c[picked], a[picked] @ b, rtol=0, atol=1e-5 * depth):
                return 1000 * float(np.median(timed.times))
        raise GraderFault(f"The product with tiles of {sizes['BM']} x {sizes['BN']} is wrong on this GPU.")

    def _launch(self, sizes: Sizes, rows: int, cols: int, depth: int, grid: int) -> Launch:
        rng = np.random.default_rng(1)
        a = rng.standard_normal((rows, depth), dtype=np.float32)
        b = rng.standard_normal((depth, cols), dtype=np.float32)
        partial, arrived = workspace(sizes, rows, cols, grid)
        arguments = [a, b, np.full((rows, cols), np.nan, np.float32), rows, cols, depth]
        arguments += [np.zeros(partial, np.float32), np.zeros(arrived, np.int32)]
        words = launch_words(sizes, rows, cols, grid)
        text = with_sizes(self._source, sizes)
        kernel = Kernel(text, "gemm_stream_k")
        return kernel.prepare(words["grid"], words["block"], arguments, words["shared_mem"])


def measured(bench: Bench, sizes: Sizes) -> Tile:
    """Return what a tile costs: see `Tile`."""
    shallow, deep = bench.took(sizes, SHALLOW), bench.took(sizes, DEEP)
    each = (deep - shallow) / (phases(sizes, DEEP) - phases(sizes, SHALLOW))
    two, many = bench.took(sizes, SHALLOW, 2), bench.took(sizes, SHALLOW, MANY)
    # Three blocks share two tiles: each tile has two blocks, and one of the blocks has a third of both.
    pieces = bench.took(sizes, SHALLOW, 3, 2)
    start = shallow - each * phases(sizes, SHALLOW)
    return Tile(sizes, start, each, two - shallow, (many - two) / (MANY - 2), pieces - two)


def tune_gemm(
    source: str, processors: int, time: Time = gpu.time, say: Callable[[str], None] = print
) -> Iterator[dict[str, Any]]:
    """Measure what each tile costs, in the form that is saved.

    Args:
        source: the kernel's text.
        processors: the GPU's multiprocessors.
        time: times launches of the kernel.
        say: called with a line for every tile.

    A tile that does not fit on this GPU is left out.

    Raises:
        GraderFault: a tile gives a wrong result.
    """
    bench = Bench(source, processors, time)
    for tile in TILES:
        for wide in (4, 1):
            sizes = dict(zip(SIZES, (*tile, wide), strict=True))
            try:
                found = measured(bench, sizes)
            except UsageError as error:  # more shared memory than this GPU has
                say(f"tile {sizes['BM']} x {sizes['BN']}: {error}")
                continue
            operations = 2 * sizes["BM"] * sizes["BN"] * sizes["BK"] * sizes["BLOCKS"] * processors
            row = {
                **sizes,
                "start_us": f"{found.start_us:.2f}",
                "phase_us": f"{found.phase_us:.4f}",
                "share_us": f"{found.share_us:.2f}",
                "more_us": f"{found.more_us:.3f}",
                "piece_us": f"{found.piece_us:.2f}",
                "tflops": f"{operations / found.phase_us / 1e6:.2f}",
            }
            say("   ".join(f"{name} {value}" for name, value in row.items()))
            yield row
