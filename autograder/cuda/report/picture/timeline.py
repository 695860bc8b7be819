"""What a timeline shows: rows of warps, bars, waits, barriers, a race. Plain data; `from_trace` makes it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.findings import Dim3
from ..vocabulary import place

WARP = 32
#: A block has no more threads than this.
BLOCK = 1024
_LINE = (1 << 31, 1, 1)


@dataclass(slots=True)  # there are thousands, and creating a frozen one takes longer
class Mark:
    """One access to the array that the timeline is about, at step `at`. Of the `i`-th block that is drawn, the
    threads have numbers from `i * BLOCK`."""

    at: int
    action: str
    thread: int
    index: int


@dataclass(frozen=True)
class Bar:
    """A warp at work between two barriers: from its first step to its last."""

    start: int
    end: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Wait:
    """A warp, all of whose threads have arrived at a barrier, until the barrier opens."""

    start: int
    end: int


@dataclass(frozen=True)
class Row:
    """One warp; its threads are those from `warp * WARP`."""

    warp: int
    bars: tuple[Bar, ...]
    waits: tuple[Wait, ...]


@dataclass(frozen=True)
class Barrier:
    """The step at which the last thread of the block arrived, and the source line. `block` is an index into the drawn
    blocks."""

    at: int
    line: int
    block: int = 0


@dataclass(frozen=True)
class Stuck:
    """How many threads of a warp are still at the barrier in a line at the end, since step `at`; line 0: they have left
    the kernel."""

    warp: int
    at: int
    line: int
    threads: int


@dataclass(frozen=True)
class Racing:
    """Two accesses to an element, by their steps, that show a race between their lines: those that are drawn,
    or else the first two."""

    index: int
    first: int
    second: int


@dataclass(frozen=True)
class Timeline:
    """The run of some warps. Steps count from 0 to `steps` - 1, in the emulator's order; `before` of them were left out
    ahead of these. `threads` is the number in a block, `warps` the number of warps, drawn or not, and `blocks` the
    drawn blocks, by their linear numbers; `grid` and `block` give the coordinates of threads and blocks. `cut` says
    that some of the run is left out. If the run stopped at a barrier, `stuck` says which threads are where. `owner` is
    the block whose shared memory holds the array, where another one of its cluster uses it."""

    array: str
    threads: int
    steps: int
    rows: tuple[Row, ...]
    barriers: tuple[Barrier, ...]
    race: tuple[Mark, Mark] | None = None
    race_lines: tuple[int, int] = (0, 0)
    racing: tuple[Racing, ...] = ()
    shape: tuple[int, ...] = ()
    before: int = 0
    cut: bool = False
    warps: int = 0
    blocks: tuple[int, ...] = (0,)
    grid: Dim3 = _LINE
    block: Dim3 = _LINE
    stuck: tuple[Stuck, ...] = ()
    owner: int | None = None

    def element(self, index: int) -> str:
        """The element at a flat index as the kernel would write it: tile[1][2], perhaps of block 3."""
        element = self.array + "".join(f"[{at}]" for at in np.unravel_index(index, self.shape))
        return element if self.owner is None else f"{element} of block {place(self.owner, self.grid)}"

    def thread(self, number: int) -> str:
        """A thread within its block: thread 5, or thread (1, 0)."""
        return f"thread {place(number % BLOCK, self.block)}"

    def block_of(self, number: int) -> str:
        """The block of a thread: block 3, or block (1, 0)."""
        return f"block {place(self.blocks[number // BLOCK], self.grid)}"

    def warp(self, row: Row) -> str:
        """A warp, with its block if there are several: warp 0, or warp 0 of block 3."""
        name = f"warp {row.warp % (BLOCK // WARP)}"
        return f"{name} of {self.block_of(row.warp * WARP)}" if len(self.blocks) > 1 else name
