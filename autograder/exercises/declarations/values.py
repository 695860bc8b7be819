"""The language of a `%%values` cell: answers that are numbers, such as a launch configuration.

    # one line for each word; the variables are those of the exercise
    grid = ceil_div(n, 16), ceil_div(n, 16)
    shared_mem = 2 * m * m * 4

A line is `word = expression`, or up to three expressions with commas between. An expression has
numbers, variables, `+ - * / // % **`, parentheses, and the functions `ceil_div`, `min` and `max`.
Arithmetic is Python's, except that `/` of two ints is an int where it is exact. Nothing is ever
executed: an expression is parsed, checked against an allow-list, and computed here, with bounds.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from ...cuda.errors import UsageError
from .. import report
from ..values_problem import ValuesProblem, Wrong

Number = int | float

MAX_TEXT = 10_000
"""The longest cell, in characters."""
MAX_LINE = 300
"""The longest line, in characters: no expression nests deeper than Python's parser can follow."""
MAX_INT = 2**63 - 1
"""The largest magnitude of any intermediate number."""
MAX_EXPONENT = 64

_FUNCTIONS = ("ceil_div", "min", "max")
#: Two factors with no sign between.
_PRODUCT = re.compile(r"(?<![\w.])\d+ *[A-Za-z(]|\) *[\w(]")
#: How much of a cell's text is shown, in characters.
_SHOWN = 40


class ValuesError(UsageError):
    """A `%%values` cell is wrong: `problem` says how, and `str` says it in one sentence."""

    def __init__(
        self, wrong: Wrong, text: str = "", numbers: Sequence[object] = (), choices: Sequence[str] = (), line: int = 0
    ) -> None:
        self.problem = ValuesProblem(wrong, text[:_SHOWN], tuple(numbers), tuple(choices), line)
        super().__init__(report.describe_values_problem(self.problem))

    def in_line(self, line: int) -> ValuesError:
        """Return the same problem, in line `line` (from 1)."""
        problem = self.problem
        return ValuesError(problem.wrong, problem.text, problem.numbers, problem.choices, line)


def ceil_div(a: SupportsIndex, b: SupportsIndex) -> int:
    """a / b rounded up, exactly: how many blocks of b elements hold a elements.

    Takes ints, numpy's too, and returns a Python int.

    Raises:
        UsageError: `b` is 0, or one of them is not an int.
    """
    try:
        return -(-operator.index(a) // operator.index(b))
    except TypeError:
        raise ValuesError(Wrong.FRACTION, numbers=(a, b)) from None
    except ZeroDivisionError:
        raise ValuesError(Wrong.CEIL_DIV_BY_ZERO, numbers=(a,)) from None


@dataclass(frozen=True)
class Values:
    """A `%%values` cell that was parsed: for each word its line number (from 1), its expressions,
    and whether it is a single number."""

    _lines: Mapping[str, tuple[int, tuple[ast.expr, ...], bool]]

    def evaluate(self, variables: Mapping[str, int], only: str = "") -> dict[str, Number | tuple[Number, ...]]:
        """Return the number, or tuple of numbers, for each word.

        Args:
            variables: a value for each of the names that `parse_values` was given.
            only: as for `parse_values`.

        Raises:
            ValuesError: a division by zero, or a number that is too large; it names the line.
        """
        results: dict[str, Number | tuple[Number, ...]] = {}
        known: dict[str, Number] = dict(variables)
        for word, (line, expressions, is_single) in self._lines.items():
            try:
                numbers = tuple(_compute(e, known) for e in expressions)
            except ValuesError as error:
                if only not in ("", word):
                    continue
                raise error.in_line(line) from None
            results[word] = numbers[0] if is_single else numbers
            if is_single:
                known[word] = numbers[0]
        return results


def parse_values(text: str, words: Sequence[str], variables: Sequence[str], only: str = "") -> Values:
    """Parse the text of a `%%values` cell, without its magic line.

    Args:
        words: the words that the cell must set, each exactly once.
        variables: the names that its expressions may use, besides words that stand for one number in a line above.
        only: the word that is asked for, if it is one alone: then mistakes in the lines of others do not matter.

    Raises:
        ValuesError: the text is wrong; with its line if it has one.
    """
    if len(text) > MAX_TEXT:
        raise ValuesError(Wrong.LONG_CELL, numbers=(len(text),), choices=words)
    found: dict[str, tuple[int, tuple[ast.expr, ...], bool]] = {}
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        above = [word for word, (_, _, is_single) in found.items() if is_single and word not in variables]
        try:
            word, parts, is_single = _parse_line(line, words, [*variables, *above])
            if word in found:
                raise ValuesError(Wrong.REPEATED_WORD, word, (found[word][0],))
        except ValuesError as error:
            if only and line.partition("=")[0].strip() in {*words} - {only}:
                continue
            raise error.in_line(number) from None
        found[word] = number, parts, is_single
    if not found:
        raise ValuesError(Wrong.EMPTY_CELL, choices=words)
    missing = [word for word in ([only] if only else words) if word not in found]
    if missing:
        raise ValuesError(Wrong.MISSING_WORD, choices=missing)
    return Values(found)


def _parse_line(line: str, words: Sequence[str], variables: Sequence[str]) -> tuple[str, tuple[ast.expr, ...], bool]:
    """One line's word, its one to three expressions, and whether it has no comma."""
    if len(line) > MAX_LINE:
        raise ValuesError(Wrong.LONG_LINE, numbers=(len(line), MAX_LINE))
    word, equals, right = (part.strip() for part in line.partition("="))
    if not equals:
        raise ValuesError(Wrong.NO_EQUALS, choices=words)
    if word not in words:
        raise ValuesError(Wrong.UNKNOWN_WORD, word, choices=words)
    if not right:
        raise ValuesError(Wrong.NO_VALUE, word)
    if right.endswith(";"):
        raise ValuesError(Wrong.SEMICOLON)
    try:
        # Odd but harmless spellings, such as `1or 2`, make Python warn on stderr.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(right, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValuesError(Wrong.NO_SIGN if _PRODUCT.search(right) else Wrong.NO_EXPRESSION, right) from None
    parts = tuple(body.elts) if isinstance(body, ast.Tuple) else (body,)
    if not 1 <= len(parts) <= 3:
        raise ValuesError(Wrong.MANY_VALUES, word, (len(parts),))
    for part in parts:
        _allow(part, right, variables)
    return word, parts, not isinstance(body, ast.Tuple)


def _allow(node: ast.expr, text: str, variables: Sequence[str]) -> None:
    """Raise ValuesError unless `node`, parsed from `text`, belongs to the language."""
    match node:
        case ast.Constant(value=bool() | complex() | str() | bytes() | None):
            pass
        case ast.Constant(value=int() | float() as value):
            _bounded(value)
            return
        case ast.Name(id=name) if name in variables:
            return
        case ast.Name(id=name):
            raise ValuesError(Wrong.UNKNOWN_NAME if variables else Wrong.UNKNOWN_NAME_NO_OTHER, name, choices=variables)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _allow(operand, text, variables)
        case ast.BinOp(
            left=left,
            op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow(),
            right=right,
        ):
            _allow(left, text, variables)
            return _allow(right, text, variables)
        case ast.Call(func=ast.Name(id="ceil_div"), args=[a, b], keywords=[]):
            _allow(a, text, variables)
            return _allow(b, text, variables)
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as args, keywords=[]):
            for arg in args:
                _allow(arg, text, variables)
            return
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            raise ValuesError(Wrong.TWO_ARGUMENTS if name == "ceil_div" else Wrong.MANY_ARGUMENTS, name)
        case ast.Call():
            raise ValuesError(Wrong.UNKNOWN_FUNCTION, _words(node.func, text), choices=_FUNCTIONS)
    raise ValuesError(Wrong.NOT_ALLOWED, _words(node, text))


