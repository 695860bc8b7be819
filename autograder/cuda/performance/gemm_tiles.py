"""The course's fastest matrix product: the sizes that its text declares, and how to launch it with them.

Sizes are the `constexpr int` of book/kernels/gemm/12_stream_k.cu, by name. The best ones depend on the matrices
and on the GPU; `autograder tune gemm` measures them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..errors import GraderFault

Sizes = Mapping[str, int]
#: The sizes' names, and a tile's costs: columns of book/data/tuned_<gpu>.csv.
SIZES = ("BM", "BN", "BK", "WARPS_M", "WARPS_N", "SLICES", "LANES_M", "STAGES", "BLOCKS", "BAND", "WIDE")
COSTS = ("start_us", "phase_us", "share_us", "more_us", "piece_us")
#: From this many rounds of tiles on, blocks do not share them.
_MANY_ROUNDS = 32
#: Estimates are not more exact than that: of tiles that are within this factor of the best, the largest is chosen.
_AS_GOOD = 1.02


def sizes_in(source: str) -> dict[str, int]:
    """Return the sizes that the kernel's text declares, by name."""
    lines = re.findall(r"^constexpr int (\w+ = \d+(?:, \w+ = \d+)*);", source, re.MULTILINE)
    return {name: int(value) for line in lines for name, value in re.findall(r"(\w+) = (\d+)", line)}


def with_sizes(source: str, sizes: Sizes) -> str:
    """Return the kernel's text with other sizes.

    Raises:
        GraderFault: the text does not declare each of them exactly once.
    """
    for name, value in sizes.items():
        source, count = re.subn(rf"^(constexpr int .*?\b{name} = )\d+", rf"\g<1>{value}", source, flags=re.MULTILINE)
        if count != 1:
            raise GraderFault(f"The kernel declares {name} {count} times, not once.")
    return source


def threads(sizes: Sizes) -> int:
    """Return the number of threads in a block."""
    return 32 * sizes["WARPS_M"] * sizes["WARPS_N"] * sizes["SLICES"]


def tiles(sizes: Sizes, rows: int, cols: int) -> int:
    """Return how many tiles cover a C of rows x cols."""
    return math.ceil(rows / sizes["BM"]) * math.ceil(cols / sizes["BN"])


def shared_bytes(sizes: Sizes) -> int:
    """Return a block's dynamic shared memory in bytes: its tiles of A and B; later the sums of its slices, or a tile of
    C with gaps."""
    buffers = sizes["STAGES"] * sizes["BK"] * (sizes["BM"] + 4 + sizes["BN"])
    tile, gaps = sizes["BM"] * sizes["BN"], 8 * sizes["BM"] // sizes["LANES_M"]
    return 4 * max(buffers, sizes["SLICES"] * tile, tile + gaps)


def phases(sizes: Sizes, depth: int) -> int:
    """Return how many phases a tile takes if K is `depth`."""
    return math.ceil(depth / sizes["BK"])


def launch_words(sizes: Sizes, rows: int, cols: int, grid: int = 0) -> dict[str, int]:
    """`grid`, `block` and `shared_mem` (bytes) for a C of rows x cols.

    Args:
        grid: how many blocks are launched, at most one for each phase of each tile; 0 for one for each tile.
    """
    return {"grid": grid or tiles(sizes, rows, cols), "block": threads(sizes), "shared_mem": shared_bytes(sizes)}


def workspace(sizes: Sizes, rows: int, cols: int, grid: int) -> tuple[int, int]:
    """Return the lengths of the kernel's last two arguments: `partial` (float) and `arrived` (int, zeros)."""
    all_tiles = tiles(sizes, rows, cols)
    # With a block for each tile none is shared; an array has at least one element.
    return 1 if grid == all_tiles else 2 * grid * sizes["BM"] * sizes["BN"], all_tiles


@dataclass(frozen=True)
class Tile:
    """Sizes, and what they cost on a GPU with as many blocks as fit at a time, in microseconds.

    A launch takes `start_us` besides its phases, and a phase `phase_us`. If two blocks share a tile, it takes
    `share_us` longer, and `more_us` for each further block; and `piece_us` for each tile, or part of one, that a block
    takes after its first.
    """

    sizes: Sizes
    start_us: float
    phase_us: float
    share_us: float
    more_us: float
    piece_us: float

    def cost(self, rows: int, cols: int, depth: int, grid: int, processors: int) -> float:
        """Estimate how long a launch of `grid` blocks takes on `processors` multiprocessors, in microseconds."""
        all_tiles, each = tiles(self.sizes, rows, cols), phases(self.sizes, depth)
        if grid == all_tiles:
            pieces = math.ceil(all_tiles / (self.sizes["BLOCKS"] * processors))
            sharing, work = 0.0, pieces * each
        else:
            # If the shares are uneven, a block has at worst one tile more than that, and a tile one block more.
            uneven = grid % all_tiles > 0
            pieces, partners = math.ceil(all_tiles / grid) + uneven, math.ceil(grid / all_tiles) + uneven
            sharing, work = self.share_us + max(0, partners - 2) * self.more_us, math.ceil(all_tiles * each / grid)
        return self.start_us + (pieces - 1) * self.piece_us + sharing + work * self.phase_us

    def grids(self, rows: int, cols: int, depth: int, processors: int) -> set[int]:
        """Numbers of blocks worth considering: one for each tile, as many as fit at a time, and the most of those that
        give every tile equally many. With many rounds, there is little to gain in the last one."""
        room, all_tiles = self.sizes["BLOCKS"] * processors, tiles(self.sizes, rows, cols)
        if all_tiles > _MANY_ROUNDS * room:
            return {all_tiles}
        most = min(room, all_tiles * phases(self.sizes, depth))
        return {all_tiles, most, most - most % all_tiles or most}


def table(rows: Iterable[Mapping[str, str]]) -> list[Tile]:
    """Return the tiles that `autograder tune gemm` saved."""
    return [Tile({name: int(row[name]) for name in SIZES}, *(float(row[cost]) for cost in COSTS)) for row in rows]


def choose(known: Iterable[Tile], rows: int, cols: int, depth: int, processors: int) -> tuple[Sizes, int]:
    """Return the sizes and the number of blocks that should be fastest for these matrices, on `processors`
    multiprocessors.

    Raises:
        GraderFault: no known tile can be used with `cols` columns.
    """
    wide = 1 if cols % 4 else 4
    found = [
        (tile.cost(rows, cols, depth, grid, processors), tile.sizes, grid)
        for tile in known
        if tile.sizes["WIDE"] == wide
        for grid in tile.grids(rows, cols, depth, processors)
    ]
    if not found:
        raise GraderFault(f"No tile copies B {wide} words at a time.")
    least = min(cost for cost, _, _ in found)
    # The larger the tile, the fewer words are moved for each multiplication, and the less power that takes. With large
    # matrices power is the limit, and the estimates know nothing of it.
    close = [estimate for estimate in found if estimate[0] <= least * _AS_GOOD]
    _, sizes, grid = min(
        close, key=lambda estimate: (-estimate[1]["BM"] * estimate[1]["BN"], estimate[0], -estimate[2])
    )
    return sizes, grid
