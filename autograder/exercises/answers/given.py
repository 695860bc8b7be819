"""Whether an answer is still the program that was given, but for lines that may be added."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from ...cuda.source.text import TOKEN, join_lines

#: What clang takes for the end of a line, and for a line that goes on in the next one.
_END, _SPLICE = re.compile(r"\r\n?"), re.compile(r"\\[ \t\v\f]*\n")
_ANY = re.compile(rf"{TOKEN.pattern} | \S", re.VERBOSE | re.DOTALL | re.ASCII)
#: A word, a number, a literal or a sign of C++, and its line.
_Token = tuple[str, int]


def first_change(given: str, answer: str, adds: Sequence[str]) -> tuple[int, int] | None:
    """Return where a program that was given first differs from an answer, whatever its comments and its white space
    are, and wherever the answer has one of the pieces that it may add.

    Args:
        given, answer: the two texts; `given` has none of the pieces.
        adds: pieces of C++ that the answer may have anywhere, as often as it likes; of two that begin alike, the longer
            one is taken where it is there.

    Returns:
        The line of `given` and the line of `answer`, from 1, or 0 for one that has ended; None if there is no change.
    """
    pieces = [[token for token, _ in _tokens(piece)] for piece in adds]
    left = _without(_tokens(answer), sorted(pieces, key=len, reverse=True))
    for (want, line), (got, other) in zip_longest(_tokens(given), left, fillvalue=("", 0)):
        if want != got:
            return line, other
    return None


def _tokens(text: str) -> list[_Token]:
    text = _SPLICE.sub("\\\\\n", _END.sub("\n", text))
    joined, at = join_lines(text)
    found, line, seen = list[_Token](), 1, 0
    for token in _ANY.finditer(joined):
        if token["comment"] is None:
            line += text.count("\n", seen, at[token.start()])
            seen = at[token.start()]
            found.append((token[0], line))
    return found


def _without(tokens: list[_Token], pieces: Sequence[Sequence[str]]) -> list[_Token]:
    left, i = list[_Token](), 0
    while i < len(tokens):
        for piece in pieces:
            if [token for token, _ in tokens[i : i + len(piece)]] == piece:
                i += len(piece)
                break
        else:
            left.append(tokens[i])
            i += 1
    return left
