"""Coalescing: do the lanes of a warp access neighboring elements of global memory?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..core.check_findings import Uncoalesced
from ..core.run import Counts, LineTraffic

#: A warp that loads 32 neighboring 4-byte elements needs 128 bytes: four sectors of 32 bytes.
#: (Doubles need twice that, bytes a quarter; one more if the first element doesn't start a sector,
#: as at a halo.)
FULL_WARP_OF_WORDS = 4


def find_uncoalesced(
    counts: Counts, at_most: float = FULL_WARP_OF_WORDS, traffic: Sequence[LineTraffic] = ()
) -> list[Uncoalesced]:
    """Global loads or stores that take more than `at_most` sectors per request, averaged over the
    whole launch.

    Loads and stores are checked separately, so coalesced accesses of one kind can't hide scattered
    ones of the other. Because it is an average, it misses a rare scattered access among many
    coalesced ones. The finding names the worst line if `traffic` has lines of that kind.
    """
    found = []
    sides: tuple[tuple[Literal["load", "store"], int, int], ...] = (
        ("load", counts.global_load_requests, counts.global_load_sectors),
        ("store", counts.global_store_requests, counts.global_store_sectors),
    )
    for action, requests, sectors in sides:
        if sectors > at_most * requests:
            lines = [line for line in traffic if (line.space, line.action) == ("global", action)]
            worst = max(lines, key=lambda line: line.units - at_most * line.requests, default=None)
            found.append(Uncoalesced(action=action, sectors=sectors, requests=requests, limit=at_most, worst=worst))
    return found
