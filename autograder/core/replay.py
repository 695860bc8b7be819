"""A recorded launch, event by event in both directions: where its threads are, and what its arrays hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

from .run import TRACE_ACTIONS, Trace, landings_as_writes

_LANES = 32
_CHANGES = ("write", "atomic")


@dataclass(frozen=True)
class Scope:
    """Whose events count: those of all threads of a block, of the warp of one, or of one thread alone. All are linear
    indices."""

    block: int
    thread: int = 0
    threads: int = 1

    @classmethod
    def of(cls, kind: str, block: int, thread: int) -> Scope:
        """The thread itself, its "warp" or its "block"."""
        if kind == "thread":
            return cls(block, thread)
        return cls(block, thread // _LANES * _LANES, _LANES) if kind == "warp" else cls(block, 0, 1 << 30)


class Replay:
    """The moment before event `at` of a trace.

    Args:
        trace: of a launch.
        before: what the arrays in global memory held before it, by name.
    """

    def __init__(self, trace: Trace, before: Mapping[str, np.ndarray]) -> None:
        self.trace, self._before = trace, before
        self._events = landings_as_writes(trace.events)
        self.at = 0

    def move(self, scope: Scope, *, back: bool = False, line: int | None = None) -> bool:
        """Go to the next event of `scope`, or the one before (in `line`, if that is given); False if there is none, and
        then stay."""
        e = self._events
        wanted = (e["block"] == scope.block) & (e["thread"] >= scope.thread)
        wanted &= e["thread"] < scope.thread + scope.threads
        if line is not None:
            wanted &= e["line"] == line
        places = np.flatnonzero(wanted[: self.at] if back else wanted[self.at + 1 :])
        if not len(places):
            return False
        self.at = int(places[-1]) if back else int(places[0]) + self.at + 1
        return True

    def lines(self, block: int) -> dict[int, int]:
        """How many threads of a block are at each line, by the line of their next event (0: the kernel's end)."""
        e = self._events[self.at :]
        e = e[e["block"] == block]
        _, first = np.unique(e["thread"], return_index=True)
        lines, counts = np.unique(e["line"][first], return_counts=True)
        return dict(zip(lines.tolist(), counts.tolist(), strict=True))

    def array(self, name: str, block: int) -> np.ma.MaskedArray:
        """What an array holds now (of shared memory, that of `block`), in its own shape; elements of shared memory to
        which nothing was written are masked.

        Raises:
            KeyError: no event uses such an array, or its elements are not numbers.
        """
        number = self.trace.arrays.index(name) if name in self.trace.arrays else -1
        given = self._before.get(name)
        dtype = given.dtype if given is not None else self.trace.dtypes[number] if number >= 0 else None
        if dtype is None:
            raise KeyError(name)
        shape = self.trace.shapes[number] if given is None else given.shape
        raw = np.zeros(prod(shape) * dtype.itemsize, np.uint8) if given is None else given.view(np.uint8).ravel().copy()
        written = np.full(raw.shape, given is not None)
        e = self._events[: self.at]
        e = e[(e["array"] == number) & np.isin(e["action"], [TRACE_ACTIONS.index(action) for action in _CHANGES])]
        if given is None:
            e = e[e["owner"] == block]
        at = np.arange(e["value"].shape[1])
        part = at < e["size"][:, None]
        to = (e["offset"][:, None] + at)[part]
        raw[to], written[to] = e["value"][part], True  # of several writes, the last one stays
        known = written.reshape(-1, dtype.itemsize).all(axis=1)
        return np.ma.MaskedArray(raw.view(dtype), ~known).reshape(shape)
