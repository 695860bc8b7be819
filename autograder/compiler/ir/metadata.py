"""Fields of LLVM's metadata nodes, such as those that tell where in the source an instruction stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_ELEMENT = re.compile(r'!"[^"]*"|[^,{} ][^,{}]*')


def field(node: str, name: str) -> str:
    """One field of a node's text, without its quotes; empty if it has none of that name."""
    for found in _field(name).finditer(node):
        if found[1] is not None:
            return found[1].strip('"')
    return ""


@cache
def _field(name: str) -> re.Pattern[str]:
    # What stands in another field's quotes is no field.
    return re.compile(rf'[(,] ?{name}: ("[^"]*"|[^,)]*)|"[^"]*"')


def node_elements(node: str) -> list[str]:
    """The elements of a node's text that names no fields, such as `!{!5, !"int", i64 0}`."""
    return _ELEMENT.findall(node, node.index("{") + 1)


def location(metadata: Mapping[str, str], node: str) -> tuple[int, int] | None:
    """Line and column of a `DILocation`; None for any other node, or for none."""
    text = metadata.get(node, "").removeprefix("distinct ")
    if not text.startswith("!DILocation("):
        return None
    return int(field(text, "line") or 0), int(field(text, "column") or 0)
