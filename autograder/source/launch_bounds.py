"""How many threads of a block a kernel promises to have at most: `__launch_bounds__`. A GPU refuses larger launches."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping

#: A constant whole number, or a macro without parameters. Nothing in a pattern may be read more than a few times.
_CONSTANT = re.compile(
    r"\b(?:constexpr|const)\s+(?:unsigned\s+int|unsigned|int|auto|size_t)\s+(\w+)\s*=\s*([^\s;,{}][^;,{}]{0,79});"
    # A macro's text stands in place of its name: only as one number, name or bracket is it a value.
    r"|^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\w+|\([^()\n]{1,80}\))[ \t]*$",
    re.MULTILINE,
)
_SUFFIX = re.compile(r"\b(\d+)[uUlL]{1,3}\b")
#: What a sum or product may consist of, so that Python reads nothing else into it.
_PLAIN = re.compile(r"(?:[\s()+*/-]|\b[^\W\d]\w*\b|\b\d+\b)*")
#: In front of `__global__`, where it may stand, too.
_IN_FRONT = re.compile(r"__launch_bounds__\s{0,20}\(([^()]{1,100})\)\s{0,20}$")
_LOOK_BACK = 200
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv}
_DEEPEST = 8


def bounds_in_front(code: str, end: int) -> str:
    """What stands in the brackets of a `__launch_bounds__` that ends at `end` of the text; empty for none."""
    found = _IN_FRONT.search(code[max(0, end - _LOOK_BACK) : end])
    return found[1] if found else ""


def most_threads(bounds: str, text: str, known: Mapping[str, str]) -> int | None:
    """The first number of `bounds`, what stands in the brackets of a `__launch_bounds__`; None if that is no sum or
    product of numbers, of constants of the text that have one value, and of `known` words.

    Args:
        bounds: such as "THREADS, 2"; empty for none.
        text: CUDA C++ without comments.
        known: by word, what it stands for, as for a template's parameters.
    """
    if not bounds:
        return None
    values: dict[str, set[str]] = {}
    for found in _CONSTANT.finditer(text):
        values.setdefault(found[1] or found[3], set()).add(found[2] or found[4])
    constants = {name: one for name, (one, *others) in values.items() if not others}
    return _value(bounds.partition(",")[0], {**constants, **known}, _DEEPEST)


def _value(expression: str, constants: Mapping[str, str], depth: int) -> int | None:
    plain = _SUFFIX.sub(r"\1", expression.strip())
    if not _PLAIN.fullmatch(plain):
        return None
    try:
        tree = ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return _number(tree, constants, depth)


def _number(node: ast.expr, constants: Mapping[str, str], depth: int) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and node.id in constants and depth:
        return _value(constants[node.id], constants, depth - 1)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS and depth:
        left, right = (_number(side, constants, depth - 1) for side in (node.left, node.right))
        if left is not None and right is not None and (right or not isinstance(node.op, ast.Div)):
            value: int = _OPERATORS[type(node.op)](left, right)
            return value
    return None
