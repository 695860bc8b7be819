"""Puts `__managed__` variables of a host's half where kernels can reach them, too.

Clang knows such variables for another maker's GPUs only. So `__managed__ int sum = 3;` becomes an ordinary variable,
which holds what is declared, and a reference to managed memory of that name, which begins with it. Lines stay.
"""

from __future__ import annotations

import re

from ..source.text import blank
from .device_bodies import ATTRIBUTE

_DECLARATION = re.compile(r"(?:\b(?:static|__device__)\s+)*\b__managed__\b([^;]*);")
_WORDS = re.compile(r"\b__(?:managed|device)__")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|<[^<>]*>")
#: The name in a declarator, which its extents, its value, or nothing follows.
_NAME = re.compile(r"(\w+)\s*(?:$|[\[({=])")


def share_managed(text: str, unit: str) -> str:
    """The text with its `__managed__` variables shared. `unit` is the name of the file's unit."""
    if "__managed__" not in text:
        return text  # most texts, and blanking one with its system headers takes a second
    code = blank(text)
    for found in reversed(list(_DECLARATION.finditer(code))):
        start, end = found.span()
        declaration, references = text[start:end], ""
        for at, name in reversed(_names(found[1])):
            at += found.start(1) - start
            declaration = f"{declaration[:at]}emu_managed_{declaration[at:]}"
            own = f"emu_managed_{name}"
            references = f' static auto& {name} = emu_managed<decltype({own}), {own}>("{unit}");{references}'
        text = text[:start] + _WORDS.sub("", declaration) + references + text[end:]
    return text


def _names(declarators: str) -> list[tuple[int, str]]:
    """Where each name stands in what follows `__managed__`, and the name."""
    flat = ATTRIBUTE.sub(lambda attribute: " " * len(attribute[0]), declarators)
    while _BRACKETS.search(flat):  # commas within brackets part no declarators
        flat = _BRACKETS.sub(lambda inner: "[" + "." * (len(inner[0]) - 1), flat)
    found = (_NAME.search(flat, part.start(), part.end()) for part in re.finditer(r"[^,]+", flat))
    return [(name.start(1), name[1]) for name in found if name]
