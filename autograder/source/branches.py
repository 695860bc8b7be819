"""Which parts of a text the preprocessor leaves out: the branches of an `#if` that the text itself decides.

What its macros don't say as plain numbers stays undecided, and so in the text: a name that it defines nowhere, a macro
with parameters, a number beyond an int.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

_DIRECTIVE = re.compile(r"^[^\S\n]*#[^\S\n]*(\w+)([^\n]*)", re.MULTILINE)
_MACRO = re.compile(r"\s*(\w+)(\(?)([^\n]*)", re.ASCII)
_ASKS = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))", re.ASCII)
_TOKEN = re.compile(r"\s*(\w+|<<|>>|&&|\|\||[<>=!]=|[-+*<>!&^|()])", re.ASCII)
_NUMBER = re.compile(r"0[xX][\da-fA-F]{1,8}|[1-9]\d{0,9}|0", re.ASCII)
#: By operator, how strongly it binds, and what it gives. (The others are rare here.)
_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "||": (1, lambda a, b: a or b),
    "&&": (2, lambda a, b: a and b),
    "|": (3, operator.or_),
    "^": (4, operator.xor),
    "&": (5, operator.and_),
    "==": (6, operator.eq),
    "!=": (6, operator.ne),
    "<": (7, operator.lt),
    ">": (7, operator.gt),
    "<=": (7, operator.le),
    ">=": (7, operator.ge),
    "+": (8, operator.add),
    "-": (8, operator.sub),
    "*": (9, operator.mul),
}
_UNARY: dict[str, Callable[[int], int]] = {"!": operator.not_, "-": operator.neg, "+": operator.pos}
_LARGEST = 2**31 - 1
#: Most words of a condition, those of its macros included; of all conditions of a text; and most characters of one
#: condition or macro.
_MOST_WORDS, _MOST_READ, _LONGEST = 100, 10_000, 500


class _UndecidedError(Exception):
    pass


@dataclass
class _Macros:
    """The names that a text defines anywhere, what they stand for where one reads, which of them may stand for
    something else, since a branch that defines them is undecided; and how many words of conditions have been read."""

    own: frozenset[str]
    bodies: dict[str, str] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    read: int = 0

    def body(self, name: str) -> str | None:
        """What a name stands for; None if it is not defined."""
        if name not in self.own or name in self.unsure:
            raise _UndecidedError
        return self.bodies.get(name)

    def follow(self, directive: str, rest: str, here: bool | None) -> None:
        """Read a #define or #undef in a branch that is there, or (None) may be."""
        macro = _MACRO.match(rest)
        if macro is None:
            return
        name, opening, body = macro.groups()
        if here is None:
            self.unsure.add(name)
            return
        self.unsure.discard(name)
        if directive == "define":
            self.bodies[name] = opening + body  # of one with parameters, that is no number
        else:
            self.bodies.pop(name, None)


@dataclass
class _Branch:
    """A branch of an `#if`: where it begins, whether the text around the `#if` is there, whether a branch in front of
    this one is, and whether this one is. None: that is undecided."""

    start: int
    around: bool | None
    before: bool | None
    here: bool | None


def left_out(code: str) -> Iterator[tuple[int, int]]:
    """The (start, end) of each branch that no compiler gets, of a text without comments and splices."""
    directives = list(_DIRECTIVE.finditer(code))
    macros = _Macros(frozenset(m[1] for d in directives if d[1] == "define" and (m := _MACRO.match(d[2]))))
    branches: list[_Branch] = []
    for directive in directives:
        name, rest, start = directive[1], directive[2], directive.end()
        here = branches[-1].here if branches else True
        if name in ("if", "ifdef", "ifndef"):
            value = _holds(name, rest, macros)
            branches.append(_Branch(start, here, value, _both(here, value)))
        elif name in ("elif", "elifdef", "elifndef", "else", "endif") and branches:
            last = branches.pop()
            if last.here is False:
                yield last.start, directive.start()
            if name != "endif":
                value = True if name == "else" else _holds(name.removeprefix("el"), rest, macros)
                value_here = _both(last.around, _both(_not(last.before), value))
                before = _not(_both(_not(last.before), _not(value)))
                branches.append(_Branch(start, last.around, before, value_here))
        elif name in ("define", "undef") and here is not False:
            macros.follow(name, rest, here)


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _not(one: bool | None) -> bool | None:
    return None if one is None else not one


def _holds(directive: str, rest: str, macros: _Macros) -> bool | None:
    """Whether a condition holds; None if the text does not decide that."""
    try:
        if directive == "if":
            return _Condition(rest, macros).value() != 0
        is_defined = macros.body(rest.strip()) is not None
        return is_defined == (directive == "ifdef")
    except _UndecidedError:
        return None


class _Condition:
    """What stands behind an `#if`."""

    def __init__(self, text: str, macros: _Macros) -> None:
        self._macros, self._last = macros, min(macros.read + _MOST_WORDS, _MOST_READ)
        self._tokens = list(self._expanded(text, ()))

    def value(self) -> int:
        """Its value. Raises _UndecidedError: the text does not say it."""
        value = self._sum(1)
        if self._tokens:
            raise _UndecidedError
        return value

    def _expanded(self, text: str, inside: Sequence[str]) -> Iterator[str]:
        """The text's numbers and operators, with those of its macros."""
        if len(text) > _LONGEST:
            raise _UndecidedError
        at, text = 0, _ASKS.sub(self._asked, text).rstrip()
        while at < len(text):
            token = _TOKEN.match(text, at)
            self._macros.read += 1
            if token is None or self._macros.read > self._last:
                raise _UndecidedError
            at, word = token.end(), token[1]
            if word in ("true", "false"):
                yield str(int(word == "true"))
            elif not re.match(r"[^\W\d]", word):
                yield word
            elif word in inside:
                raise _UndecidedError
            elif (body := self._macros.body(word)) is None:
                yield "0"
            else:
                yield from self._expanded(body, [*inside, word])

    def _asked(self, name: re.Match[str]) -> str:
        return f" {int(self._macros.body(name[1] or name[2]) is not None)} "

    def _sum(self, weakest: int) -> int:
        """The value of what binds at least so strongly."""
        value = self._operand()
        while self._tokens and (found := _BINARY.get(self._tokens[0])) and found[0] >= weakest:
            self._tokens.pop(0)
            strength, compute = found
            value = self._checked(int(compute(value, self._sum(strength + 1))))
        return value

    def _operand(self) -> int:
        word = self._tokens.pop(0) if self._tokens else ""
        if word in _UNARY:
            return int(_UNARY[word](self._operand()))
        if word == "(":
            value = self._sum(1)
            if not self._tokens or self._tokens.pop(0) != ")":
                raise _UndecidedError
            return value
        if not _NUMBER.fullmatch(word):
            raise _UndecidedError
        return self._checked(int(word, 0))

    @staticmethod
    def _checked(value: int) -> int:
        if abs(value) > _LARGEST:
            raise _UndecidedError
        return value
