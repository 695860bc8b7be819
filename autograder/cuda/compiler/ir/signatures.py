"""Reads the types of functions and of calls, as far as both sides must agree on them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .model import Call, Operand
from .operands import NAME, end_of_attributes, end_of_brackets, end_of_type

_CONVENTION = re.compile(r"(?:^| )(\w+cc|cc \d+)(?= )")
#: Attributes that change how a value is passed.
_PASSED = re.compile(r"\b(byval|sret|byref|inalloca|preallocated|nest|inreg|swift\w+)\b")
_HEAD = re.compile(rf"(?:define|declare)((?: ![\w.]+ !\d+)*(?: \w+)*?(?= )(?:[^@\"]|\"[^\"]*\")*?) ?(@{NAME})\(")
_VALUE = re.compile(rf"%{NAME}$")


class Signature(NamedTuple):
    """A function's type, as text, and its parameters, which are named only where the function is defined."""

    type: str
    parameters: tuple[Operand, ...]


@lru_cache(maxsize=4096)
def read_signature(line: str) -> Signature:
    """Return the signature in the first line of a definition, or in the line of a declaration.

    Raises:
        ValueError: the line is not one.
    """
    head = _HEAD.match(line)
    if head is None:
        raise ValueError(line)
    before = re.sub(r"^(?: ![\w.]+ !\d+)+", "", head[1])
    at = end_of_attributes(before, 1)
    returned = before[at : end_of_type(before, at)]
    parameters, variadic = _read_parameters(line, head.end())
    return Signature(_written(before, returned, parameters, variadic), parameters)


def type_of_call(call: Call) -> str:
    """Return the type that a call gives its callee."""
    variadic = call.function_type.endswith("...)")
    fixed = call.arguments
    if variadic:
        fixed = fixed[: _commas(call.function_type)]
    return _written(call.before_callee, call.returns, fixed, variadic)


def copied_type(parameter: Operand) -> str:
    """Return the struct at a pointer that the callee gets a copy of; empty if there is none."""
    at = parameter.attributes.find("byval(")
    return parameter.attributes[at + 6 : end_of_brackets(parameter.attributes, at + 5) - 1] if at >= 0 else ""


def _written(before: str, returned: str, parameters: tuple[Operand, ...], variadic: bool) -> str:
    convention = _CONVENTION.search(before)
    given = [_passed(parameter) for parameter in parameters] + ["..."] * variadic
    return f"{convention[1] + ' ' if convention else ''}{returned} ({', '.join(given)})"


def _passed(parameter: Operand) -> str:
    out = parameter.type
    for word in _PASSED.finditer(parameter.attributes):
        end = word.end()
        if parameter.attributes[end : end + 1] == "(":
            end = end_of_brackets(parameter.attributes, end)
        out += f" {parameter.attributes[word.start() : end]}"
    return out


def _read_parameters(line: str, at: int) -> tuple[tuple[Operand, ...], bool]:
    found: list[Operand] = []
    while line[at] != ")":
        if line.startswith("...", at):
            return tuple(found), True
        end = end_of_type(line, at)
        type_, start, at = line[at:end], end, end
        while line[at] not in ",)":
            at = _end_of_part(line, at)
        words = line[start:at].strip()
        name = _VALUE.search(words)
        found.append(Operand(type_, name[0] if name else "", words[: name.start()].strip() if name else words))
        at += 2 if line[at] == "," else 0
    return tuple(found), False


def _end_of_part(line: str, at: int) -> int:
    if line[at] in "([{<":
        return end_of_brackets(line, at)
    return line.index('"', at + 1) + 1 if line[at] == '"' else at + 1


def _commas(function_type: str) -> int:
    """Return the number of fixed parameters in a variadic function's type."""
    at, count = function_type.index("(") + 1, 0
    while not function_type.startswith("...", at):
        at, count = end_of_type(function_type, at) + 2, count + 1
    return count
