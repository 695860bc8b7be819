"""Which of the 32 banks of shared memory each lane of a request needs, and how many passes that takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .counting import check_counts, lanes_at_once
from .traced import WARP, Request, Traced

BANKS, WORD = 32, 4


@dataclass(frozen=True)
class Hit:
    """One 4-byte word of the array that some lanes need. `turn` is the pass that serves it, from 0.

    One pass serves several lanes at one word: the bank sends it to all of them.
    """

    word: int
    lanes: tuple[int, ...]
    turn: int

    @property
    def bank(self) -> int:
        return self.word % BANKS


@dataclass(frozen=True)
class Banks:
    """One request: its words by number, the passes over the banks, and the least passes for a request
    of this width. `conflicts` are the passes beyond those."""

    request: Request
    hits: tuple[Hit, ...]
    passes: int
    least: int

    @property
    def conflicts(self) -> int:
        return self.passes - self.least

    def words_in(self, bank: int) -> int:
        """Return how many different words one bank must deliver."""
        return sum(hit.bank == bank for hit in self.hits)


def from_trace(traced: Traced, request: Request) -> Banks:
    """Return the banks of one request, by the rule of the emulator's counts.

    Raises:
        ValueError: the array is not in shared memory, the access is an atomic, or the whole kernel, drawn
            like this, would not give what the emulator counted.
    """
    if request.array.space != "shared":
        raise ValueError(f"'{request.array.name}' is not shared memory, so it has no banks: use kernel-sectors.")
    if request.action == "atomic":
        raise ValueError(f"'{request.array.name}' is updated by atomics, whose passes are not drawn.")
    check_counts(traced)
    return divide(request)


def divide(request: Request) -> Banks:
    """Return the hits and passes of a request. Elements of 8 and 16 bytes go in parts of the warp, see
    lanes_at_once."""
    words = max(request.array.item // WORD, 1)
    addresses = np.full((1, WARP), -1)
    addresses[0, list(request.lanes)] = request.addresses
    group = int(lanes_at_once(addresses, words, request.action == "read")[0])
    hits: list[Hit] = []
    done = groups = 0
    for start in range(0, WARP, group):
        wanted: dict[int, list[int]] = {}
        for lane, address in zip(request.lanes, request.addresses, strict=True):
            if start <= lane < start + group:
                for word in range(address // WORD, address // WORD + words):
                    wanted.setdefault(word, []).append(lane)
        if not wanted:
            continue
        queues = [0] * BANKS
        for word, lanes in sorted(wanted.items()):
            hits.append(Hit(word, tuple(lanes), done + queues[word % BANKS]))
            queues[word % BANKS] += 1
        done += max(queues)
        groups += 1
    return Banks(request, tuple(sorted(hits, key=lambda hit: hit.word)), done, groups)
