"""The syntax tree of a kernel's text, and edits of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from tree_sitter import Language, Node, Parser

from ....cuda.errors import GraderFault


@dataclass(frozen=True)
class Edit:
    """One change of a text: `replacement` for the characters from `start` to before `end`."""

    start: int
    end: int
    replacement: str

    def of(self, text: str) -> str:
        """`text` with this change."""
        return text[: self.start] + self.replacement + text[self.end :]


#: Makes edits of one kind at one node of a tree.
Operator = Callable[[Node], Iterator[Edit]]


def parse(text: str) -> Node:
    """The root of the tree of CUDA C++ `text`; its offsets are those of characters.

    Raises:
        GraderFault: the grammar does not know some construct of the text.
    """
    root = _parser().parse(_plain(text).encode()).root_node
    if root.has_error:
        lines = sorted({node.start_point[0] + 1 for node in walk(root) if node.is_error or node.is_missing})
        raise GraderFault(f"The grammar of CUDA C++ fails in line {', '.join(map(str, lines))} of:\n{text}")
    return root


def walk(node: Node) -> Iterator[Node]:
    """`node` and all below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


def text_of(node: Node) -> str:
    """The text of `node`."""
    assert node.text is not None  # it is kept with a tree that was parsed from bytes
    return node.text.decode()


def part(node: Node, field: str) -> Node:
    """The child of `node` that the grammar always gives it under the name `field`."""
    child = node.child_by_field_name(field)
    assert child is not None
    return child


def named(node: Node | None) -> list[Node]:
    """The children of `node` that are no punctuation and no comment."""
    return [] if node is None else [child for child in node.named_children if child.type != "comment"]


def replace(node: Node, *replacements: str) -> Iterator[Edit]:
    """An edit for each of `replacements` of the whole of `node`."""
    for replacement in replacements:
        yield Edit(node.start_byte, node.end_byte, replacement)


def called(node: Node) -> str:
    """The name of the function that `node` calls; "" if it is no call, or not by a name."""
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    return text_of(function) if function is not None and function.type == "identifier" else ""


def arguments(call: Node) -> list[Node]:
    """The arguments of a call."""
    return named(call.child_by_field_name("arguments"))


def function_around(node: Node) -> Node | None:
    """The function whose definition holds `node`; None outside of functions."""
    while node.parent is not None and node.type != "function_definition":
        node = node.parent
    return node if node.type == "function_definition" else None


def is_kernel(function: Node) -> bool:
    """Whether a function is a `__global__` one."""
    return any(child.type == "__global__" for child in function.children)


@cache
def _parser() -> Parser:
    import tree_sitter_cuda

    return Parser(Language(tree_sitter_cuda.language()))


def _plain(text: str) -> str:
    """`text` of equal length, with one byte for each character, and without what the grammar lacks: alignments,
    sizes of clusters, and pragmas before the body of a loop."""
    text = re.sub(r"__align__\(\w+\)|__cluster_dims__\([^()]*\)|#pragma[^\n]*", lambda found: " " * len(found[0]), text)
    return re.sub(r"[^\x00-\x7f]", "?", text)