def _words(node: ast.expr, text: str) -> str:
    return ast.get_source_segment(text, node) or text


def _bounded(value: Number) -> Number:
    if not abs(value) <= MAX_INT:  # catches NaN, too
        raise ValuesError(Wrong.LARGE_NUMBER)
    return value


def _number(value: SupportsIndex | float) -> Number:
    """Return a size's value as a Python number: numpy's ints would wrap around, with a warning."""
    return float(value) if isinstance(value, float) else operator.index(value)


def _compute(node: ast.expr, variables: Mapping[str, Number]) -> Number:
    """Return the value of an allowed expression.

    Raises:
        ValuesError: division by zero, a number too large, or ceil_div of a fraction.
    """
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name) if name not in variables:  # a word whose own line is wrong
            raise ValuesError(Wrong.NO_VALUE, name)
        case ast.Name(id=name):
            return _bounded(_number(variables[name]))
        case ast.UnaryOp(op=op, operand=operand):
            value = _compute(operand, variables)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(_binary(op, _compute(left, variables), _compute(right, variables)))
        case ast.Call(func=ast.Name(id=name), args=args):
            numbers = [_compute(arg, variables) for arg in args]
            if name == "ceil_div":
                return ceil_div(*numbers)  # type: ignore[arg-type]  # it refuses floats itself
            return min(numbers) if name == "min" else max(numbers)
    raise AssertionError(f"an expression that was not allowed: {ast.dump(node)}")


def _binary(op: ast.operator, a: Number, b: Number) -> Number:
    """One operation; both numbers are bounded, so only a power can grow without end."""
    try:
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv():
                return a // b
            case ast.Mod():
                return a % b
            case ast.Div():
                is_exact = isinstance(a, int) and isinstance(b, int) and a % b == 0
                return a // b if is_exact else a / b
    except ZeroDivisionError:
        raise ValuesError(Wrong.DIVISION_BY_ZERO, numbers=(a,)) from None
    return _power(a, b)


def _power(a: Number, b: Number) -> Number:
    if abs(b) > MAX_EXPONENT:
        raise ValuesError(Wrong.LARGE_EXPONENT, numbers=(b, MAX_EXPONENT))
    try:
        result = a**b
    except ZeroDivisionError:
        raise ValuesError(Wrong.POWER_OF_ZERO, numbers=(b,)) from None
    except OverflowError:
        return math.inf
    if isinstance(result, complex):
        raise ValuesError(Wrong.COMPLEX_POWER, numbers=(a, b))
    return float(result) if isinstance(result, float) else int(result)
