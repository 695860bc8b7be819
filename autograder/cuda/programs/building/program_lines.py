"""Where in a program's text an address of its code belongs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from ...core.host_findings import NOWHERE, Place


class ProgramLines:
    """Maps addresses to places.

    Args:
        rows: (address, file's name, line, column) in order, line 0 for code of others.
        texts: the lines of the user's files, by the file's name and the line's number.
    """

    def __init__(self, rows: Sequence[tuple[int, str, int, int]], texts: Mapping[tuple[str, int], str]) -> None:
        self._rows, self._texts = rows, texts
        self._starts = [row[0] for row in rows]
        self._columns: dict[tuple[str, int, str], set[int]] = {}
        self.place = cache(self._place)

    def first(self, addresses: Iterable[int]) -> Place:
        """Return the first place in the user's text; the first address is that of an instruction, the others follow
        calls."""
        for i, address in enumerate(addresses):
            if (place := self.place(address + (i == 0))).line:
                return place
        return NOWHERE

    def calls_before(self, after: int, function: str) -> int:
        """Return how many calls of a function precede this call in its line, of those that were looked up.

        A column is that in the text with its macros expanded, so it only tells the order.
        """
        name, line, column = self._row(after)
        columns = self._columns.setdefault((name, line, function), set())
        columns.add(column)
        return sum(other < column for other in columns)

    def _place(self, after: int) -> Place:
        """Return the place of the call that ends at the address `after`."""
        name, line, _ = self._row(after)
        return Place(name, line, self._texts.get((name, line), "").strip()) if line else NOWHERE

    def _row(self, after: int) -> tuple[str, int, int]:
        at = bisect_right(self._starts, after - 1) - 1
        return self._rows[at][1:] if at >= 0 else ("", 0, 0)
