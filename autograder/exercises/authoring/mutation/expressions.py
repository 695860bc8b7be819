"""Mutation operators on what is computed: indices, arithmetic, comparisons, constants, variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from .syntax import Edit, arguments, called, function_around, named, part, replace, text_of, walk

_ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"}
#: The same with its boundary on the other side, and the opposite.
_COMPARISONS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=", "<="),
    "!=": ("==", "<"),
}
_ASSIGNMENTS = {"=": ("+=",), "+=": ("=", "-="), "-=": ("=", "+="), "*=": ("=", "/="), "/=": ("=", "*=")}
_NUMBER = re.compile(r"(\d+)(\.\d*)?(f?|[uU]?[lL]{0,2})$")


def shift_index(node: Node) -> Iterator[Edit]:
    """`a[i]` becomes `a[i + 1]` and `a[i - 1]`."""
    for index in _indices(node):
        yield from replace(index, f"({text_of(index)}) + 1", f"({text_of(index)}) - 1")


def scale_index(node: Node) -> Iterator[Edit]:
    """`a[i]` becomes `a[2 * i]`."""
    for index in _indices(node):
        yield from replace(index, f"2 * ({text_of(index)})")


def transpose_index(node: Node) -> Iterator[Edit]:
    """`a[i][j]` becomes `a[j][i]`, and `a[i * n + j]` becomes `a[j * n + i]`."""
    for index in _indices(node):
        inner = part(node, "argument")
        for other in _indices(inner):
            swapped = f"{text_of(part(inner, 'argument'))}[{text_of(index)}][{text_of(other)}]"
            yield from replace(node, swapped)
        product = index.child_by_field_name("left")
        if _operator(index) == "+" and product is not None and _operator(product) == "*":
            row, width, column = part(product, "left"), part(product, "right"), part(index, "right")
            yield from replace(index, f"({text_of(column)}) * {text_of(width)} + {text_of(row)}")


def change_arithmetic(node: Node) -> Iterator[Edit]:
    """`a + b` becomes `a - b`, and `a`; the like for the other operations on numbers."""
    if other := _ARITHMETIC.get(_operator(node)):
        yield from replace(part(node, "operator"), other)
        yield from replace(node, f"({text_of(part(node, 'left'))})")


def change_comparison(node: Node) -> Iterator[Edit]:
    """`a < b` becomes `a <= b` and `a >= b`; the like for the other comparisons."""
    if others := _COMPARISONS.get(_operator(node)):
        yield from replace(part(node, "operator"), *others)


def change_logic(node: Node) -> Iterator[Edit]:
    """`a && b` becomes `a || b`, `a`, and `b`; the like for `||`; `!a` becomes `a`."""
    if _operator(node) in ("&&", "||"):
        yield from replace(part(node, "operator"), "||" if _operator(node) == "&&" else "&&")
        yield from replace(node, f"({text_of(part(node, 'left'))})", f"({text_of(part(node, 'right'))})")
    if node.type == "unary_expression" and text_of(part(node, "operator")) in "!-":
        yield from replace(node, text_of(part(node, "argument")))


def choose_one(node: Node) -> Iterator[Edit]:
    """`c ? a : b` becomes `a`, and `b`."""
    if node.type == "conditional_expression":
        for branch in ("consequence", "alternative"):
            yield from replace(node, f"({text_of(part(node, branch))})")


def change_constant(node: Node) -> Iterator[Edit]:
    """A number becomes the next one, and the one before. (`change_mask` is for masks of lanes.)"""
    number = _NUMBER.match(text_of(node).strip()) if node.type in ("number_literal", "preproc_arg") else None
    if number is None:
        return
    value, fraction, suffix = int(number[1]), number[2] or "", number[3]
    for other in (value + 1, value - 1):
        yield from replace(node, f"{other}{fraction}{suffix}" if other >= 0 else f"({other}{fraction}{suffix})")


def change_assignment(node: Node) -> Iterator[Edit]:
    """`a += b` becomes `a = b` and `a -= b`; the like for the others. `++a` becomes `--a`."""
    if node.type == "assignment_expression":
        yield from replace(part(node, "operator"), *_ASSIGNMENTS.get(text_of(part(node, "operator")), ()))
    in_loop_head = node.parent is not None and node.parent.type == "for_statement"
    if node.type == "update_expression" and not in_loop_head:  # there, it makes a loop without an end
        yield from replace(part(node, "operator"), "--" if text_of(part(node, "operator")) == "++" else "++")


def swap_arguments(node: Node) -> Iterator[Edit]:
    """`f(a, b)` becomes `f(b, a)`; not where a function's name says that it does not matter."""
    if node.type == "call_expression" and called(node) not in ("min", "max", "fminf", "fmaxf"):
        for declared, two in zip(arguments(node), arguments(node)[1:], strict=False):
            both = f"{text_of(two)}, {text_of(declared)}"
            yield Edit(declared.start_byte, two.end_byte, both)


def take_another_variable(node: Node) -> Iterator[Edit]:
    """In an index, one integer variable becomes the next of the function's."""
    if node.type != "identifier" or not _is_in_index(node):
        return
    function = function_around(node)
    names = [] if function is None else _whole_numbers(function, node.start_byte)
    if text_of(node) in names and len(names) > 1:
        yield from replace(node, names[(names.index(text_of(node)) + 1) % len(names)])


def _operator(node: Node) -> str:
    return text_of(part(node, "operator")) if node.type == "binary_expression" else ""


def _indices(node: Node) -> list[Node]:
    return named(part(node, "indices")) if node.type == "subscript_expression" else []


def _is_in_index(node: Node) -> bool:
    up = node.parent
    while up is not None and "expression" in up.type:
        up = up.parent
    return up is not None and up.type == "subscript_argument_list"


def _whole_numbers(function: Node, before: int) -> list[str]:
    """The integer variables that a function declares above the character `before`, parameters first."""
    found = []
    for node in walk(function):
        if node.type not in ("declaration", "parameter_declaration") or node.start_byte >= before:
            continue
        if text_of(part(node, "type")) in ("int", "unsigned int", "unsigned", "size_t"):
            for declarator in node.children_by_field_name("declarator"):
                name = declarator.child_by_field_name("declarator") if declarator.type == "init_declarator" else None
                name = name or declarator
                if name.type == "identifier":
                    found.append(text_of(name))
    return list(dict.fromkeys(found))
