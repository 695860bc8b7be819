"""Reads clang's syntax tree of a text: what there is of it that LLVM IR does not say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import zig

#: A node: `kind`, `loc` and `range` as clang writes them, and `inner` nodes.
Node = dict[str, Any]


def syntax_tree(flags: Sequence[str], folder: Path) -> Node:
    """The tree of what a compilation with these flags, in `folder`, declares after the precompiled prelude; an empty
    node if the compiler gets nowhere. Each place in it has its line."""
    written = zig.run([zig.executable(), "clang", *flags, "-ast-dump=json"], folder).stdout
    begins = re.search(r"^\{$", written, re.M)  # in a page, after the messages
    tree: Node = json.JSONDecoder().raw_decode(written, begins.start())[0] if begins else {}
    _fill_lines(tree, [0])
    return tree


def nodes(tree: Node) -> Iterator[Node]:
    """A node and all that are in it."""
    yield tree
    for inner in tree.get("inner", ()):
        yield from nodes(inner)


def line_of(node: Node) -> int:
    """The line where it begins."""
    begin = node.get("range", {}).get("begin", {})
    return int(begin.get("expansionLoc", begin).get("line", 0))


def _fill_lines(part: object, last: list[int]) -> None:
    # Clang leaves out a line that is that of the place before.
    if isinstance(part, dict):
        if "offset" in part:
            last[0] = part.setdefault("line", last[0])
        for inner in part.values():
            _fill_lines(inner, last)
    elif isinstance(part, list):
        for inner in part:
            _fill_lines(inner, last)
