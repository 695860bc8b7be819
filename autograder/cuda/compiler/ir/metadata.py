"""Reads fields of LLVM's metadata nodes, such as an instruction's source location."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_ELEMENT = re.compile(r'!"[^"]*"|[^,{} ][^,{}]*')


def field(node: str, name: str) -> str:
    """One field of a node's text, without quotes; empty if the node has no such field."""
    for found in _field(name).finditer(node):
        if found[1] is not None:
            return found[1].strip('"')
    return ""


@cache
def _field(name: str) -> re.Pattern[str]:
    # Text inside another field's quotes is not a field.
    return re.compile(rf'[(,] ?{name}: ("[^"]*"|[^,)]*)|"[^"]*"')


def node_elements(node: str) -> list[str]:
    """Return the elements of a node without named fields, such as `!{!5, !"int", i64 0}`."""
    return _ELEMENT.findall(node, node.index("{") + 1)


def location(metadata: Mapping[str, str], node: str) -> tuple[int, int] | None:
    """Line and column of a `DILocation`; None for any other node, or none."""
    text = metadata.get(node, "").removeprefix("distinct ")
    if not text.startswith("!DILocation("):
        return None
    return int(field(text, "line") or 0), int(field(text, "column") or 0)
