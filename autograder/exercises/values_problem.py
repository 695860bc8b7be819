"""Mistakes in the text of a `%%values` cell, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Wrong(StrEnum):
    """The kinds of mistake in a `%%values` cell."""

    LONG_CELL = "long cell"
    EMPTY_CELL = "empty cell"
    MISSING_WORD = "missing word"
    REPEATED_WORD = "repeated word"
    LONG_LINE = "long line"
    NO_EQUALS = "no equals"
    UNKNOWN_WORD = "unknown word"
    NO_VALUE = "no value"
    SEMICOLON = "semicolon"
    NO_EXPRESSION = "no expression"
    NO_SIGN = "no sign of a product"
    MANY_VALUES = "many values"
    UNKNOWN_NAME = "unknown name"
    UNKNOWN_NAME_NO_OTHER = "unknown name, no other"
    TWO_ARGUMENTS = "two arguments"
    MANY_ARGUMENTS = "two or more arguments"
    UNKNOWN_FUNCTION = "unknown function"
    NOT_ALLOWED = "not allowed"
    LARGE_NUMBER = "large number"
    FRACTION = "fraction"
    CEIL_DIV_BY_ZERO = "ceil_div by zero"
    DIVISION_BY_ZERO = "division by zero"
    LARGE_EXPONENT = "large exponent"
    POWER_OF_ZERO = "power of zero"
    COMPLEX_POWER = "complex power"


@dataclass(frozen=True)
class ValuesProblem:
    """A mistake and its line (from 1; 0: no single line).

    `text` is the word, name, or expression at fault; `numbers` are the numbers in question, in order; `choices` are
    the valid alternatives, or what is missing.
    """

    wrong: Wrong
    text: str = ""
    numbers: tuple[object, ...] = ()
    choices: tuple[str, ...] = ()
    line: int = 0
