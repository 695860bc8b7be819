"""Do the lanes of a warp wait for each other at the banks of shared memory?"""

from __future__ import annotations

from ..findings import Finding, Kind
from ..run import Counts


def find_bank_conflicts(counts: Counts) -> list[Finding]:
    """One finding if any shared load or store of the launch needed more than one pass over the
    banks. Detail: `load_conflicts`, `load_requests`, `store_conflicts`, `store_requests`."""
    if counts.shared_load_conflicts + counts.shared_store_conflicts == 0:
        return []
    detail = {
        "load_conflicts": counts.shared_load_conflicts,
        "load_requests": counts.shared_load_requests,
        "store_conflicts": counts.shared_store_conflicts,
        "store_requests": counts.shared_store_requests,
    }
    return [Finding(Kind.BANK_CONFLICTS, detail=detail)]
