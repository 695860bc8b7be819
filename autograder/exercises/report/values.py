"""What is wrong with a `%%values` cell, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..values_problem import ValuesProblem, Wrong

#: {text}, {0} and {1} (numbers), {choices} and {first} (of these) as in `ValuesProblem`.
_WORDS: Mapping[Wrong, str] = {
    Wrong.LONG_CELL: "The cell has {0} characters: write one short line for each of {choices}.",
    Wrong.EMPTY_CELL: "The cell is empty: write a line such as {first} = 1 for each of {choices}.",
    Wrong.MISSING_WORD: "{choices} is missing: write a line that begins with {first} =.",
    Wrong.REPEATED_WORD: "{text} is here twice (first in line {0}): keep one of them.",
    Wrong.LONG_LINE: "the line has {0} characters: keep it below {1}.",
    Wrong.NO_EQUALS: "there is no = in the line: write it as {first} = expression.",
    Wrong.UNKNOWN_WORD: "{text!r} is not a word of this cell: it takes {choices}.",
    Wrong.NO_VALUE: "{text} has no value: write an expression after the =.",
    Wrong.SEMICOLON: "leave out the ; at the end: the lines of this cell are not C++.",
    Wrong.NO_EXPRESSION: "{text!r} is not an arithmetic expression: check its signs and parentheses.",
    Wrong.NO_SIGN: "{text!r} lacks the sign of a product: write 2 * n, and not 2n.",
    Wrong.MANY_VALUES: "{text} has {0} values: write one, two or three.",
    Wrong.UNKNOWN_NAME: "{text} is not known here; you may use {choices}.",
    Wrong.UNKNOWN_NAME_NO_OTHER: "{text} is not known here; write numbers only.",
    Wrong.TWO_ARGUMENTS: "{text} takes two numbers.",
    Wrong.MANY_ARGUMENTS: "{text} takes two or more numbers.",
    Wrong.UNKNOWN_FUNCTION: "{text} cannot be called here: use only {choices}.",
    Wrong.NOT_ALLOWED: "{text} is not allowed here: use numbers, names, + - * / // % ** and parentheses.",
    Wrong.LARGE_NUMBER: "a number here is larger than 2**63 - 1: use smaller ones.",
    Wrong.FRACTION: "ceil_div({0}, {1}) takes two integers: give it no fraction.",
    Wrong.CEIL_DIV_BY_ZERO: "ceil_div({0}, 0) divides by zero: give it a size that is not 0.",
    Wrong.DIVISION_BY_ZERO: "{0} is divided by zero.",
    Wrong.LARGE_EXPONENT: "the exponent {0} is too large: use one from -{1} to {1}.",
    Wrong.POWER_OF_ZERO: "0 has no power {0}: it would divide by zero.",
    Wrong.COMPLEX_POWER: "{0} has no real power {1}.",
}


#: The same of several.
_WORDS_OF_SEVERAL = {Wrong.MISSING_WORD: "{choices} are missing: write a line for each, such as {first} = 1."}


def describe_values_problem(problem: ValuesProblem) -> str:
    """`problem` as one sentence, which names its line."""
    first = next(iter(problem.choices), "")
    words = _WORDS_OF_SEVERAL if problem.wrong in _WORDS_OF_SEVERAL and len(problem.choices) > 1 else _WORDS
    sentence = words[problem.wrong].format(
        *problem.numbers, text=problem.text, choices=", ".join(problem.choices), first=first
    )
    return f"Line {problem.line}: {sentence}" if problem.line else sentence
