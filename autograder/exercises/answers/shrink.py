"""The smallest case in which a check fails: the easiest to follow by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...cuda.core.setting import Size
from ..declarations.domain import DATA, Domain, outside

#: Most sizes that are tried.
TRIES = 40
_Found = TypeVar("_Found")


def shrink(size: Size, domain: Domain, find: Callable[[Size], _Found | None]) -> _Found | None:
    """Return what `find` finds in the smallest size of `domain` that was found; None if there is none smaller than
    `size`.

    Args:
        size: one for which it finds something.
        find: returns None for a size in which there is nothing; called for at most `TRIES` of them.
    """
    smallest = _Smallest(size, domain, find)
    if DATA in size:
        smallest.try_words({word: value for word, value in size.items() if word != DATA})
    before: Size = {}
    while before != smallest.size:
        before = smallest.size
        for word in domain:
            smallest.lower(word)
    return smallest.found


class _Smallest:
    """The smallest size until now for which something was `found`."""

    def __init__(self, size: Size, domain: Domain, find: Callable[[Size], Any]) -> None:
        self.size, self.found = size, None
        self._domain, self._find = domain, find
        self._left = TRIES

    def try_words(self, size: Size) -> bool:
        """Return whether something is found in `size`, which then is the smallest."""
        if not self._left or outside(self._domain, size):
            return False
        self._left -= 1
        found = self._find(size)
        if found is not None:
            self.size, self.found = size, found
        return found is not None

    def lower(self, word: str) -> None:
        """Lower one word as far as it goes: to its first value, or by bisection."""
        values = self._domain[word].values(self.size)
        at = values.index(self.size[word])
        if at == 0 or self.try_words({**self.size, word: values[0]}):
            return
        least = 0
        while at - least > 1:
            middle = (least + at) // 2
            if self.try_words({**self.size, word: values[middle]}):
                at = middle
            else:
                least = middle
