"""Do the lanes of a warp use neighboring elements of global memory?"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.findings import Finding, Kind
from ..core.run import Counts, LineTraffic

#: A warp that loads 32 neighboring 4-byte elements needs 128 bytes: four sectors of 32 bytes.
#: (Twice that for doubles, a quarter of it for bytes; one more where the first element does not
#: begin a sector, as at a halo.)
FULL_WARP_OF_WORDS = 4


def find_uncoalesced(
    counts: Counts, at_most: float = FULL_WARP_OF_WORDS, traffic: Sequence[LineTraffic] = ()
) -> list[Finding]:
    """Global loads or stores that take more than `at_most` sectors a request, on average over the
    whole launch.

    Loads and stores are judged apart, so that coalesced ones of one sort cannot hide scattered ones
    of the other. Being an average, it misses a rarely executed scattered access among many
    coalesced ones. Detail: `action` ("load", "store"), `sectors`, `requests`, `measured` (sectors
    per request), `limit`; `worst`, the LineTraffic of the line that takes most sectors beyond the limit, None where
    `traffic` has none of that sort.
    """
    found = []
    for action, requests, sectors in (
        ("load", counts.global_load_requests, counts.global_load_sectors),
        ("store", counts.global_store_requests, counts.global_store_sectors),
    ):
        if sectors > at_most * requests:
            detail = {
                "action": action,
                "sectors": sectors,
                "requests": requests,
                "measured": sectors / requests,
                "limit": at_most,
                "worst": max(
                    (line for line in traffic if (line.space, line.action) == ("global", action)),
                    key=lambda line: line.units - at_most * line.requests,
                    default=None,
                ),
            }
            found.append(Finding(Kind.UNCOALESCED, detail=detail))
    return found
