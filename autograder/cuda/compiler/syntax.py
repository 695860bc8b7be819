"""Reads clang's syntax tree of a text: what there is of it that LLVM IR does not say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from . import zig

_BEGINS = re.compile(r"^\{$", re.M)
#: A node: `kind`, `loc` and `range` as clang writes them, and `inner` nodes.
Node = dict[str, Any]


def syntax_tree(flags: Sequence[str], folder: Path, name: str = "") -> Node:
    """Return the tree of what a compilation with these flags, in `folder`, declares after the precompiled prelude; an
    empty node if the compiler gets nowhere. Each place in it has its file and line.

    Args:
        name: only declarations in whose qualified names this is.
    """
    chosen = [f"-ast-dump-filter={name}"] if name else []
    written = zig.run([zig.executable(), "clang", *flags, "-ast-dump=json", *chosen], folder).stdout
    trees, at = list[Node](), 0
    while (begins := _BEGINS.search(written, at)) and (name or not trees):  # in a page, after the messages
        tree, at = json.JSONDecoder().raw_decode(written, begins.start())
        trees.append(tree)
    whole: Node = {"inner": trees} if name else next(iter(trees), {})
    _fill_places(whole, {})
    return whole


def nodes(tree: Node) -> Iterator[Node]:
    """Yield a node and all that are in it."""
    yield tree
    for inner in tree.get("inner", ()):
        yield from nodes(inner)


def line_of(node: Node) -> int:
    """Return the line where it begins."""
    begin = node.get("range", {}).get("begin", {})
    return int(begin.get("expansionLoc", begin).get("line", 0))


def _fill_places(part: object, last: Node) -> None:
    # Clang leaves out what is as in the place before.
    if isinstance(part, dict):
        if "offset" in part:
            last.update({name: part.setdefault(name, last.get(name)) for name in ("file", "line")})
        for inner in part.values():
            _fill_places(inner, last)
    elif isinstance(part, list):
        for inner in part:
            _fill_places(inner, last)
