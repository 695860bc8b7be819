"""Draws the sizes of cases from a contract's domain: few, small, and some of each kind of size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Any

from ...cuda.core.setting import Size
from .domain import DATA, Domain, OneOf, Range, Whole
from .draw import KINDS

#: Sizes that are drawn, of which few are chosen.
CANDIDATES = 300
#: The part of these whose numbers are all large.
LARGE = 0.15
#: The part of these with the fewest threads for the most data.
DEEP = 0.1
#: Beyond these, a number needs another type: signed and unsigned char, unsigned short.
_BEYOND = (127, 255, 65535)
#: Where the last row of a matrix begins beyond these, a place in it is no short, signed or unsigned, though its sides
#: may well be.
_PLACE_BEYOND = (32767, 65535)
#: Sizes that are drawn for each two sides and each of these places.
_WIDE = 6
#: With so much for each thread, what it counts is no unsigned char, even if it counts only every second time.
_DEEP = 500
#: Kinds of data with which such a thread counts much.
_COUNTED = ("any", "equal")
#: The words that say how many threads there are.
THREADS = ("grid", "block", "threads", "t")
#: Threads in a warp, which may seem to need no barriers.
_WARP = 32
#: A case of fewer elements says little of its kind of data.
_ENOUGH = 48
#: Above this many options, only the first and the last are required.
_FEW = 8


def complete(name: str, domain: Domain, sizes: Sequence[Size] = ()) -> tuple[Size, ...]:
    """`sizes`, and then sizes drawn from `domain`, so that all kinds come (`kinds_of`); small ones are preferred.

    Args:
        name: of the exercise; another one draws other sizes.
        domain: as `checked_domain` returns it; with a word for the kind of data, if there is data.
    """
    drawn = _candidates(name, domain, sizes)
    kinds = {key: kinds_of(size, domain) for key, size in drawn.items()}
    return *sizes, *_choose(drawn, kinds, _all(kinds.values()) - _all(kinds_of(size, domain) for size in sizes))


def draw_others(name: str, domain: Domain, sizes: Sequence[Size], seed: int) -> tuple[Size, ...]:
    """Other sizes than `sizes`, drawn by `seed`: of the same kinds, as far as they come, and of no kind besides."""
    known = _all(kinds_of(size, domain) for size in sizes)
    drawn = _candidates(f"{name} {seed}", domain, sizes)
    kinds = {key: of for key, size in drawn.items() if (of := kinds_of(size, domain)) <= known}
    return _choose(drawn, kinds, _all(kinds.values()))


def draw_many(text: str, domain: Domain, times: int) -> tuple[Size, ...]:
    """Sizes all over `domain`: all that there are, or else `times`, and some wide ones, drawn by `text`."""
    sizes: list[Size] = [{}]
    for word, given in domain.items():
        sizes = [{**size, word: value} for size in sizes for value in given.values(size)]
        if len(sizes) > times:
            return tuple(_candidates(text, domain, (), times).values())
    return tuple(sizes)


def _candidates(text: str, domain: Domain, known: Sequence[Size], times: int = CANDIDATES) -> dict[str, Size]:
    """Sizes other than those known; the same for the same text, in every process."""
    rng = Random(text)
    sizes = [*(_draw(domain, rng) for _ in range(times)), *_wide(domain, rng)]
    drawn: dict[str, Size] = {repr(size): size for size in sizes}
    for size in known:
        drawn.pop(repr({word: size.get(word, KINDS[0]) for word in domain}), None)
    return drawn


def _choose(drawn: Mapping[str, Size], kinds: dict[str, frozenset[str]], left: frozenset[str]) -> tuple[Size, ...]:
    """Few sizes that are of all the kinds that are `left`."""
    chosen = []
    effort = {key: _effort(drawn[key]) for key in kinds}
    missing = {key: kinds[key] & left for key in kinds}
    while left:
        best = max(missing, key=lambda key: (len(missing[key]) / effort[key], key))
        chosen.append(drawn[best])
        left -= missing[best]
        missing = {key: rest for key, of in missing.items() if (rest := of & left)}
    return tuple(chosen)


def _all(kinds: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*kinds)


def with_data(domain: Domain) -> Domain:
    """`domain`, and a word for the kind of data."""
    return {**domain, DATA: OneOf(KINDS)}


def kinds_of(size: Size, domain: Domain) -> frozenset[str]:
    """Of what kinds `size` is: at an end of a range, odd, beyond a type, with a matrix whose places are beyond one;
    below, at and above another number, a multiple of it or one more; with more data than the most threads, or with any
    data for each of several blocks; each option of a choice; nearly as many threads as there may be; one for each
    element, in a single warp, or in a block that is one larger than a power of two."""
    return frozenset(_kinds(size, domain))


def _kinds(size: Size, domain: Domain) -> Iterator[str]:
    for word, given in domain.items():
        value = size.get(word, KINDS[0] if word == DATA else None)
        if isinstance(given, OneOf):
            if word == DATA:
                yield from [f"{word} is {value}"] if effort_of(size) >= _ENOUGH else []
            elif len(given.options) <= _FEW or value in (given.options[0], given.options[-1]):
                yield f"{word} is {value}"
            continue
        low, high = given.bounds({**size})
        if isinstance(given.low, int) and value == low:
            yield f"{word} is least"
        if isinstance(given.high, int) and value + given.by > high:
            yield f"{word} is greatest"
        if value % 2:
            yield f"{word} is odd"
        yield from (f"{word} is beyond {end}" for end in _BEYOND if value > end)
        if value & (value - 1) and value > 2:
            yield f"{word} between powers of two"
        if value % 32 == 0:
            yield f"{word} has whole warps"
        if word in THREADS and 0 < high - value <= max(given.by, _WARP):
            yield f"{word} is nearly greatest"
    for word, other in _sides(domain):
        place = _last_row(size[word], size[other])
        yield from (f"{word} * {other} is beyond {end}" for end in _PLACE_BEYOND if place > end)
    ranges = {word: given for word, given in domain.items() if isinstance(given, Whole)}
    if all(size[word] >= _large(given, size) for word, given in ranges.items()):
        yield "all are large"
        if all(size[word] % 16 or given.by % 16 == 0 for word, given in ranges.items()):
            yield "all are large and uneven"
    numbers = _numbers(size, domain)
    for (word, value), (other, against) in permutations(numbers.items(), 2):
        if word in other or other in word:
            continue
        if other in THREADS and value > 3 * against and numbers.get("n", value) >= numbers.get("grid * block", 0):
            yield f"{word} is more than three times {other}"
        if other in THREADS and value > against == _greatest(domain.get(other)):
            yield f"{word} > {other}, which is greatest"
        if word < other:
            yield f"{word} {'<' if value < against else '=' if value == against else '>'} {other}"
        if other in THREADS and 1 < value == against <= _WARP:
            yield f"{word} = {other}, in one warp"
        if other in THREADS and value == against > _WARP and not (value - 1) & (value - 2):
            yield f"{word} = {other}, one more than a power of two"
        if value > against > 1 and value % against < 2:
            yield f"{word} is {['a multiple of', 'one more than a multiple of'][value % against]} {other}"

    threads = numbers.get("grid * block", numbers.get("block", 0))
    if numbers.get("grid", 1) > 1 and numbers.get("n", 0) >= threads and size.get(DATA, KINDS[0]) == KINDS[0]:
        yield "several blocks, each with any data"
    if threads and numbers.get("n", 0) > _DEEP * threads and size.get(DATA, KINDS[0]) in _COUNTED:
        yield f"deep, {DATA} is {size.get(DATA, KINDS[0])}"


def _sides(domain: Domain) -> Iterator[tuple[str, str]]:
    """Return each two words that may be the sides of a matrix, and have room in a short; `n` is how many elements there
    are of something that has no rows, or both sides."""
    ranges = {word: given for word, given in domain.items() if isinstance(given, Whole) and not given.needs}
    sides = [word for word, given in ranges.items() if given.bounds({})[1] <= 32767]
    return combinations([word for word in sides if word not in ("n", *THREADS)], 2)


def _last_row(side: int, other: int) -> int:
    """Return where the last row or column of a matrix begins, whichever way it is stored."""
    return side * other - max(side, other)


def _large(given: Whole, size: Size) -> int:
    """Return what is large in a range: beyond the least third of its numbers."""
    numbers = given.values(size)
    return numbers[len(numbers) // 3]


def _greatest(given: Range | None) -> int | None:
    """Return the greatest number of a range that no other word bounds."""
    if isinstance(given, OneOf):
        return max((value for value in given.options if isinstance(value, int)), default=None)
    return given.values({})[-1] if given and not given.needs else None


def _numbers(size: Size, domain: Domain) -> dict[str, int]:
    """Return the integers of a size by their words, and how many threads a grid has."""
    numbers = {word: size[word] for word in domain if isinstance(size.get(word), int)}
    if {"grid", "block"} <= numbers.keys():
        numbers["grid * block"] = numbers["grid"] * numbers["block"]
    return numbers


def effort_of(size: Size) -> int:
    """About how much there is to do in a case of `size`: the product of its numbers, blocks apart."""
    return math.prod(abs(value) for word, value in size.items() if isinstance(value, int) and word != "block")


def _effort(size: Size) -> float:
    block = size.get("block", 1)
    threads = block if isinstance(block, int) else math.prod(block)
    return float((effort_of(size) + threads + 500) ** 0.5)


def _draw(domain: Domain, rng: Random) -> dict[str, Any]:
    size: dict[str, Any] = {}
    kind = rng.random()
    large, deep = kind < LARGE, LARGE <= kind < LARGE + DEEP
    for word, given in domain.items():
        if deep and word in THREADS:
            size[word] = given.values(size)[0]
        elif isinstance(given, OneOf):
            size[word] = rng.choice(given.options)
        elif large or (deep and word == "n"):
            numbers = given.values(size)
            size[word] = rng.choice(numbers[len(numbers) // 3 if large else -len(numbers) // 20 :])
        else:
            size[word] = _number(given.values(size), [*_numbers(size, domain).values()], rng)
    return size


def _wide(domain: Domain, rng: Random) -> Iterator[dict[str, Any]]:
    """Sizes with a matrix of which the last row barely begins beyond a type; the other numbers are small."""
    for (word, other), end in product(_sides(domain), _PLACE_BEYOND):
        sides, others = domain[word].values({}), domain[other].values({})
        enough = [side for side in sides if _last_row(side, others[-1]) > end]
        for _ in range(_WIDE if enough else 0):
            size: dict[str, Any] = {word: rng.choice(enough)}
            size[other] = next(number for number in others if _last_row(size[word], number) > end)
            for rest, given in domain.items():
                if rest not in size:
                    numbers = given.values(size)
                    size[rest] = rng.choice(numbers if isinstance(given, OneOf) or rest in THREADS else numbers[:2])
            yield {name: size[name] for name in domain}


def _number(numbers: range, others: Sequence[int], rng: Random) -> int:
    """One of `numbers`: one of the first or last two, or near one of the size's `others`, or near a power of 2, or any,
    small ones more often."""
    kind = rng.randrange(5)
    if kind == 0:
        return numbers[rng.choice((0, -1, min(1, len(numbers) - 1), max(-2, -len(numbers))))]
    if kind in (1, 2) and others:
        near = rng.choice(others) * rng.randint(1, 3) + rng.randint(-1, 1)
        return near if near in numbers else numbers[0]
    near = (1 << rng.randint(0, numbers[-1].bit_length())) + rng.randint(-1, 1)
    if kind == 3 and near in numbers:
        return near
    return numbers[min(int(math.exp(rng.uniform(0, math.log(len(numbers) + 1)))) - 1, len(numbers) - 1)]
