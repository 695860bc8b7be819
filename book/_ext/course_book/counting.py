"""Count a traced run's requests by the emulator's own rules, so that figures agree with its counts."""

from __future__ import annotations

import numpy as np

from .traced import READ, WARP, WRITE, Traced, record_starts

#: The widest access that a thread makes in one instruction, in bytes.
_WIDEST = 16
#: What the accesses of one request have in common.
_REQUEST = ("block", "warp", "interval", "array", "action", "line", "turn")


def request_numbers(accesses: np.ndarray) -> np.ndarray:
    """For each access, the number of its request, from 0."""
    # Like np.unique on records, in a tenth of its time.
    order = np.lexsort([accesses[field] for field in reversed(_REQUEST)])
    first = record_starts(accesses[order], *_REQUEST)
    numbers = np.zeros(len(accesses), dtype=np.int64)
    numbers[order] = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(accesses))))
    return numbers


def count_sectors(accesses: np.ndarray) -> tuple[int, int]:
    """Requests and sectors of these accesses, by the emulator's rule: a sector is 32 bytes, and a
    request needs once each sector in which one of its elements begins."""
    requests = request_numbers(accesses)
    # As one number: for pairs, np.unique takes ten times as long. No array has 2^32 sectors.
    pairs = np.unique(requests * 2**32 + accesses["address"] // 32)
    return len(np.unique(requests)), len(pairs)


def lanes_at_once(addresses: np.ndarray, words: int, load: bool) -> np.ndarray:
    """Return how many neighboring lanes an H200 serves together, for each request: the warp, or half of it for 8-byte
    elements, a quarter for 16-byte ones. Two such parts merge in a load in which every lane agrees with its neighbor,
    or every lane with the neighbor of that.

    Args:
        addresses: shape (requests, 32), the first byte that each lane wants; -1 if it wants nothing.
        words: 4-byte words of an element; at least 1.
    """
    parts = np.full(len(addresses), WARP // words)
    if load and words > 1:
        for distance in (1, 2):
            other = addresses[:, np.arange(WARP) ^ distance]
            agree = ((addresses == other) | (addresses < 0) | (other < 0)).all(axis=1)
            parts[agree] = 2 * WARP // words
    return parts


def count_conflicts(accesses: np.ndarray, items: np.ndarray, load: bool) -> tuple[int, int]:
    """Requests and conflicts of these loads, or stores, to shared memory, by the emulator's rule: 32 banks
    of 4-byte words; each additional word that lanes served together need from their fullest bank is
    one conflict."""
    requests = request_numbers(accesses)
    conflicts = 0
    widths = np.maximum(items[accesses["array"]] // 4, 1)
    for words in np.unique(widths):
        mine, numbers = accesses[widths == words], requests[widths == words]
        addresses = np.full((numbers.max() + 1, WARP), -1)
        addresses[numbers, mine["lane"]] = mine["address"]
        group = numbers * WARP + mine["lane"] // lanes_at_once(addresses, words, load)[numbers]
        word = (mine["address"][:, None] // 4 + np.arange(words)).ravel()
        needed = np.unique(np.stack([np.repeat(group, words), word]), axis=1)
        banks, depth = np.unique(np.stack([needed[0], needed[1] % 32]), axis=1, return_counts=True)
        starts = np.flatnonzero(np.append(True, banks[0][1:] != banks[0][:-1]))
        conflicts += int((np.maximum.reduceat(depth, starts) - 1).sum())
    return len(np.unique(requests)), conflicts


def check_counts(traced: Traced) -> None:
    """Check the figures' requests against the emulator's counts in the same run.

    Raises:
        ValueError: they differ, so a figure of a request would not show what was counted.
    """
    counts, accesses = traced.run.counts, traced.accesses
    assert counts is not None
    items = np.array([array.item for array in traced.arrays])
    for number in np.unique(accesses["array"]):
        array = traced.arrays[number]
        if array.item > _WIDEST:
            raise ValueError(
                f"{traced.file}: an element of '{array.name}' has {array.item} bytes, and a trace does not say "
                "which of them an access needs: declare it as an array of numbers."
            )
    shared = np.array([array.space == "shared" for array in traced.arrays])[accesses["array"]]
    for action, verb in ((READ, "load"), (WRITE, "store")):
        mine = accesses["action"] == action
        for space, drawn in (
            ("global", count_sectors(accesses[mine & ~shared])),
            ("shared", count_conflicts(accesses[mine & shared], items, action == READ)),
        ):
            what = "sectors" if space == "global" else "conflicts"
            counted = tuple(getattr(counts, f"{space}_{verb}_{counted_what}") for counted_what in ("requests", what))
            if drawn != counted:
                raise ValueError(
                    f"{traced.file}: its {space} {verb}s are {counted[0]} requests with {counted[1]} {what} as "
                    f"counted, but {drawn[0]} with {drawn[1]} as drawn. Put each access to an array on a line of "
                    "its own, and let the lanes of a warp go through a loop equally often."
                )
