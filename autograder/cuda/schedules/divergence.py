"""Explains why two runs of one launch, in different orders, leave different values in an element.

What a thread does depends only on what it reads. So if two runs differ, some thread's first difference is
a read. If the same write produced that value in both runs, then the writing thread differed earlier.
Traced back like this, the difference ends at a read that got its value from a different write in the other
run: there, the order decided. Or it ends at two writes, and the other one came last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..core.run import TRACE_ACTIONS, Trace, landings_as_writes

_READ, _WRITE, _ATOMIC, _LAND = (TRACE_ACTIONS.index(action) for action in ("read", "write", "atomic", "land"))
#: Thread numbers from here on stand for the landing copies of a block's threads: landing is not a step of the thread
#: that started the copy, and happens earlier or later among its steps.
COPIES = 1 << 15
#: Most writes that we trace back for one pair of runs.
_MAX_STEPS = 2000
#: Where an atomic's event stores what the atomic found in `value`, see run.TRACE_DTYPE.
_FOUND = 8
#: Bytes of an array that contain any one access of a thread: it has at most 16, and begins at a multiple of its size.
_BUCKET = 16

#: An array, and an offset and a size in it, both in bytes. Arrays are numbered as in the trace. Each block has its own
#: shared arrays, so those get numbers above these.
Place = tuple[int, int, int]
#: Identifies an access in every order of a launch: block, thread (both linear), and how many accesses that
#: thread made before it.
Name = tuple[int, int, int]
Numbers = TypeVar("Numbers", int, np.ndarray)


@dataclass(frozen=True)
class Cause:
    """Where the order decided the outcome of a run.

    `reader` is the access whose value differs; None if only the order of two writes matters. `missed` is the
    write that gave it its value in the other run and comes too late in this one (of two writes, the one that
    is overwritten); `found` is the write that it saw instead. Either may be None: there is no such write.
    """

    reader: Name | None
    missed: Name | None
    found: Name | None


class History:
    """The accesses of one run, indexed by thread and by location.

    `events` are the reads, writes, and atomics of the trace, in order, with TRACE_DTYPE; landing copies are
    writes by separate threads, see COPIES.
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
        is_shared = np.array([space == "shared" for space in trace.spaces], bool)[arrays]
        self._arrays = arrays + is_shared * (self.events["owner"].astype(np.int64) + 1) * len(trace.arrays)
        ends = [np.zeros(len(writes), np.int64), self.events["size"][writes] - 1]
        first, last = (self._bucket(self._arrays[writes], self.events["offset"][writes] + end) for end in ends)
        spread = last - first + 1  # a bulk copy lands at once in all of its buckets
        writes, buckets = np.repeat(writes, spread), np.repeat(first, spread)
        buckets += np.arange(len(buckets)) - np.repeat(np.cumsum(spread) - spread, spread)
        by_place = np.argsort(buckets, kind="stable")
        self._writes, self._buckets = writes[by_place], buckets[by_place]

    @staticmethod
    def _bucket(array: Numbers, offset: Numbers) -> Numbers:
        bucket: Numbers = array << 28 | offset // _BUCKET  # no array exceeds 1 GiB
        return bucket

    def of(self, block: int, thread: int) -> np.ndarray:
        """The rows of `events` that belong to this thread, in order."""
        key = block << 16 | thread
        return self._order[np.searchsorted(self._keys, key) : np.searchsorted(self._keys, key, "right")]

    def name(self, row: int) -> Name:
        event = self.events[row]
        block, thread = int(event["block"]), int(event["thread"])
        return block, thread, int(np.searchsorted(self.of(block, thread), row))

    def row(self, name: Name) -> int | None:
        """The row of this access in `events`; None if the thread made fewer accesses."""
        rows = self.of(*name[:2])
        return int(rows[name[2]]) if name[2] < len(rows) else None

    def place(self, row: int) -> Place:
        return int(self._arrays[row]), int(self.events["offset"][row]), int(self.events["size"][row])

    def made(self, name: Name, before: int) -> bool:
        """Whether the thread has made this access before row `before`."""
        return int(np.searchsorted(self.of(*name[:2]), before)) > name[2]

    def writes(self, array: int, offset: int, size: int, before: int | None = None) -> np.ndarray:
        """The rows of the writes and atomics to these bytes of an array, before row `before`."""
        first, last = self._bucket(array, offset), self._bucket(array, offset + size - 1)
        start, end = np.searchsorted(self._buckets, first), np.searchsorted(self._buckets, last, "right")
        rows = np.unique(self._writes[start:end])
        rows = rows[: None if before is None else np.searchsorted(rows, before)]
        events = self.events[rows]
        there: np.ndarray = rows[(events["offset"] < offset + size) & (events["offset"] + events["size"] > offset)]
        return there

    def written(self, array: int, item: int) -> set[int]:
        """The elements, of `item` bytes each, where writes to an array outside shared memory begin."""
        rows = self._writes[self._arrays[self._writes] == array]
        return set((self.events["offset"][rows] // item).tolist())

    def last_write(self, array: int, offset: int, size: int, before: int | None = None) -> Name | None:
        rows = self.writes(array, offset, size, before)
        return self.name(int(rows[-1])) if len(rows) else None


class Comparison:
    """Two runs of a launch: `this`, which we explain, and the `other` one."""

    def __init__(self, this: History, other: History) -> None:
        self._this, self._other = this, other
        self._followed: set[tuple[tuple[int, int], int | None]] = set()

    def cause(self, array: int, offset: int, size: int) -> Cause | None:
        """Where the order made these bytes of an array end up different; None if that can't be determined, or if
        the answer was already given for another element."""
        last, best = (history.last_write(array, offset, size) for history in (self._this, self._other))
        if last is None:  # only the other run writes there
            return self._follow(best[:2], None)[0] if best else None
        row = self._this.row(last)
        assert row is not None
        cause, at_an_end = self._follow(last[:2], row)
        if cause is not None or last == best or best is None or not at_an_end:
            return cause
        # Everything read is the same: of two writes, the wrong one came last.
        missed = self._this.row(best)
        return Cause(None, best, last) if missed is not None and missed < row else None

    def cause_in_block(self, block: int, threads: int) -> Cause | None:
        """Where the order made the threads of a block behave differently in the two runs."""
        reads = [_later_read(self._this, self._other, (block, thread), None) for thread in range(threads)]
        first = min((read for read in reads if read), default=None)
        return self._follow(self._this.name(first[0])[:2], None)[0] if first else None

    def _follow(self, thread: tuple[int, int], write: int | None) -> tuple[Cause | None, bool]:
        """Trace what `thread` writes in row `write` of `this` (None: everything it does) back to where the order
        decided; also say whether the thread's own reads explain nothing."""
        this, other, begin = self._this, self._other, (thread, write)
        while len(self._followed) < _MAX_STEPS and (thread, write) not in self._followed:
            self._followed.add((thread, write))
            read = _later_read(this, other, thread, write)
            if read is None:
                # Another lane's read may have arrived through a shuffle.
                block, number = thread
                lanes = range(number // 32 * 32, number // 32 * 32 + 32)
                reads = [_later_read(this, other, (block, lane), write) for lane in lanes if lane != number]
                read = min((found for found in reads if found), default=None)
            if read is None:
                return None, (thread, write) == begin
            mine, its = read
            place = this.place(mine)
            found, missed = this.last_write(*place, mine), other.last_write(*place, its)
            if found is not None and (found == missed or not _is_in(other, found, this)):
                thread, write = found[:2], this.row(found)  # the cause is that the writer differed
            elif missed is not None and not _is_in(this, missed, other) and this.made(missed, mine):
                thread, write = missed[:2], None
            else:
                return Cause(this.name(mine), missed, found), False
        return None, False


def _later_read(this: History, other: History, thread: tuple[int, int], write: int | None) -> tuple[int, int] | None:
    """The rows, in both runs, of a read (or atomic) of `thread` that got another value, and so explains what it
    writes in row `write` of `this`, or everything it does."""
    thread = thread[0], thread[1] % COPIES  # a copy delivers what its thread was about to read
    mine, its = this.of(*thread), other.of(*thread)
    if write is not None:
        mine = mine[mine <= write]
    n = min(len(mine), len(its))
    a, b = this.events[mine[:n]], other.events[its[:n]]
    differing = np.flatnonzero((a["action"] != b["action"]) | ~_at(a, b))
    same_way = int(differing[0]) if len(differing) else n  # up to here, the thread does the same in both
    unlike = a["value"] != b["value"]
    found_otherwise = (a["action"] == _ATOMIC) & unlike[:, _FOUND:].any(axis=1)
    differs = found_otherwise | ((a["action"] == _READ) & unlike.any(axis=1))
    differing = np.flatnonzero(differs[:same_way])
    if not len(differing):
        return None
    chosen = differing[0]
    if write is not None and same_way == len(mine) and mine[-1] == write:
        # Prefer a read of what the write changes, or one in its line, to an unrelated read.
        written = this.events[write]
        in_line = a["line"] == written["line"]
        same_place = _at(a, written) & (a["action"] != _WRITE)
        for likely in (same_place & in_line & (a["action"] == _READ), same_place, differs & in_line):
            last = np.flatnonzero(likely)[-1:]
            if len(last) and differs[last[0]]:
                chosen = last[0]
                break
    return int(mine[chosen]), int(its[chosen])


def _is_in(history: History, name: Name, other: History) -> bool:
    """Whether the access of `other` with this name happens in `history` too."""
    here, there = history.row(name), other.row(name)
    return here is not None and there is not None and bool(_at(history.events[here], other.events[there]))


def _at(a: np.ndarray | np.void, b: np.ndarray | np.void) -> np.ndarray:
    """Bools: whether events access the same location."""
    same: np.ndarray = (a["array"] == b["array"]) & (a["offset"] == b["offset"]) & (a["size"] == b["size"])
    return same
