"""What conditions around an expression say of it."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .syntax import part, text_of, walk


def step_of(step: Node, name: str) -> Node | None:
    """The condition of the loop whose step this is; None if it is no such step, or the body changes `name`, too."""
    loop = step.parent
    if loop is None or loop.type != "for_statement" or loop.child_by_field_name("update") != step:
        return None
    for node in walk(part(loop, "body")):
        field = {"assignment_expression": "left", "update_expression": "argument"}.get(node.type)
        if field and text_of(part(node, field)) == name:
            return None
    return loop.child_by_field_name("condition")


def is_guarded(difference: Node) -> bool:
    """Whether `a - b` stands in a conditional expression where `a >= b`."""
    a, b = text_of(part(difference, "left")), text_of(part(difference, "right"))
    wanted = {f"{a} >= {b}", f"{b} <= {a}", f"{a} > {b}", f"{b} < {a}"}
    node, up = difference, difference.parent
    while up is not None and ("expression" in up.type or up.type == "subscript_argument_list"):
        chosen = up.type == "conditional_expression" and node == part(up, "consequence")
        if chosen and wanted & {*_conjuncts(part(up, "condition"))}:
            return True
        node, up = up, up.parent
    return False


def _conjuncts(node: Node) -> Iterator[str]:
    if node.type == "binary_expression" and text_of(part(node, "operator")) == "&&":
        yield from _conjuncts(part(node, "left"))
        yield from _conjuncts(part(node, "right"))
    yield text_of(node)
