"""How many threads of a block a kernel promises to have at most: `__launch_bounds__`. A GPU refuses larger launches."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping

_CONSTANT = re.compile(
    r"\b(?:constexpr|const)\s+(?:static\s+)?(?:unsigned\s+int|unsigned|int|auto|size_t|std::size_t)\s+(\w+)\s*=\s*([^;,{}]{1,80});"
    r"|^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n]{1,80}?)[ \t]*$",
    re.MULTILINE,
)
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv}
_DEEPEST = 8


def launch_bound(text: str, function: str, known: Mapping[str, str]) -> int | None:
    """The first number of the `__launch_bounds__` of the kernel `function`; None if it has none, or if it is no sum or
    product of numbers, of constants of the text and of `known` words.

    Args:
        text: CUDA C++ without comments.
        known: by word, what it stands for, as for a template's parameters.
    """
    bounds = r"__launch_bounds__\s*\(([^,()]{1,80})[,)]"
    rest, end = r"[^;{}]*?", rf"\b{re.escape(function)}\s*\("
    # In front of __global__, or behind it.
    found = re.search(f"__global__{rest}{bounds}{rest}{end}", text) or re.search(
        f"{bounds}{rest}__global__{rest}{end}", text
    )
    if not found:
        return None
    constants = {m[1] or m[3]: m[2] or m[4] for m in _CONSTANT.finditer(text)}
    return _value(found[1], {**constants, **known}, _DEEPEST)


def _value(expression: str, constants: Mapping[str, str], depth: int) -> int | None:
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except SyntaxError:
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
