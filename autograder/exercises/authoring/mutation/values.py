"""Mutation operators on a `%%values` cell: a launch's grid, block and shared memory, or predicted numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....cuda.performance.roofline import LIMITS
from .syntax import Edit

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.Div: "*",
    ast.FloorDiv: "*",
    ast.Mod: "+",
    ast.Pow: "*",
}
_LIMITS = tuple(LIMITS)


def find_edits(text: str) -> Iterator[tuple[str, Edit]]:
    """Each edit of a cell, after the name of its operator. A cell's lines `word = expression` are Python, too."""
    for line in ast.parse(text).body:
        if isinstance(line, ast.Assign):
            numbers = line.value.elts if isinstance(line.value, ast.Tuple) else [line.value]
            for number in numbers:
                if not isinstance(number, ast.Constant | ast.Name):
                    for way in ("+ 1", "- 1"):
                        yield "shift_value", _edit(text, number, f"{_text(text, number)} {way}")
            for node in ast.walk(line.value):
                if isinstance(node, ast.expr):
                    yield from _edits_at(text, node)


def _edits_at(text: str, node: ast.expr) -> Iterator[tuple[str, Edit]]:
    if isinstance(node, ast.BinOp):
        left, right = f"({_text(text, node.left)})", f"({_text(text, node.right)})"
        for other in (f"{left} {_ARITHMETIC[type(node.op)]} {right}", left, right):
            yield "change_arithmetic", _edit(text, node, other)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "change_constant", _edit(text, node, str(node.value + 1))
        yield "change_constant", _edit(text, node, f"({node.value - 1})")
    elif isinstance(node, ast.Tuple):
        axes = [_text(text, axis) for axis in node.elts]
        yield "swap_axes", _edit(text, node, ", ".join([axes[1], axes[0], *axes[2:]]))
        yield "swap_axes", _edit(text, node, axes[0])
    elif isinstance(node, ast.Call):
        above, below = (_text(text, argument) for argument in node.args)
        yield "round_down", _edit(text, node, f"({above}) // ({below})")
    elif isinstance(node, ast.Name) and node.id in _LIMITS:
        yield "change_limit", _edit(text, node, _LIMITS[(_LIMITS.index(node.id) + 1) % len(_LIMITS)])
    elif isinstance(node, ast.Name) and node.id != "ceil_div":
        yield "shift_value", _edit(text, node, f"({node.id} + 1)")
        yield "shift_value", _edit(text, node, f"({node.id} - 1)")


def _text(text: str, node: ast.expr) -> str:
    found = ast.get_source_segment(text, node)
    assert found is not None  # the node is of this text
    return found


def _edit(text: str, node: ast.expr, replacement: str) -> Edit:
    above = "".join(text.splitlines(keepends=True)[: node.lineno - 1])
    start = len(above) + node.col_offset
    return Edit(start, start + len(_text(text, node)), replacement)
