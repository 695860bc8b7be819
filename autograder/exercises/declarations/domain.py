"""A contract's domain: what each word of a size may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...cuda.core.setting import Size
from ...cuda.errors import GraderFault
from .draw import KINDS

#: The word of a size that says what kind of data its arrays hold, besides the words that the contract's functions take.
DATA = "data"


@dataclass(frozen=True)
class Whole:
    """Integers from `low` to `high`, in steps of `by`; a bound may be another word of the size."""

    low: int | str
    high: int | str
    by: int = 1

    def bounds(self, size: Size) -> tuple[int, int]:
        """Return the least and the greatest number, where the other words are those of `size`."""
        low = size[self.low] if isinstance(self.low, str) else self.low
        high = size[self.high] if isinstance(self.high, str) else self.high
        return -(-low // self.by) * self.by if isinstance(self.low, str) else low, high

    def values(self, size: Size) -> range:
        """Return all numbers, from the least on."""
        low, high = self.bounds(size)
        return range(low, high + 1, self.by)

    def has(self, value: object, size: Size) -> bool:
        return isinstance(value, int) and value in self.values(size)

    @property
    def needs(self) -> set[str]:
        """The other words that bound this one."""
        return {end for end in (self.low, self.high) if isinstance(end, str)}


@dataclass(frozen=True)
class OneOf:
    """The values of `options`, the simplest first."""

    options: tuple[Any, ...]
    needs = frozenset[str]()

    def values(self, size: Size) -> tuple[Any, ...]:
        """Return all values, from the simplest on."""
        return self.options

    def has(self, value: object, size: Size) -> bool:
        return value in self.options


Range = Whole | OneOf
Domain = Mapping[str, Range]


def whole(low: int | str, high: int | str, by: int = 1) -> Whole:
    """Integers from `low` to `high`, both included, in steps of `by`. A bound may be another word of the size:
    `n=whole(1, "block")`.

    Raises:
        GraderFault: there is no such number.
    """
    if by < 1 or (isinstance(low, int) and isinstance(high, int) and high < low):
        raise GraderFault(f"whole({low!r}, {high!r}, by={by}): there is no such number.")
    return Whole(low, high, by)


def one_of(*options: Any) -> OneOf:
    """One of `options`, the simplest first: `m=one_of(8, 16, 32)`, `block=one_of((8, 4), (32, 8))`.

    Raises:
        GraderFault: there are none.
    """
    if not options:
        raise GraderFault("one_of() needs at least one value.")
    return OneOf(options)


def power_of_two(low: int, high: int) -> OneOf:
    """Return the powers of 2 from `low` to `high`, both included.

    Raises:
        GraderFault: there are none.
    """
    return one_of(*(1 << k for k in range(high.bit_length()) if low <= 1 << k <= high))


def checked_domain(name: str, domain: Mapping[str, Any]) -> Domain:
    """`domain` with words that are bounds before those that they bound.

    Raises:
        GraderFault: a word has no range, or is bounded by a word that is no such number.
    """
    if not isinstance(domain, Mapping):
        raise GraderFault(f"The domain of {name} must be a dict, such as domain=dict(n=whole(1, 1000)).")
    for word, given in domain.items():
        if not isinstance(given, Whole | OneOf):
            raise GraderFault(f"The domain of {name}: {word} must be whole(...) or one_of(...), not {given!r}.")
    ordered: dict[str, Range] = {}
    while len(ordered) < len(domain):
        ready = {w: given for w, given in domain.items() if w not in ordered and given.needs <= ordered.keys()}
        if not ready:
            missing = next(w for w in domain if w not in ordered)
            raise GraderFault(f"The domain of {name}: the bounds of {missing} must be numbers or words of their own.")
        ordered |= ready
    return ordered


def outside(domain: Domain, size: Size) -> str:
    """Return what of `size` is not in `domain`, in words for the author; empty if all is."""
    if words := sorted(({*domain} ^ {*size}) - {DATA}):
        return f"has other words ({', '.join(words)})"
    if (kind := size.get(DATA, KINDS[0])) not in KINDS:
        return f"{DATA}={kind!r}"
    wrong = (word for word, given in domain.items() if word != DATA and not given.has(size[word], size))
    return next((f"{word}={size[word]!r}" for word in wrong), "")


def words_of(size: Size) -> dict[str, Any]:
    """Return the words of a size that a contract's own functions take."""
    return {word: value for word, value in size.items() if word != DATA}
