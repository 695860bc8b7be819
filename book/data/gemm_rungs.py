"""The ladder of matrix products in book/kernels/gemm, from the simple to the tuned one: how each is launched."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from autograder.cuda.performance import gemm_tiles, measurements
from autograder.cuda.performance.gemm_tiles import Tile

FOLDER = Path(__file__).resolve().parents[1] / "kernels" / "gemm"
#: The costs of each tile of the last rung on an H200, and that GPU's multiprocessors.
TILES = gemm_tiles.table(measurements.read(Path(__file__).with_name("tuned_nvidia_h200.csv")))
PROCESSORS = 132
#: Lines of a file that say how the emulator runs it; the kernel's text follows.
HEADER_LINES = 3
#: The blocks of the first rungs have m x m threads. These are the values of m that are measured.
SIDES = (16, 32)


@dataclass(frozen=True)
class Rung:
    """One kernel of the ladder. `source` is its text.

    The blocks of the first four have m x m threads, and `rows` x `cols` of C for each thread; all other
    sizes are constants of the text.
    """

    file: str
    name: str
    source: str
    rows: int = 0
    cols: int = 0
    tiles: int = 0  # m x m tiles in shared memory
    grid: int = 0  # blocks of the last one; 0 for one for each tile

    @property
    def number(self) -> int:
        """Its position on the ladder, from 1."""
        return int(self.file[:2])

    @property
    def has_m(self) -> bool:
        return self.rows > 0

    @property
    def sides(self) -> tuple[int, ...]:
        """The values of m with which the rung is measured; 0 if it has none."""
        return SIDES if self.has_m else (0,)

    def launch(self, rows: int, cols: int, m: int = 16) -> dict[str, Any]:
        """`grid`, `block` and `shared_mem` (bytes) for a C of rows x cols."""
        if self.has_m:
            grid = -(-cols // (m * self.cols)), -(-rows // (m * self.rows))
            return {"grid": grid, "block": (m, m), "shared_mem": 4 * m * m * self.tiles}
        sizes = gemm_tiles.sizes_in(self.source)
        if "SLICES" in sizes:
            return gemm_tiles.launch_words(sizes, rows, cols, self.grid)
        across, down = -(-cols // sizes["BN"]), -(-rows // sizes["BM"])
        if "WARPS_M" not in sizes:
            threads = sizes["BM"] * sizes["BN"] // (sizes["TM"] * sizes["TN"])
            return {"grid": (across, down), "block": threads, "shared_mem": 0}
        words = sizes["STAGES"] * sizes["BK"] * (sizes["BM"] + 4 + sizes["BN"])
        threads = 32 * sizes["WARPS_M"] * sizes["WARPS_N"]
        return {"grid": across * down, "block": threads, "shared_mem": 4 * words}

    def workspace(self, rows: int, cols: int) -> tuple[int, ...]:
        """The lengths of the arrays after K, for a C of rows x cols: none, or those of `gemm_tiles.workspace`."""
        sizes = gemm_tiles.sizes_in(self.source)
        if "SLICES" not in sizes:
            return ()
        return gemm_tiles.workspace(sizes, rows, cols, self.launch(rows, cols)["grid"])

    def arguments(self, a: np.ndarray, b: np.ndarray) -> list[Any]:
        """The kernel's arguments for C = a b on the emulator: C is NaN at first."""
        rows, cols = a.shape[0], b.shape[1]
        args: list[Any] = [a, b, np.full((rows, cols), np.nan, np.float32), rows, cols, a.shape[1]]
        if lengths := self.workspace(rows, cols):
            args += np.full(lengths[0], np.nan, np.float32), np.zeros(lengths[1], np.int32)
        return args

    def fitted(
        self, rows: int, cols: int, depth: int, tiles: Sequence[Tile] = TILES, processors: int = PROCESSORS
    ) -> "Rung":
        """The rung for such a product: the last one with the tile and the blocks that `tiles` make fastest."""
        if "SLICES" not in gemm_tiles.sizes_in(self.source):
            return self
        return self.sized(*gemm_tiles.choose(tiles, rows, cols, depth, processors))

    def sized(self, sizes: gemm_tiles.Sizes, grid: int) -> "Rung":
        """The last rung with these sizes, and `grid` blocks."""
        return replace(self, source=gemm_tiles.with_sizes(self.source, sizes), grid=grid)


def _read(path: Path) -> Rung:
    source = "".join(path.read_text().splitlines(keepends=True)[HEADER_LINES:])
    (name,) = re.findall(r"__global__ void (\w+)", source)
    threads = {"gemm_simple": (1, 1, 0), "gemm_tiled": (1, 1, 2), "gemm_1x2": (1, 2, 3), "gemm_2x2": (2, 2, 4)}
    return Rung(path.stem, name, source, *threads.get(name, ()))


#: From the lowest to the highest.
RUNGS = [_read(path) for path in sorted(FOLDER.glob("*.cu"))]
