"""Which bytes of memory an operation reads and writes, and where two operations meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...core.protocol import CONSTANTS

#: Ranges of addresses: int64 of (n, 2), each with its end excluded.
Spans = np.ndarray
_NONE: Spans = np.empty((0, 2), np.int64)
#: In an array of `Run.uses`, the bits that say that 4 bytes were read, that they were written, and
#: the bit that says that they were used otherwise than by atomics.
_READ, WRITTEN, _PLAINLY = 1, 2, CONSTANTS["PLAINLY"]


class Conflict(NamedTuple):
    """A byte accessed by two operations, at least one of which writes it."""

    address: int
    writes: bool
    other_writes: bool


@dataclass(frozen=True, eq=False)
class Uses:
    """What an operation reads and writes: spans in order that do not touch each other. `atomics` are used by atomics
    alone, which are reads and writes, too: two operations with such uses do not conflict."""

    reads: Spans
    writes: Spans
    atomics: Spans = field(default_factory=lambda: _NONE)

    @property
    def bytes(self) -> int:
        """How many bytes are read, and how many are written."""
        return sum(int((spans[:, 1] - spans[:, 0]).sum()) for spans in (self.reads, self.writes))

    def bytes_within(self, other: Uses) -> int:
        """As `bytes`, of what `other` uses."""
        there = _in_order(np.concatenate((other.reads, other.writes)))
        return sum(_common(spans, there) for spans in (self.reads, self.writes))

    def conflict(self, other: Uses) -> Conflict | None:
        """Return the first place, of two writes if there is one, where the two conflict."""
        if len(self.atomics) and len(other.atomics):
            found = (self.plain.conflict(other), self._of_atomics.conflict(other.plain))
            return min(filter(None, found), key=lambda c: (not c.writes or not c.other_writes, c.address), default=None)
        for mine, theirs, *writes in (
            (self.writes, other.writes, True, True),
            (self.writes, other.reads, True, False),
            (self.reads, other.writes, False, True),
        ):
            address = _meet(mine, theirs)
            if address is not None:
                return Conflict(address, *writes)
        return None

    @property
    def plain(self) -> Uses:
        """What is not used by atomics alone."""
        return Uses(without(self.reads, self.atomics), without(self.writes, self.atomics))

    @property
    def _of_atomics(self) -> Uses:
        return Uses(self.atomics, self.atomics)

    def within(self, other: Uses) -> Uses:
        """Return what is used where `other` uses anything."""
        there = _in_order(np.concatenate((other.reads, other.writes)))
        return Uses(*(without(spans, without(spans, there)) for spans in (self.reads, self.writes, self.atomics)))

    def conflict_at(self, address: int, *, writes: bool) -> Conflict | None:
        """As `conflict` with an operation that reads the byte at `address`, or that `writes` it: soon, because a host
        that reads too early does so at each byte."""
        if _holds(self.writes, address):
            return Conflict(address, True, writes)
        return Conflict(address, False, True) if writes and _holds(self.reads, address) else None

    def pages(self, start: int, end: int, size: int) -> tuple[set[int], set[int]]:
        """Return the pages within [start, end) that are read, and those that are written, by their addresses."""
        read, written = (_pages(spans, start, end, size) for spans in (self.reads, self.writes))
        return read, written


#: Of an operation that uses no memory.
NO_USES = Uses(_NONE, _NONE)


def uses(reads: Iterable[tuple[int, int]] = (), writes: Iterable[tuple[int, int]] = ()) -> Uses:
    """Return the uses of these ranges of addresses, in any order."""
    return Uses(_in_order(_spans(reads)), _in_order(_spans(writes)))


def joined(parts: Iterable[Uses]) -> Uses:
    """Return all that the parts use."""
    known = list(parts)
    reads, writes = [part.reads for part in known], [part.writes for part in known]
    atomics = _in_order(np.concatenate([_NONE, *(part.atomics for part in known)]))
    if len(atomics):
        for part in known:
            atomics = without(atomics, part.plain.reads)
            atomics = without(atomics, part.plain.writes)
    return Uses(_in_order(np.concatenate([_NONE, *reads])), _in_order(np.concatenate([_NONE, *writes])), atomics)


def used_by_launch(address: int, size: int, words: np.ndarray, item: int) -> Uses:
    """Return what a launch uses of the `size` bytes at `address`, in elements of `item` bytes, by an array of
    `Run.uses`. Of elements smaller than 4 bytes, it is not known which of the first 4 bytes are used, nor which of
    the last."""
    unknown = max(4 - item, 0)
    out = []
    for mask in (words & _READ != 0, words & WRITTEN != 0, (words & (WRITTEN | _PLAINLY)) == WRITTEN):
        spans = np.add(np.minimum(_runs(mask) * 4, size), (address + unknown, address - unknown))
        out.append(spans[spans[:, 0] < spans[:, 1]])
    return Uses(*out)


def changes(address: int, old: np.ndarray, new: np.ndarray) -> Uses:
    """Return the bytes from `address` on in which `new` differs from `old`, as written."""
    return Uses(_NONE, _runs(new != old) + address)


def without(spans: Spans, others: Spans) -> Spans:
    """Return the addresses that are in spans and in none of the others."""
    if not len(spans) or not len(others):
        return spans
    out = []
    at = np.searchsorted(others[:, 1], spans[:, 0], side="right")
    for (start, end), first in zip(spans.tolist(), at.tolist(), strict=True):
        while first < len(others) and others[first, 0] < end:
            if others[first, 0] > start:
                out.append((start, int(others[first, 0])))
            start, first = int(others[first, 1]), first + 1
        if start < end:
            out.append((start, end))
    return _spans(out)


def _runs(mask: np.ndarray) -> Spans:
    """Return where the runs of True in bool of (n,) begin and end. (`np.diff` takes long for a program's memory.)"""
    edges = np.flatnonzero(mask[1:] != mask[:-1]) + 1
    first, last = [0] if mask[:1].any() else [], [mask.size] if mask[-1:].any() else []
    return np.concatenate((first, edges, last)).astype(np.int64).reshape(-1, 2)


def _spans(ranges: Iterable[tuple[int, int]]) -> Spans:
    return np.array([*ranges], np.int64).reshape(-1, 2)


def _in_order(spans: Spans) -> Spans:
    """Spans by address, those that touch each other made one."""
    if len(spans) < 2:
        return spans
    spans = spans[np.argsort(spans[:, 0], kind="stable")]
    ends = np.maximum.accumulate(spans[:, 1])
    first = np.flatnonzero(np.concatenate(([True], spans[1:, 0] > ends[:-1])))
    return np.stack((spans[first, 0], ends[np.concatenate((first[1:] - 1, [len(spans) - 1]))]), axis=1)


def _common(some: Spans, others: Spans) -> int:
    """Return how many addresses are in both."""
    if not len(others):
        return 0
    sizes = others[:, 1] - others[:, 0]
    before = np.concatenate(([0], np.cumsum(sizes)))

    def below(address: np.ndarray) -> np.ndarray:
        """Return how many addresses of the others are below each of these."""
        at = np.searchsorted(others[:, 0], address, side="right") - 1
        part = np.clip(address - others[at, 0], 0, sizes[at])
        return np.where(at < 0, 0, before[at] + part)

    return int((below(some[:, 1]) - below(some[:, 0])).sum())


def _meet(some: Spans, others: Spans) -> int | None:
    """Return the first address that is in both."""
    if not len(some) or not len(others):
        return None
    nearest = np.searchsorted(others[:, 1], some[:, 0], side="right")  # the first that ends after a start
    starts = np.append(others[:, 0], np.iinfo(np.int64).max)[nearest]
    meeting = np.flatnonzero(starts < some[:, 1])
    return int(max(some[meeting[0], 0], starts[meeting[0]])) if meeting.size else None


def _holds(spans: Spans, address: int) -> bool:
    nearest = int(spans[:, 1].searchsorted(address, side="right"))  # the first that ends after it
    return nearest < len(spans) and bool(spans[nearest, 0] <= address)


def _pages(spans: Spans, start: int, end: int, size: int) -> set[int]:
    within = spans[(spans[:, 0] < end) & (spans[:, 1] > start)]
    if not within.size:  # as of most operations in flight
        return set()
    count = -(-(end - start) // size)
    first = np.clip((within[:, 0] - start) // size, 0, count - 1)
    last = np.clip((within[:, 1] - 1 - start) // size, 0, count - 1)
    depth = np.bincount(first, minlength=count + 1) - np.bincount(last + 1, minlength=count + 1)
    return {start + int(page) * size for page in np.flatnonzero(np.cumsum(depth) > 0)}
