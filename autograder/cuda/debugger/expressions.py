"""Evaluates what is typed into a debugger: names, elements, members, what pointers point to, and arithmetic.

The notation is the part of C++ that Python's own parser reads, so nothing but these can be written; `&&`, `||`, `!` and
`->` are C++'s.
"""

from __future__ import annotations

import ast
import keyword
import operator
import re
from collections.abc import Callable
from typing import Any

from ..errors import UsageError
from .values import Types, Value, number_text, shown

#: C++'s words for what Python spells differently. (`!=` stays.)
_WORDS = [("->", "."), ("&&", " and "), ("||", " or ")]
_NOT = re.compile(r"!(?!=)")
#: Names that are words of Python's, such as `in`, get this at their end while Python reads them.
_RESERVED = "_emu_"
_KEYWORD = re.compile(rf"\b({'|'.join(set(keyword.kwlist) - {'and', 'or', 'not'})})\b")
_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip
_SIGNS: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_, ast.Invert: operator.invert,
}  # fmt: skip


class Evaluator:
    """Evaluates expressions.

    Args:
        types: of values.
        look_up: gives the value of a name, None if there is none; dimensions such as `threadIdx` are dicts.
        point: gives the value of a type at an address, None if nothing is known to be there.
        name_address: says what is at an address, "" if nothing that is known.
    """

    def __init__(
        self,
        types: Types,
        look_up: Callable[[str], Any],
        point: Callable[[int, int], Value | None],
        name_address: Callable[[int], str],
    ) -> None:
        self.types, self._look_up, self._point, self._name_address = types, look_up, point, name_address

    def shown(self, value: Any) -> str:
        """Return the text of what was evaluated, as C++ would write it."""
        if isinstance(value, Value):
            return shown(value, self.types, self._name_address)
        if isinstance(value, dict):
            return "{" + ", ".join(f"{name} = {each}" for name, each in value.items()) + "}"
        return number_text(value)

    def number(self, text: str) -> Any:
        """Return the number that an expression has. Raises UsageError: it has none."""
        return self._as_number(self.evaluate(text), text)

    def evaluate(self, text: str) -> Any:
        """Return the value of an expression: a `Value`, a number or a truth, or a dict of them.

        Raises:
            UsageError: it has none; the message says why.
        """
        spelled = text.strip()
        dereferenced = len(spelled) - len(spelled.lstrip("*"))
        spelled = _KEYWORD.sub(rf"\1{_RESERVED}", spelled[dereferenced:])
        for word, python in _WORDS:
            spelled = spelled.replace(word, python)
        try:
            tree = ast.parse(_NOT.sub(" not ", spelled).strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise UsageError(f"{text.strip()} cannot be read: write names, elements, members and arithmetic.") from None
        try:
            value = self._value(tree.body)
            for _ in range(dereferenced):
                value = self._element(value, 0, text.strip())
        except UsageError as error:
            raise UsageError(str(error).replace(_RESERVED, "")) from None
        except (TypeError, ArithmeticError):
            raise UsageError(f"{text.strip()} has no value: C++ would not compute it either.") from None
        return value

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return number
            case ast.Name(id=spelled):
                name = spelled.removesuffix(_RESERVED)
                if name in ("true", "false"):
                    return name == "true"
                if name == "nullptr":
                    return 0
                if (found := self._look_up(name)) is None:
                    raise UsageError(f"There is no {name} here.")
                return self.referred(found)
            case ast.Attribute(value=inner, attr=name):
                return self._member(self._value(inner), name.removesuffix(_RESERVED), ast.unparse(inner))
            case ast.Subscript(value=inner, slice=index):
                return self._element(self._value(inner), self._number(index), ast.unparse(inner))
            case ast.UnaryOp(op=op, operand=inner):
                return _SIGNS[type(op)](self._number(inner))
            case ast.BoolOp(op=op, values=values):
                each = (bool(self._number(value)) for value in values)
                return all(each) if isinstance(op, ast.And) else any(each)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATIONS:
                return _OPERATIONS[type(op)](self._number(left), self._number(right))
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self._number(left), self._number(right), ast.unparse(node))
        raise UsageError(f"{ast.unparse(node)} cannot be evaluated: use names, elements, members and arithmetic.")

    def _operation(self, op: ast.operator, left: Any, right: Any, text: str) -> Any:
        if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](left, right)
        if isinstance(op, ast.Div | ast.Mod):
            if not right:
                raise UsageError(f"{text} divides by zero.")
            if isinstance(left, float) or isinstance(right, float):
                return left / right
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if isinstance(op, ast.Div) else left - right * quotient
        if isinstance(op, ast.LShift | ast.RShift) and 0 <= right < 64:
            return left << right if isinstance(op, ast.LShift) else left >> right
        raise UsageError(f"{text} cannot be evaluated: use names, elements, members and arithmetic.")

    def _number(self, node: ast.expr) -> Any:
        return self._as_number(self._value(node), ast.unparse(node))

    def _as_number(self, value: Any, text: str) -> Any:
        if isinstance(value, Value):
            number = value.pointer() if value.type.kind == "pointer" else value.number()
            if number is None:
                why = "is not set yet" if value.type.kind in ("number", "enumeration", "pointer") else "is no number"
                raise UsageError(f"{text} {why}.")
            return number
        if isinstance(value, dict):
            raise UsageError(f"{text} is no number.")
        return value

    def referred(self, value: Any) -> Any:
        """Return what a reference refers to."""
        if isinstance(value, Value) and value.type.kind == "reference" and (at := value.pointer()):
            return self._point(at, value.type.target) or value
        return value

    def target(self, pointer: Value) -> Value | None:
        """Return what a pointer points to, if that is known."""
        at = pointer.pointer()
        return self._point(at, pointer.type.target) if at else None

    def _element(self, value: Any, index: Any, text: str) -> Any:
        if isinstance(value, Value) and isinstance(index, int):
            if value.type.kind == "array":
                if not 0 <= index < value.count():
                    raise UsageError(f"{text}[{index}] is outside of {text}, which has {value.count()} elements.")
                return self.referred(next(value.parts(self.types, index, 1))[1])
            if value.type.kind == "pointer" and value.type.target >= 0:
                if (at := value.pointer()) is None:
                    raise UsageError(f"{text} is not set yet.")
                size = self.types[value.type.target].bytes
                if found := self._point(at + index * size, value.type.target):
                    return self.referred(found)
                raise UsageError(f"{text} points to nothing that is known.")
        raise UsageError(f"{text} has no elements.")

    def _member(self, value: Any, name: str, text: str) -> Any:
        if isinstance(value, dict) and name in value:
            return value[name]
        if isinstance(value, Value) and value.type.kind == "pointer":
            value = self._element(value, 0, text)
        if isinstance(value, Value) and (found := self._find_member(value, name)):
            return self.referred(found)
        raise UsageError(f"{text} has no member {name}.")

    def _find_member(self, value: Value, name: str) -> Value | None:
        """Return a member of a class, or of a base class or what has no name in it."""
        if value.type.kind != "class":
            return None
        parts = list(value.parts(self.types))
        members = (part for spelled, part in parts if spelled == f".{name}")
        inner = (self._find_member(part, name) for spelled, part in parts if not spelled.startswith("."))
        return next(members, None) or next((part for part in inner if part), None)
