"""Coalescing: do the lanes of a warp access neighboring elements of global memory, and do so together?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..core.check_findings import Uncoalesced
from ..core.run import Counts, LineTraffic

#: A warp that loads 32 neighboring 4-byte elements needs 128 bytes: four sectors of 32 bytes, and one more if the
#: first element doesn't start a sector. `Counts` takes that for the best; other widths follow.
FULL_WARP_OF_WORDS = 5


def find_uncoalesced(
    counts: Counts, at_most: float = FULL_WARP_OF_WORDS, traffic: Sequence[LineTraffic] = ()
) -> list[Uncoalesced]:
    """Global loads or stores that move more sectors, in the whole launch, than its warps need for what their threads
    access.

    Loads and stores are checked separately, so coalesced accesses of one kind can't hide scattered ones of the other.
    Because it is a total, it misses a rare scattered access among many coalesced ones. The finding names the worst
    line if `traffic` has lines of that kind.

    Args:
        counts: what the launch did.
        at_most: how many sectors 32 lanes may move for 4 bytes each; in proportion for other widths.
        traffic: what each line did.
    """
    found = []
    sides: tuple[tuple[Literal["load", "store"], int, int, int], ...] = (
        ("load", counts.global_load_requests, counts.global_load_sectors, counts.global_load_sectors_at_best),
        ("store", counts.global_store_requests, counts.global_store_sectors, counts.global_store_sectors_at_best),
    )
    for action, requests, sectors, at_best in sides:
        limit = int(at_best * at_most / FULL_WARP_OF_WORDS)
        if sectors > limit:
            lines = [line for line in traffic if (line.space, line.action) == ("global", action)]
            worst = max(lines, key=lambda line: line.units - line.units_at_best, default=None)
            found.append(Uncoalesced(action=action, sectors=sectors, requests=requests, limit=limit, worst=worst))
    return found
