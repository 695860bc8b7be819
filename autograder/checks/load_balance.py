"""Load balance: do the threads of a launch share its work, or does one do it for the others?"""

from __future__ import annotations

from ..core.check_findings import LoadImbalance
from ..core.findings import Access
from ..core.run import Counts, MaximumWork


def find_load_imbalance(work: MaximumWork, counts: Counts, threads: int, at_most: int) -> list[LoadImbalance]:
    """One finding if any thread accesses memory more than `at_most` times, as `MaximumWork` counts.

    Its access is the line with the most of these accesses. `threads` is the launch's thread count.
    """
    if work.uses <= at_most:
        return []
    access = Access(work.block, work.thread, work.line, work.text)
    loads_and_stores = counts.global_loads + counts.global_stores + counts.shared_loads + counts.shared_stores
    found = LoadImbalance(
        accesses=(access,),
        measured=work.uses,
        at_line=work.at_line,
        limit=at_most,
        total=loads_and_stores + counts.atomics,
        threads=threads,
    )
    return [found]
