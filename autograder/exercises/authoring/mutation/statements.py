"""Mutation operators on what is done: statements, guards, loops, declarations."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from .syntax import Edit, function_around, is_kernel, named, part, replace, text_of, walk
from .threads import ordering_call

#: Fewer bits, and a float for an integer. Narrower means 8 bits: 16 would differ from 32,768 elements on.
_TYPES = {
    "int": ("signed char", "float"),
    "unsigned int": ("unsigned char", "float"),
    "unsigned": ("unsigned char", "float"),
    "size_t": ("unsigned char", "float"),
    "unsigned long long": ("unsigned char", "float"),
    "float": ("int",),
    "double": ("float",),
}
_SIGNS = {"int": "unsigned int", "unsigned int": "int", "unsigned": "int", "unsigned char": "signed char"}


def remove_statement(node: Node) -> Iterator[Edit]:
    """A statement that computes something, or leaves, is gone."""
    if _is_step(node) or node.type in ("return_statement", "break_statement", "continue_statement"):
        yield from replace(node, ";")


def double_statement(node: Node) -> Iterator[Edit]:
    """A statement that computes something is there twice."""
    if _is_step(node):
        yield from replace(node, f"{{ {text_of(node)} {text_of(node)} }}")


def change_guard(node: Node) -> Iterator[Edit]:
    """`if (c)` becomes `if (true)` and `if (false)`, or is without its `else`."""
    if node.type == "if_statement":
        yield from replace(part(node, "condition"), "(true)", "(false)")
        if (other := node.child_by_field_name("alternative")) is not None:
            yield from replace(other, "")


def cut_loop(node: Node) -> Iterator[Edit]:
    """A loop makes no round, or at most one, or steps over every other."""
    if node.type not in ("for_statement", "while_statement", "do_statement"):
        return
    body = part(node, "body")
    yield from replace(node, ";")
    yield from replace(body, f"{{ {text_of(body)} break; }}")
    step = node.child_by_field_name("update")
    if step is not None and step.type == "update_expression":
        sign = text_of(part(step, "operator"))[0]
        yield from replace(step, f"{text_of(part(step, 'argument'))} {sign}= 2")
    elif step is not None and step.type == "assignment_expression" and part(step, "operator").text != b"=":
        far = part(step, "right")
        yield from replace(far, f"2 * ({text_of(far)})")


def double_loop(node: Node) -> Iterator[Edit]:
    """A loop is there twice."""
    if node.type in ("for_statement", "while_statement", "do_statement"):
        yield from replace(node, f"{{ {text_of(node)} {text_of(node)} }}")


def change_initial_value(node: Node) -> Iterator[Edit]:
    """`int a = b` becomes `int a`, and, where b is no number, `int a = 0`."""
    declaration = node.parent
    if node.type != "init_declarator" or declaration is None or text_of(part(declaration, "type")) == "auto":
        return
    value, name = part(node, "value"), part(node, "declarator")
    if name.type in ("reference_declarator", "pointer_declarator") or value.type == "lambda_expression":
        return
    if not any(child.type == "type_qualifier" for child in declaration.children):  # a constant must have a value
        yield from replace(node, text_of(name))
    if value.type not in ("number_literal", "initializer_list"):
        yield from replace(value, "0")


def change_type(node: Node) -> Iterator[Edit]:
    """A variable, an array, or a parameter of a function that the kernel calls has fewer bits, or is a float in place
    of an integer. A kernel's own parameters are the contract's."""
    if (kind := _type(node)) is not None:
        yield from replace(kind, *_TYPES.get(text_of(kind), ()))


def change_sign(node: Node) -> Iterator[Edit]:
    """The same with another sign, in a function that subtracts: elsewhere, nothing is negative."""
    kind = _type(node)
    if kind is not None and text_of(kind) in _SIGNS and _subtracts(function_around(node)):
        yield from replace(kind, _SIGNS[text_of(kind)])


def _type(node: Node) -> Node | None:
    """The type in a declaration; None if `node` is none, or is the contract's."""
    if node.type not in ("declaration", "parameter_declaration"):
        return None
    function = function_around(node)
    given = node.type == "parameter_declaration" and function is not None and is_kernel(function)
    return None if given and not _is_in_lambda(node) else part(node, "type")


def _subtracts(function: Node | None) -> bool:
    return function is not None and any(node.type in ("-", "-=", "--") for node in walk(function))


def _is_step(node: Node) -> bool:
    """Whether `node` is a statement that computes something; `threads` has those that order threads."""
    within = named(node)
    return node.type == "expression_statement" and bool(within) and not ordering_call(node)


def _is_in_lambda(node: Node) -> bool:
    up = node.parent
    return up is not None and up.parent is not None and up.parent.type == "lambda_declarator"
