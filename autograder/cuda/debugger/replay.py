"""A recorded launch, event by event in both directions: where its threads are, and what its arrays hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.run import Trace
from .recording import ACCESSES, ATOMIC, LINE, WRITE, Events, ThreadEvents

_LANES = 32


@dataclass(frozen=True)
class Scope:
    """Whose events count: those of all threads of a block, of the warp of one, or of one thread alone. All are linear
    indices."""

    block: int
    thread: int = 0
    threads: int = 1

    @classmethod
    def of(cls, kind: str, block: int, thread: int) -> Scope:
        """Return the thread itself, its "warp" or its "block"."""
        if kind == "thread":
            return cls(block, thread)
        return cls(block, thread // _LANES * _LANES, _LANES) if kind == "warp" else cls(block, 0, 1 << 30)


class Replay:
    """The moment before event `at` of a trace.

    Args:
        trace: of a launch.
        before: what the arrays in global memory held before it, in their order: they are the trace's first arrays.
    """

    def __init__(self, trace: Trace, before: Sequence[np.ndarray]) -> None:
        self.trace, self._before = trace, before
        self.events = Events.of(trace)
        self._all = self.events.all
        self.at = self.events.first
        keys = self._all["block"].astype(np.int64) << 32 | self._all["thread"]
        keys[: self.at] = -1
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._threads: dict[tuple[int, int], ThreadEvents] = {}
        self._writes: dict[int, np.ndarray] = {}

    def thread(self, block: int, thread: int) -> ThreadEvents:
        """Return the events of a thread; there may be none."""
        key = block, thread
        if key not in self._threads:
            begin, end = np.searchsorted(self._keys, [block << 32 | thread, block << 32 | thread + 1])
            self._threads[key] = ThreadEvents(self._all, self._order[begin:end])
        return self._threads[key]

    def threads(self, block: int) -> list[int]:
        """Return the threads of a block that have events."""
        begin, end = np.searchsorted(self._keys, [block << 32, (block + 1) << 32])
        return (np.unique(self._keys[begin:end]) & 0xFFFFFFFF).tolist()  # type: ignore[no-any-return]

    def move(self, scope: Scope, *, back: bool = False, line: int | None = None) -> bool:
        """Go to the next access, barrier or end of `scope`, or the one before (in `line`, if that is given); False if
        there is none, and then stay."""
        e = self._all
        part = slice(self.events.first, self.at) if back else slice(self.at + 1, None)
        wanted = (e["block"][part] == scope.block) & np.isin(e["action"][part], ACCESSES)
        wanted &= (e["thread"][part] >= scope.thread) & (e["thread"][part] < scope.thread + scope.threads)
        if line is not None:
            wanted &= e["line"][part] == line
        places = np.flatnonzero(wanted)
        if not len(places):
            return False
        self.at = int(places[-1 if back else 0]) + part.start
        return True

    def move_line(self, scope: Scope, *, back: bool = False, deepest: int | None = None) -> bool:
        """Go to where a thread of `scope` next begins a line, or the one before; in at most `deepest` calls, if that is
        given. False if there is none, and then stay."""
        nearest: int | None = None
        for thread in self.threads(scope.block):
            if scope.thread <= thread < scope.thread + scope.threads:
                places = self.thread(scope.block, thread).begun_lines(deepest)
                n = int(np.searchsorted(places, self.at, "left" if back else "right")) - back
                if 0 <= n < len(places):
                    at = int(places[n])
                    nearest = at if nearest is None else (max if back else min)(nearest, at)
        if nearest is not None:
            self.at = nearest
        return nearest is not None

    def changes(self) -> int:
        """Return how many changes of memory that blocks share have been made: the same number in each recording."""
        return int((self._shared_changes() < self.at).sum())

    def go_to_change(self, number: int) -> None:
        """Go to the moment after the N-th change of memory."""
        places = self._shared_changes()
        self.at = int(places[number - 1]) + 1 if 0 < number <= len(places) else self.events.first

    def _shared_changes(self) -> np.ndarray:
        changes = np.isin(self._all["action"], (WRITE, ATOMIC))
        changes[: self.events.first] = False
        places = np.flatnonzero(changes)
        is_shared = np.array([space == "shared" for space in self.trace.spaces])
        global_changes: np.ndarray = places[~is_shared[self._all["array"][places]]]
        return global_changes

    def hits(self, block: int, thread: int, line: int) -> np.ndarray:
        """Return the positions at which a thread begins a line."""
        events = self.thread(block, thread)
        places = events.begun_lines()
        found: np.ndarray = places[self._all["line"][places] == line]
        return found

    def lines(self, block: int) -> dict[int, int]:
        """Return how many threads of a block are at each line, by the line of their next event (0: the kernel's
        end)."""
        e = self._all[self.at :]
        e = e[(e["block"] == block) & np.isin(e["action"], (*ACCESSES, LINE))]
        _, first = np.unique(e["thread"], return_index=True)
        lines, counts = np.unique(e["line"][first], return_counts=True)
        return dict(zip(lines.tolist(), counts.tolist(), strict=True))

    def number(self, name: str) -> int:
        """Return the number of an array. Raises KeyError: no event uses such an array."""
        if name not in self.trace.arrays:
            raise KeyError(name)
        return self.trace.arrays.index(name)

    def content(self, number: int, block: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the bytes that an array holds now (of shared memory, that of `block`), and which of them are known,
        since they were there before or somebody has written them."""
        dtype, shape = self.trace.dtypes[number], self.trace.shapes[number]
        if number not in self._writes:
            changes = np.isin(self._all["action"], (WRITE, ATOMIC)) & (self._all["array"] == number)
            self._writes[number] = np.flatnonzero(changes)
        e = self._all[self._writes[number][: np.searchsorted(self._writes[number], self.at)]]
        is_given = number < len(self._before)
        if is_given:
            raw = self._before[number].view(np.uint8).ravel().copy()
        else:
            item = dtype.itemsize if dtype is not None else self.trace.items[number]
            raw = np.zeros(int(np.prod(shape, dtype=np.int64)) * item, np.uint8)
            if self.trace.spaces[number] == "shared":
                e = e[e["owner"] == block]
        written = np.full(raw.shape, is_given)
        at = np.arange(e["value"].shape[1])
        part = at < e["size"][:, None]
        to = (e["offset"][:, None] + at)[part]
        raw[to], written[to] = e["value"][part], True  # of several writes, the last one stays
        return raw, written

    def array(self, name: str, block: int) -> np.ma.MaskedArray:
        """Return what an array holds now (of shared memory, that of `block`), in its own shape; elements to which
        nothing was written are masked.

        Raises:
            KeyError: no event uses such an array, or its elements are not numbers.
        """
        number = self.number(name)
        given = self._before[number] if number < len(self._before) else None
        dtype = given.dtype if given is not None else self.trace.dtypes[number]
        if dtype is None:
            raise KeyError(name)
        raw, written = self.content(number, block)
        known = written.reshape(-1, dtype.itemsize).all(axis=1)
        return np.ma.MaskedArray(raw.view(dtype), ~known).reshape(
            self.trace.shapes[number] if given is None else given.shape
        )
