"""Bank conflicts: do the lanes of a warp wait for each other at the banks of shared memory?"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.check_findings import BankConflicts
from ..core.run import Counts, LineTraffic


def find_bank_conflicts(counts: Counts, traffic: Sequence[LineTraffic] = ()) -> list[BankConflicts]:
    """One finding if any shared load or store of the launch needed more than one pass over the
    banks; it names the worst line if `traffic` has lines of shared memory."""
    if counts.shared_load_conflicts + counts.shared_store_conflicts == 0:
        return []
    return [
        BankConflicts(
            load_conflicts=counts.shared_load_conflicts,
            load_requests=counts.shared_load_requests,
            store_conflicts=counts.shared_store_conflicts,
            store_requests=counts.shared_store_requests,
            worst=max(
                (line for line in traffic if line.space == "shared"), key=lambda line: line.conflicts, default=None
            ),
        )
    ]
