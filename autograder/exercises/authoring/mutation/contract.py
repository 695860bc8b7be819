"""What an exercise's contract says of every launch that its domain allows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....cuda.core.launch import Launch
from ....cuda.core.setting import Size
from ...declarations.domain import Domain, OneOf, Range, Whole
from .intervals import Span

AXES = "xyz"


@dataclass(frozen=True)
class Contract:
    """The least and the greatest that a kernel's integers may be, and the sizes of its grid and block, by their
    names in CUDA; and `relations` between them, as conditions in CUDA."""

    spans: Mapping[str, Span]
    relations: tuple[str, ...] = ()


def corners(domain: Domain) -> Iterator[Size]:
    """The sizes at the ends of all ranges. The numbers of a launch grow or fall with each word of a size (they are
    words, products, quotients rounded up), so they are greatest and least at some of these."""
    sizes: list[dict[str, object]] = [{}]
    for word, given in domain.items():
        sizes = [{**size, word: value} for size in sizes for value in _ends(given, size)]
    yield from sizes


def contract_of(sizes: Sequence[Size], domain: Domain, launch_of: Callable[[Size], Launch]) -> Contract:
    """The contract of launches of a domain.

    Args:
        sizes: of all cases, besides the corners.
        launch_of: makes the launch of a size.
    """
    numbers = [(size, dict(_numbers(launch_of(size)))) for size in (*corners(domain), *sizes)]
    names = numbers[0][1].keys()
    spans = {name: (min(of[name] for _, of in numbers), max(of[name] for _, of in numbers)) for name in names}
    words = {word: [name for name in names if all(of[name] == size[word] for size, of in numbers)] for word in domain}
    equal = (f"{name} == {first}" for first, *others in filter(None, words.values()) for name in others)
    return Contract(spans, (*equal, *_relations(domain, {word: names[0] for word, names in words.items() if names})))


def _ends(given: Range, size: Size) -> Sequence[object]:
    values = given.values(size)
    return [*dict.fromkeys((values[0], values[-1]))] if isinstance(given, Whole) else values


def _numbers(launch: Launch) -> Iterator[tuple[str, int]]:
    for axis in range(3):
        yield f"gridDim.{AXES[axis]}", launch.grid[axis]
        yield f"blockDim.{AXES[axis]}", launch.block[axis]
    for parameter, given in zip(launch.signature.parameters, launch.args, strict=True):
        if isinstance(given, np.generic) and given.dtype.kind in "iu":
            yield parameter.name, int(given)


def _relations(domain: Domain, words: Mapping[str, str]) -> Iterator[str]:
    """What the ranges of words say besides their ends, of words that are numbers of a launch."""
    for word, given in domain.items():
        if not (name := words.get(word)):
            continue
        if isinstance(given, OneOf):
            options = [int(option) for option in given.options]
            if all(option & (option - 1) == 0 for option in options):
                yield f"({name} & ({name} - 1)) == 0"
            step = math.gcd(*options)
        else:
            step = math.gcd(given.low, given.by) if isinstance(given.low, int) else given.by
            for end, sign in ((given.low, ">="), (given.high, "<=")):
                if isinstance(end, str) and end in words:
                    yield f"{name} {sign} {words[end]}"
        if step > 1:
            yield f"{name} % {step} == 0"
