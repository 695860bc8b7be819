"""What one block, one warp and one thread of a tiled product have of A, B and C: the same data at four levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .traced import Traced

#: Barriers that a thread passes in each phase: one after the loads, one after the products.
_BARRIERS = 2


@dataclass(frozen=True)
class Part:
    """A matrix of `shape` (rows, columns), or a tile of one, and the elements of it that are touched, by flat index."""

    array: str
    shape: tuple[int, int]
    touched: tuple[int, ...]


@dataclass(frozen=True)
class Level:
    """`who` has this of A, B and C, from `memory`."""

    who: str
    memory: str
    a: Part
    b: Part
    c: Part

    @property
    def parts(self) -> tuple[Part, Part, Part]:
        return self.a, self.b, self.c


def from_trace(
    traced: Traced, arrays: Sequence[str], tiles: Sequence[str], block: int = 0, phase: int = 0, thread: int = 0
) -> tuple[Level, ...]:
    """Return the four levels: a block in the whole launch, the block in one phase, the warp of a thread, the thread.

    Args:
        arrays: the names of A, B and C in global memory.
        tiles: those of the tiles of A and B in shared memory.
        phase: which one; in each, a thread passes one barrier after its loads and one after its products.

    Raises:
        ValueError: there is no such array or access, or what the block writes of C is no rectangle.
    """
    if (len(arrays), len(tiles)) != (3, 2):
        raise ValueError("it needs the names of A, B and C as ':arrays:', and of two tiles as ':tiles:'.")
    reads = {name: traced.select(name, action="read", block=block) for name in (*arrays[:2], *tiles)}
    writes = traced.select(arrays[2], action="write", block=block)
    shapes = {name: _shape(traced, name) for name in (*arrays, *tiles)}
    written = np.unique(writes["index"])
    _, columns = shapes[arrays[2]]
    rows, cols = np.unique(written // columns), np.unique(written % columns)
    if len(rows) * len(cols) != len(written):
        raise ValueError(f"block {block} of {traced.file} writes no rectangle of '{arrays[2]}'.")
    number = traced.block_name(block)

    def part(name: str, accesses: np.ndarray) -> Part:
        if not len(accesses):
            raise ValueError(f"{traced.file}: nobody touches '{name}' in phase {phase}.")
        return Part(name, shapes[name], tuple(int(index) for index in np.unique(accesses["index"])))

    def in_tile(accesses: np.ndarray) -> Part:
        """Return what is written of the block's tile of C."""
        at = np.unique(accesses["index"])
        places = np.searchsorted(rows, at // columns) * len(cols) + np.searchsorted(cols, at % columns)
        return Part(arrays[2], (len(rows), len(cols)), tuple(int(index) for index in places))

    def of_whole(who: str, memory: str, interval: int | None = None) -> Level:
        a, b = (reads[name] for name in arrays[:2])
        if interval is not None:
            a, b = a[a["interval"] == interval], b[b["interval"] == interval]
        return Level(who, memory, part(arrays[0], a), part(arrays[1], b), part(arrays[2], writes))

    def of_tiles(who: str, memory: str, by: str, which: int) -> Level:
        a, b = (reads[name][reads[name][by] == which] for name in tiles)
        return Level(who, memory, part(tiles[0], a), part(tiles[1], b), in_tile(writes[writes[by] == which]))

    warp = thread // 32
    return (
        of_whole(f"block {number}", "in the whole launch"),
        of_whole(f"phase {phase}", "into shared memory", _BARRIERS * phase),
        of_tiles(f"warp {warp}", "from shared memory", "warp", warp),
        of_tiles(f"thread {thread}", "into its registers", "thread", thread),
    )


def _shape(traced: Traced, name: str) -> tuple[int, int]:
    shape = traced.arrays[traced.array(name)].shape
    if len(shape) != 2:
        raise ValueError(f"'{name}' of {traced.file} is no matrix: give its argument two dimensions.")
    return shape[0], shape[1]
