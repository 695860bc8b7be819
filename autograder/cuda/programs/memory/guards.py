"""Closes memory that the host shares with the GPU to the host, page by page, while operations in flight use it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ..timeline import Operation
from ..wire import Guard
from .access_spans import joined, uses
from .heap import Heap

#: The bits of mprotect: to read and to write.
OPEN, READ_ONLY, CLOSED = 3, 1, 0
PAGE = 4096


class Guards:
    """Knows which pages of pinned and managed memory are closed."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self._pages: dict[int, int] = {}
        self._seen: tuple[Sequence[Operation], int] = ((), 0)

    def access(self, page: int) -> int:
        """Return how the host may use a page."""
        return self._pages.get(page, OPEN)

    def open(self, page: int) -> None:
        """The page is open until the operations in flight are others."""
        self._pages.pop(page, None)

    def update(self, in_flight: Sequence[Operation]) -> list[Guard]:
        """Return what changes, now that these operations are in flight."""
        known, self._seen = self._seen, (in_flight, len(in_flight))
        if known[0] is in_flight and not any(operation.uses.bytes for operation in in_flight[known[1] :]):
            return []  # those that are new, if any, use no memory: events, for instance
        pages: dict[int, int] = {}
        shared = [memory for memory in self._heap.live() if memory.sort != "device"] if in_flight else []
        used = joined(operation.uses for operation in in_flight) if shared else uses()
        for memory in shared:
            read, written = used.pages(memory.address, memory.end, PAGE)
            pages |= dict.fromkeys(read, READ_ONLY) | dict.fromkeys(written, CLOSED)
        before, self._pages = self._pages, pages
        changed = [page for page in sorted({*before, *pages}) if before.get(page) != pages.get(page)]
        return _joined([(page, pages.get(page, OPEN)) for page in changed if self._is_there(page)])

    def _is_there(self, page: int) -> bool:
        known = self._heap.find(page)
        return known is not None and known.is_live


def _joined(pages: list[tuple[int, int]]) -> list[Guard]:
    """Guards for the pages and their accesses, one for all that follow each other."""
    out = []
    for _, same in itertools.groupby(enumerate(pages), key=lambda at: (at[1][0] - at[0] * PAGE, at[1][1])):
        (_, (first, access)), *more = same
        out.append(Guard(first, PAGE * (1 + len(more)), access))
    return out
