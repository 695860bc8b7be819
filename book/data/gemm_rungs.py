"""The ladder of matrix products in book/kernels/gemm, from the simple one to the tuned one: how each is launched."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.commands.tune import launch_words, sizes_in

FOLDER = Path(__file__).resolve().parents[1] / "kernels" / "gemm"
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

    @property
    def number(self) -> int:
        """Its place on the ladder, from 1."""
        return int(self.file[:2])

    @property
    def has_m(self) -> bool:
        return self.rows > 0

    @property
    def sides(self) -> tuple[int, ...]:
        """The values of m that the rung is measured with; 0 where it has none."""
        return SIDES if self.has_m else (0,)

    def launch(self, rows: int, cols: int, m: int = 16) -> dict[str, Any]:
        """`grid`, `block` and `shared_mem` (bytes) for a C of rows x cols."""
        if self.has_m:
            grid = -(-cols // (m * self.cols)), -(-rows // (m * self.rows))
            return {"grid": grid, "block": (m, m), "shared_mem": 4 * m * m * self.tiles}
        sizes = sizes_in(self.source)
        if "WARPS_M" in sizes:
            return launch_words(sizes, rows, cols)
        grid = -(-cols // sizes["BN"]), -(-rows // sizes["BM"])
        return {"grid": grid, "block": sizes["BM"] * sizes["BN"] // (sizes["TM"] * sizes["TN"]), "shared_mem": 0}


def _read(path: Path) -> Rung:
    source = "".join(path.read_text().splitlines(keepends=True)[HEADER_LINES:])
    (name,) = re.findall(r"__global__ void (\w+)", source)
    threads = {"gemm_simple": (1, 1, 0), "gemm_tiled": (1, 1, 2), "gemm_1x2": (1, 2, 3), "gemm_2x2": (2, 2, 4)}
    return Rung(path.stem, name, source, *threads.get(name, ()))


#: From the lowest to the highest.
RUNGS = [_read(path) for path in sorted(FOLDER.glob("*.cu"))]
