"""Puts `__managed__` variables of a host's half where kernels can reach them, too.

Clang knows such variables for another maker's GPUs only. So `__managed__ int sum = 3;` becomes an ordinary variable,
which holds what is declared, and a reference to managed memory of that name, which begins with it. Lines stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..source.text import blank
from .device_bodies import ATTRIBUTE

_DECLARATION = re.compile(r"(?:\b(?:static|__device__)\s++){0,2}+\b__managed__\b((?:[^;_]|_(?!_managed__))*+);")
_WORDS = re.compile(r"\b__(?:managed|device)__")
_BRACKET = re.compile(r"[()\[\]{}<>]")
_OPENED_BY = {")": "(", "]": "[", "}": "{", ">": "<"}
#: The name in a declarator, which its extents, its value, or nothing follows.
_NAME = re.compile(r"\b(\w++)\s*+(?:$|[\[({=])")


def share_managed(text: str, unit: str) -> str:
    """The text with its `__managed__` variables shared. `unit` is the name of the file's unit."""
    if "__managed__" not in text:
        return text  # most texts, and blanking one with its system headers takes a second
    parts, done = [], 0
    for found in _DECLARATION.finditer(blank(text)):
        parts.append(text[done : found.start()])
        declaration, done = [], found.start()
        names = _names(found[1])
        for at, _ in names:
            declaration.append(text[done : found.start(1) + at])
            done = found.start(1) + at
        declaration.append(text[done : found.end()])
        parts.append(_WORDS.sub("", "emu_managed_".join(declaration)))
        for _, name in names:
            own = f"emu_managed_{name}"
            parts.append(f' static auto& {name} = emu_managed<decltype({own}), {own}>("{unit}");')
        done = found.end()
    return "".join([*parts, text[done:]])


def _names(declarators: str) -> list[tuple[int, str]]:
    """Where each name stands in what follows `__managed__`, and the name."""
    flat = ATTRIBUTE.sub(lambda attribute: " " * len(attribute[0]), declarators)
    parts, done = list[str](), 0
    for start, end in _in_brackets(flat):  # commas there part no declarators
        parts += flat[done:start], "[", "." * (end - start - 1)
        done = end
    flat = "".join([*parts, flat[done:]])
    found = (_NAME.search(flat, part.start(), part.end()) for part in re.finditer(r"[^,]+", flat))
    return [(name.start(1), name[1]) for name in found if name]


def _in_brackets(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each pair of brackets with what is in it, in order; of pairs within pairs, the outermost. What
    does not close, such as a sign for "less than", is no pair."""
    opened: list[int] = []
    pairs: list[tuple[int, int]] = []
    for sign in _BRACKET.finditer(text):
        if sign[0] not in _OPENED_BY:
            opened.append(sign.start())
            continue
        while opened and text[opened[-1]] == "<" != _OPENED_BY[sign[0]]:
            opened.pop()
        if opened and text[opened[-1]] == _OPENED_BY[sign[0]]:
            start = opened.pop()
            while pairs and pairs[-1][0] > start:
                pairs.pop()
            pairs.append((start, sign.end()))
    yield from pairs
