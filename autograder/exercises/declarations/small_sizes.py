"""Small sizes of a contract's domain, in which together each two small values of two words come: what an answer does
wrong in a rare combination of two sizes shows in one of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from ...cuda.core.setting import Size
from .domain import Domain, OneOf, Range, Whole
from .sizes import THREADS

#: How many of the least values of a word are small,
_FIRST = 5
#: and what is around these,
_POWERS = (8, 16, 32, 64)
#: and the first options of a choice; but of the words that say how many threads there are, none beyond the last.
_OPTIONS, _MOST_THREADS = 8, 128
#: Another word's value is small, too, with its neighbors; so are these multiples of a number of threads.
_TIMES = (1, 2, 3)
#: Nothing else that is beyond this.
_MOST = 200

#: Values of two words.
_Pair = tuple[tuple[str, Any], tuple[str, Any]]


def small_sizes(name: str, domain: Domain) -> Iterator[Size]:
    """Yield the sizes, made as they are asked for, in an order that says nothing; the same for the same name of an
    exercise."""
    values = {word: _small(word, given) for word, given in domain.items()}
    order = {word: number for number, word in enumerate(domain)}
    if len(domain) == 1:
        yield from ({word: value} for word in domain for value in values[word])
        return
    pairs = [pair for two in combinations(domain, 2) for pair in _pairs(two, values, domain)]
    Random(f"{name} small").shuffle(pairs)
    left = set(pairs)
    for pair in pairs:
        if pair in left and (known := _completed(dict(pair), values, domain, left, order)):
            size = {word: known[word] for word in domain}
            left.difference_update(combinations(size.items(), 2))
            yield size


def _small(word: str, given: Range) -> list[Any]:
    """Return the small values of a word: at least its first, where no other bounds it."""
    most = _MOST_THREADS if word in THREADS else _MOST
    if isinstance(given, OneOf):
        return [each for each in given.options if _product(each) <= most][:_OPTIONS] or [given.options[0]]
    low = given.low if isinstance(given.low, int) else 0
    first = (low + i * given.by for i in range(_FIRST))
    return _numbers({*first, *(power + more for power in _POWERS for more in (-1, 0, 1))}, given, max(most, low))


def _product(option: Any) -> int:
    return math.prod(option) if isinstance(option, tuple) else option if isinstance(option, int) else 0


def _numbers(numbers: set[int], given: Whole, most: int) -> list[Any]:
    """Those of `numbers` that may be in a range: nearly always, for what bounds it may be another word."""
    low = given.low if isinstance(given.low, int) else 0
    high = given.high if isinstance(given.high, int) else most
    return [n for n in sorted(numbers) if low <= n <= min(high, most) and (n - low) % given.by == 0]


def _near(word: str, given: Range, other: str, value: Any) -> list[Any]:
    """Values of `word` around another word's."""
    if isinstance(given, OneOf) or not isinstance(value, int) or word in THREADS:
        return []
    times = _TIMES if other in THREADS else _TIMES[:1]
    return _numbers({value * many + more for many in times for more in (-1, 0, 1)}, given, _MOST)


def _pairs(two: tuple[str, str], values: dict[str, list[Any]], domain: Domain) -> Iterator[_Pair]:
    first, second = two
    pairs = {(a, b) for a in values[first] for b in values[second]}
    pairs |= {(a, b) for a in values[first] for b in _near(second, domain[second], first, a)}
    pairs |= {(a, b) for b in values[second] for a in _near(first, domain[first], second, b)}
    yield from (((first, a), (second, b)) for a, b in sorted(pairs, key=repr) if _fits({first: a, second: b}, domain))


def _fits(size: Size, domain: Domain) -> bool:
    """Return whether the words of `size` may be so, as far as those that bound them are known."""
    return all(domain[word].has(value, size) for word, value in size.items() if domain[word].needs <= size.keys())


def _completed(
    size: Size, values: dict[str, list[Any]], domain: Domain, left: set[_Pair], order: dict[str, int]
) -> Size | None:
    """`size` with a value for each word of `domain`, so that many pairs come that are `left`; None if a word has no
    value then."""
    known = dict(size)
    for word in domain:
        if word in known:
            continue
        before = [pair for pair in known.items() if order[pair[0]] < order[word]]
        after = [pair for pair in known.items() if order[pair[0]] > order[word]]
        best, most = None, -1
        for value in values[word]:
            here = (word, value)
            new = sum((pair, here) in left for pair in before) + sum((here, pair) in left for pair in after)
            if new > most and _fits({**known, word: value}, domain):
                best, most = value, new
        if most < 0:
            return None
        known[word] = best
    return known
