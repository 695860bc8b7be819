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
        texts: the lines of the text's own files, by the file's name and the line's number.
    """

    def __init__(self, rows: Sequence[tuple[int, str, int, int]], texts: Mapping[tuple[str, int], str]) -> None:
        self._rows, self._texts = rows, texts
        self._starts = [row[0] for row in rows]
        self._asked: dict[tuple[str, int, str], set[int]] = {}
        self.place = cache(self._place)

    def first(self, addresses: Iterable[int]) -> Place:
        """The first of the places that is in the text; the first address is that of an instruction, the others lie
        behind calls."""
        for i, address in enumerate(addresses):
            if (place := self.place(address + (i == 0))).line:
                return place
        return NOWHERE

    def calls_before(self, behind: int, function: str) -> int:
        """How many calls of a function stand before that one in its line, of those that were asked for.

        A column is that in the text with its macros expanded, so it only tells the order.
        """
        name, line, column = self._row(behind)
        asked = self._asked.setdefault((name, line, function), set())
        asked.add(column)
        return sum(other < column for other in asked)

    def _place(self, behind: int) -> Place:
        """The place of the call that ends at the address `behind`."""
        name, line, _ = self._row(behind)
        return Place(name, line, self._texts.get((name, line), "").strip()) if line else NOWHERE

    def _row(self, behind: int) -> tuple[str, int, int]:
        at = bisect_right(self._starts, behind - 1) - 1
        return self._rows[at][1:] if at >= 0 else ("", 0, 0)
