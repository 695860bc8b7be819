"""Reads types, values, and operands from a line of LLVM IR. Each function here reads from `at` and also returns
where what it read ends."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...errors import GraderFault
from .model import Operand

#: A name without the sign before it.
NAME = r'(?:[-\w.$]+|"[^"]*")'
_TYPE = (
    r"(?:ptr(?: addrspace\(\d+\))?|i\d+|float|double|half|bfloat|fp128|x86_fp80|ppc_fp128|void|label|metadata"
    rf"|%{NAME})(?![\w*])"
)
_VALUE = (
    rf"(?:[%@]{NAME}|-?\d[\d.]*(?:e[-+]\d+)?(?!\w)|0x[KLMHR]?[0-9A-F]+"
    r'|(?:null|true|false|undef|poison|zeroinitializer|none)\b|!\d+|c"[^"]*")'
)
_SIMPLE_TYPE, _SIMPLE_VALUE = re.compile(_TYPE), re.compile(_VALUE)
#: The form of most operands.
_SIMPLE_OPERAND = re.compile(rf"({_TYPE}) ((?:noundef )?)({_VALUE})(?=[,) ]|$)")
_ATTRIBUTE = re.compile(r"(?:align|cc) \d+ |[a-z_]\w*(?= )|[a-z_]\w*(?=\()")
_EXPRESSION = re.compile(
    r"(?:getelementptr|inttoptr|ptrtoint|ptrtoaddr|addrspacecast|bitcast|trunc|add|sub|xor|splat"
    r"|blockaddress|dso_local_equivalent|no_cfi)\b(?: [a-z]+(?:\([-\d, ]*\))?)* ?(?=[(@])"
)
_ASSEMBLY = re.compile(r'asm (?:\w+ )*"[^"]*", "[^"]*"')
_BRACKET = re.compile(r'[\[({<]|([\])}>])|"[^"]*"')
_EXTENT = re.compile(r"\[(\d+) x ")
_SYMBOL = re.compile(rf'(@{NAME})|"[^"]*"')
#: A symbol or the name of a comdat; or a string, in which neither of them is one.
_NAMED = re.compile(rf'[@$]{NAME}|"[^"]*"')
_LOCAL = re.compile(rf'(%{NAME})|"[^"]*"')
_ADDRESS_STEP = re.compile(r"getelementptr (?:[a-z]+(?:\([-\d, ]*\))? )*\(")


class UnreadableError(GraderFault):
    """A `part` of a module's text that is not read here."""

    def __init__(self, part: str) -> None:
        super().__init__(f"The emulator's compiler wrote LLVM IR that is not read here: {part.strip()[:200]}")
        self.part = part


def unreadable(text: str) -> UnreadableError:
    return UnreadableError(text)


def end_of_brackets(text: str, at: int) -> int:
    """Return the end of the bracket expression at `at`, after its closing bracket."""
    depth = 0
    for found in _BRACKET.finditer(text, at):
        if found[1]:
            depth -= 1
            if depth == 0:
                return found.end()
        elif found[0][0] != '"':
            depth += 1
    raise unreadable(text)


def end_of_type(text: str, at: int) -> int:
    if simple := _SIMPLE_TYPE.match(text, at):
        return simple.end()
    if text[at : at + 1] in ("[", "{", "<"):
        return end_of_brackets(text, at)
    raise unreadable(text)


def end_of_value(text: str, at: int) -> int:
    if simple := _SIMPLE_VALUE.match(text, at):
        return simple.end()
    if text[at : at + 1] in ("[", "{", "<"):
        return end_of_brackets(text, at)
    if expression := _EXPRESSION.match(text, at):
        end = expression.end()
        return end_of_brackets(text, end) if text[end] == "(" else end_of_value(text, end)
    if assembly := _ASSEMBLY.match(text, at):
        return assembly.end()
    raise unreadable(text)


def end_of_attributes(text: str, at: int) -> int:
    """Return the offset after all words at `at` that are neither a type nor a value, including their parentheses."""
    while (word := _ATTRIBUTE.match(text, at)) and not (
        _SIMPLE_TYPE.match(text, at)
        or _SIMPLE_VALUE.match(text, at)
        or _EXPRESSION.match(text, at)
        or _ASSEMBLY.match(text, at)
    ):
        at = word.end()
        if text[at] == "(":
            at = end_of_brackets(text, at)
        if text[at : at + 1] == " ":
            at += 1
    return at


def read_operand(text: str, at: int) -> tuple[Operand, int]:
    if simple := _SIMPLE_OPERAND.match(text, at):
        return Operand(simple[1], simple[3], simple[2].rstrip()), simple.end()
    end = end_of_type(text, at)
    if text[end : end + 1] != " ":
        raise unreadable(text)
    value = end_of_attributes(text, end + 1)
    last = end_of_value(text, value)
    return Operand(text[at:end], text[value:last], text[end + 1 : value].rstrip()), last


def read_operands(text: str, at: int, close: str) -> tuple[tuple[Operand, ...], int]:
    """Read comma-separated operands, up to and including `close`."""
    found = []
    if text.startswith(close, at):
        return (), at + len(close)
    while True:
        operand, at = read_operand(text, at)
        found.append(operand)
        if text.startswith(close, at):
            return tuple(found), at + len(close)
        at = expect(text, at, ", ")


def read_until(text: str, at: int, end: int) -> tuple[Operand, ...]:
    """Read comma-separated operands, up to `end`."""
    operand, at = read_operand(text, at)
    found = [operand]
    while at != end:
        operand, at = read_operand(text, expect(text, at, ", "))
        found.append(operand)
    return tuple(found)


def expect(text: str, at: int, what: str) -> int:
    """Return the offset after `what`, which must be at `at`."""
    if not text.startswith(what, at):
        raise unreadable(text)
    return at + len(what)


def read_elements(value: str) -> tuple[Operand, ...]:
    """Return the elements of a constant array or struct, such as `[i32 1, i32 2]`."""
    if value[0] == "[":
        return read_operands(value, 1, "]")[0]
    return read_operands(value, expect(value, 0, "{ "), " }")[0]


def array_of(type_: str) -> tuple[tuple[int, ...], str]:
    """Return the extents of an array type and its element type; for any other type, none and the type itself."""
    shape = []
    while extent := _EXTENT.match(type_):
        shape.append(int(extent[1]))
        type_ = type_[extent.end() : -1]
    return tuple(shape), type_


def pointed_type(value: str) -> str:
    """Return the type that a constant `getelementptr` gives for its base; empty if `value` is not one."""
    step = _ADDRESS_STEP.match(value)
    return value[step.end() : end_of_type(value, step.end())] if step else ""


def string_constant(text: str) -> tuple[str, str]:
    """Type and value of a constant for a zero-terminated string."""
    data = text.encode() + b"\0"
    plain = (chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:02X}" for byte in data)
    return f"[{len(data)} x i8]", f'c"{"".join(plain)}"'


def symbols(text: str) -> list[str]:
    """Return the names of all functions and variables of the module that appear in an instruction or a value."""
    return [name for name in _SYMBOL.findall(text) if name]


def variables(text: str) -> set[str]:
    """Return the names of a function's own values and labels that appear in an instruction."""
    return set(_LOCAL.findall(text))


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return the text of a module with new names for these symbols, and for comdats that are called so."""

    def named(found: re.Match[str]) -> str:
        new = names.get(f"@{found[0][1:]}") if found[0][0] != '"' else None
        return found[0][0] + new[1:] if new else found[0]

    return _NAMED.sub(named, text)
