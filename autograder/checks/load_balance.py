"""Load balance: do the threads of a launch share its work, or does one do it for the others?"""

from __future__ import annotations

from ..core.check_findings import UnsharedWork
from ..core.findings import Access
from ..core.run import Busiest, Counts


def find_unshared_work(busiest: Busiest, counts: Counts, threads: int, at_most: int) -> list[UnsharedWork]:
    """One finding if any thread accesses memory more than `at_most` times, as `Busiest` counts.

    Its access is the line with the most of these accesses. `threads` is the launch's thread count.
    """
    if busiest.uses <= at_most:
        return []
    access = Access(busiest.block, busiest.thread, busiest.line, busiest.text)
    loads_and_stores = counts.global_loads + counts.global_stores + counts.shared_loads + counts.shared_stores
    found = UnsharedWork(
        accesses=(access,),
        measured=busiest.uses,
        at_line=busiest.at_line,
        limit=at_most,
        total=loads_and_stores + counts.atomics,
        threads=threads,
    )
    return [found]
