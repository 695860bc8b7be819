"""Finds functions that a text defines for the host and once more for the GPU, which NVIDIA's compilers refuse.

Clang takes them for overloads, of which LLVM IR has only the GPU's. Its syntax tree has both, but takes as long as a
compilation. So a text's tree is only read if the compiler warns of a function that the IR lacks, where the IR has one
of the same name. It warns of functions that are neither static nor inline, nor templates or members.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from .annotations import FUNCTIONS, has_body
from .places import lines_by_place
from .syntax import Node, nodes, syntax_tree

#: The flag for these warnings.
NAMED = "-Wmissing-prototypes"
_WARNING = re.compile(
    rf"^kernel\.cu:(?P<line>\d+):\d+: warning: no previous prototype for function '(?P<name>[^']+)' \[{NAMED}\]\n"
    r"(?:.*: note: .*\n)*",
    re.M,
)
_ON_GPU = re.compile(r'!DISubprogram\(name: "([^"]*)",.*?\bline: (\d+)')


def without_warnings(log: str) -> str:
    """The compiler's messages without those that `NAMED` requests."""
    return _WARNING.sub("", log)


def find_two_sides(log: str, ir: str, source: str, flags: Sequence[str], folder: Path, *, is_program: bool) -> str:
    """Errors about such functions as the compiler would write them; "" if there are none.

    Args:
        log: what the compiler has written about `source`, with these flags and `NAMED`, in `folder`.
        ir: the LLVM IR that it has made.
        is_program: the syntax tree has the C++ library's headers, so only what has such a name is read of it.
    """
    on_gpu = defaultdict[str, set[str]](set)
    for name, line in _ON_GPU.findall(ir):
        on_gpu[name].add(line)
    defined = ((warning["name"].rpartition("::")[2], warning["line"]) for warning in _WARNING.finditer(log))
    names = {name for name, line in defined if name in on_gpu and line not in on_gpu[name]}
    trees = (syntax_tree(flags, folder, name) for name in (names if is_program else names and [""]))
    return "".join(error for tree in trees for error in two_sides_in(tree, source))


def two_sides_in(tree: Node, source: str) -> Iterator[str]:
    """The errors about such functions in a syntax tree of `source`."""
    places = {i: place for place, indices in lines_by_place(source.split("\n")).items() for i in indices}
    first: dict[str, str] = {}
    for node in nodes(tree):
        loc = node.get("loc", {})
        loc = loc.get("expansionLoc", loc)
        if (
            node.get("kind") not in FUNCTIONS
            or "mangledName" not in node
            or loc.get("file") != "kernel.cu"
            or not has_body(node)
        ):
            continue
        file, line = places[loc["line"] - 1]
        place = f"{file}:{line}:{loc['col']}"
        before = first.setdefault(node["mangledName"], place)
        if before != place:
            error = f"redefinition of '{node['name']}' for the host and the GPU"
            yield f"{place}: error: {error}\n{before}: note: previous definition is here\n"
