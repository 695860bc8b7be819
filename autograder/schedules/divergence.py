"""Why two runs of one launch, in different orders, leave different values in an element.

What a thread does depends on nothing but what it reads. So where two runs differ, some thread's first
difference is a read; and if both times the same write made what it read, then that write's thread
differed before. Followed back in this way, the difference ends at a read that got the value of another
write than in the other run: there the order decided. Or it ends at two writes, of which the other one
came last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.run import TRACE_ACTIONS, Trace, landings_as_writes

_READ, _WRITE, _ATOMIC, _LAND = (TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic", "land"))
#: Behind the numbers of a block's threads come those of whoever lands their asynchronous copies: a copy is no step of
#: the thread that started it, and lands earlier or later among these.
COPIES = 1 << 15
#: Writes that are followed back for one pair of runs.
_MAX_STEPS = 2000
#: Where in the value of an atomic's event stands what it found, see run.TRACE_DTYPE.
_FOUND = 8
#: Bytes of an array in which one access lies: it has at most 16, and begins at a multiple of its size.
_BUCKET = 16

#: An array, an offset in it and a size, both in bytes. Arrays are numbered as in the trace; those in shared memory,
#: of which every block has its own, have numbers behind these.
Place = tuple[int, int, int]
#: One access of a launch, the same in every order: block, thread (both linear), and how many accesses that
#: thread made before it.
Name = tuple[int, int, int]


@dataclass(frozen=True)
class Cause:
    """Where the order decided, in the run of which it is told.

    `reader` is the access whose value differs; None where the order of two writes is all. `missed` is the
    write whose value it got in the other run, and comes too late in this one (of two writes: the one that
    is overwritten); `found` the write whose value it got instead. Each may be None: there is no such write.
    """

    reader: Name | None
    missed: Name | None
    found: Name | None


class History:
    """The accesses of one run, to be asked for those of a thread and for those of a place.

    `events` are the reads, writes and atomics of the trace, in order, with TRACE_DTYPE; copies that land are
    writes of threads of their own, see COPIES.
    """

    def __init__(self, trace: Trace) -> None:
        chosen = trace.events[(trace.events["action"] <= _ATOMIC) | (trace.events["action"] == _LAND)]
        self.events = landings_as_writes(chosen)
        self.events["thread"][chosen["action"] == _LAND] += COPIES
        self._order = np.lexsort((self.events["step"], self.events["thread"], self.events["block"]))
        key = self.events["block"].astype(np.int64) << 16 | self.events["thread"]
        self._keys = key[self._order]
        writes = np.flatnonzero(self.events["action"] != _READ)
        arrays = self.events["array"].astype(np.int64)
        own = np.array([space == "shared" for space in trace.spaces], bool)[arrays]
        self._arrays = arrays + own * (self.events["block"].astype(np.int64) + 1) * len(trace.arrays)
        buckets = self._bucket(self._arrays[writes], self.events["offset"][writes])
        by_place = np.argsort(buckets, kind="stable")
        self._writes, self._buckets = writes[by_place], buckets[by_place]

    @staticmethod
    def _bucket(array: Any, offset: Any) -> Any:
        return array << 28 | offset // _BUCKET  # arrays are of 1 GiB at most

    def of(self, block: int, thread: int) -> np.ndarray:
        """The rows of `events` that are this thread's, in order."""
        key = block << 16 | thread
        return self._order[np.searchsorted(self._keys, key) : np.searchsorted(self._keys, key, "right")]

    def name(self, row: int) -> Name:
        event = self.events[row]
        block, thread = int(event["block"]), int(event["thread"])
        return block, thread, int(np.searchsorted(self.of(block, thread), row))

    def row(self, name: Name) -> int | None:
        """Where the access of this name stands in `events`; None where the thread made fewer."""
        rows = self.of(*name[:2])
        return int(rows[name[2]]) if name[2] < len(rows) else None

    def place(self, row: int) -> Place:
        return int(self._arrays[row]), int(self.events["offset"][row]), int(self.events["size"][row])

    def made(self, name: Name, before: int) -> bool:
        """Whether the thread has made as many accesses before row `before`."""
        return int(np.searchsorted(self.of(*name[:2]), before)) > name[2]

    def writes(self, array: int, offset: int, size: int, before: int | None = None) -> np.ndarray:
        """The rows of the writes and atomics of these bytes of an array, before row `before`."""
        first, last = self._bucket(array, offset), self._bucket(array, offset + size - 1)
        start, end = np.searchsorted(self._buckets, first), np.searchsorted(self._buckets, last, "right")
        rows = np.sort(self._writes[start:end])
        rows = rows[: None if before is None else np.searchsorted(rows, before)]
        events = self.events[rows]
        there: np.ndarray = rows[(events["offset"] < offset + size) & (events["offset"] + events["size"] > offset)]
        return there

    def written(self, array: int, item: int) -> set[int]:
        """The elements, of `item` bytes each, in which a write to an array that is not in shared memory begins."""
        rows = self._writes[self._arrays[self._writes] == array]
        return set((self.events["offset"][rows] // item).tolist())

    def last_write(self, array: int, offset: int, size: int, before: int | None = None) -> Name | None:
        rows = self.writes(array, offset, size, before)
        return self.name(int(rows[-1])) if len(rows) else None


class Comparison:
    """Of two runs of a launch: `this`, of which is told, and the `other` one."""

    def __init__(self, this: History, other: History) -> None:
        self._this, self._other = this, other
        self._followed: set[tuple[tuple[int, int], int | None]] = set()

    def cause(self, array: int, offset: int, size: int) -> Cause | None:
        """Where the order decided that these bytes of an array are different in the end; None where that cannot be
        seen, or was asked for before in another element that it is the cause of."""
        last, best = (history.last_write(array, offset, size) for history in (self._this, self._other))
        if last is None:  # it is the other run that writes there
            return self._follow(best[:2], None)[0] if best else None
        row = self._this.row(last)
        assert row is not None
        cause, at_an_end = self._follow(last[:2], row)
        if cause is not None or last == best or best is None or not at_an_end:
            return cause
        # Nothing that was read differs: of two writes, the wrong one came last.
        missed = self._this.row(best)
        return Cause(None, best, last) if missed is not None and missed < row else None

    def cause_in_block(self, block: int, threads: int) -> Cause | None:
        """Where the order decided that the threads of a block do not do the same in both runs."""
        reads = [_read_behind(self._this, self._other, (block, thread), None) for thread in range(threads)]
        first = min((read for read in reads if read), default=None)
        return self._follow(self._this.name(first[0])[:2], None)[0] if first else None

    def _follow(self, thread: tuple[int, int], write: int | None) -> tuple[Cause | None, bool]:
        """From what `thread` writes in row `write` of `this` (None: from all that it does) back to where the order
        decided; and whether what it did itself explains nothing."""
        this, other, begin = self._this, self._other, (thread, write)
        while len(self._followed) < _MAX_STEPS and (thread, write) not in self._followed:
            self._followed.add((thread, write))
            read = _read_behind(this, other, thread, write)
            if read is None:
                # What another lane has read may have come in a shuffle.
                block, number = thread
                lanes = range(number // 32 * 32, number // 32 * 32 + 32)
                reads = [_read_behind(this, other, (block, lane), write) for lane in lanes if lane != number]
                read = min((found for found in reads if found), default=None)
            if read is None:
                return None, (thread, write) == begin
            mine, its = read
            place = this.place(mine)
            found, missed = this.last_write(*place, mine), other.last_write(*place, its)
            if found is not None and (found == missed or not _is_in(other, found, this)):
                thread, write = found[:2], this.row(found)  # the writer did something else, and that is why
            elif missed is not None and not _is_in(this, missed, other) and this.made(missed, mine):
                thread, write = missed[:2], None
            else:
                return Cause(this.name(mine), missed, found), False
        return None, False


def _read_behind(this: History, other: History, thread: tuple[int, int], write: int | None) -> tuple[int, int] | None:
    """The rows, in both runs, of a read (or atomic) of `thread` that got another value, and so explains what it
    writes in row `write` of `this`, or all that it does."""
    thread = thread[0], thread[1] % COPIES  # a copy brings what its thread was about to read
    mine, its = this.of(*thread), other.of(*thread)
    if write is not None:
        mine = mine[mine <= write]
    n = min(len(mine), len(its))
    a, b = this.events[mine[:n]], other.events[its[:n]]
    elsewhere = np.flatnonzero((a["action"] != b["action"]) | ~_at(a, b))
    same_way = int(elsewhere[0]) if len(elsewhere) else n  # before that, the thread does the same in both
    unlike = a["value"] != b["value"]
    found_otherwise = (a["action"] == _ATOMIC) & unlike[:, _FOUND:].any(axis=1)
    differs = found_otherwise | ((a["action"] == _READ) & unlike.any(axis=1))
    differing = np.flatnonzero(differs[:same_way])
    if not len(differing):
        return None
    chosen = differing[0]
    if write is not None and same_way == len(mine) and mine[-1] == write:
        # Rather what the write changes, or what stands in its line, than what was read for something else.
        one = this.events[write]
        in_line = a["line"] == one["line"]
        same_place = _at(a, one) & (a["action"] != _WRITE)
        for likely in (same_place & in_line & (a["action"] == _READ), same_place, differs & in_line):
            last = np.flatnonzero(likely)[-1:]
            if len(last) and differs[last[0]]:
                chosen = last[0]
                break
    return int(mine[chosen]), int(its[chosen])


def _is_in(history: History, name: Name, other: History) -> bool:
    """Whether the access of `other` that has this name is made in `history` too."""
    here, there = history.row(name), other.row(name)
    return here is not None and there is not None and bool(_at(history.events[here], other.events[there]))


def _at(a: np.ndarray | np.void, b: np.ndarray | np.void) -> np.ndarray:
    """Bools: whether events are of the same place."""
    same: np.ndarray = (a["array"] == b["array"]) & (a["offset"] == b["offset"]) & (a["size"] == b["size"])
    return same
