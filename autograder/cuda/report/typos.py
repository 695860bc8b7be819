"""Slips of the pen that the compiler describes in its terms: `=` for `==`, an array in the place of an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..core.diagnostics import Diagnostic

#: Says a message in other words, given its match, the code before its column and from there on, and the notes; None
#: keeps the message.
Say = Callable[[re.Match[str], str, str, Sequence[Diagnostic]], str | None]

_COMPARES = "= assigns to what is on its left; == compares two values"
_ROW_BY_ROW = "a matrix that is stored row by row has one index: row * (length of a row) + column"
_WHOLE_NUMBERS = ("atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor")


def _assigned_array(match: re.Match[str], before: str, *_: object) -> str | None:
    name = re.search(r"(\w+)\s*=\s*$", before)
    return f"{name[1]} is an array: a value goes into one of its elements, {name[1]}[...]" if name else None


def _array_as_value(match: re.Match[str], before: str, after: str, *_: object) -> str | None:
    name = re.match(r"(?:\w+\s*=\s*)?(\w+)\s*;", after)
    return f"{name[1]} is an array: a value is in one of its elements, {name[1]}[...]" if name else None


def _read_only(match: re.Match[str], before: str, *_: object) -> str | None:
    if re.search(r"\b(?:if|while)\s*\([^=]*$", before):
        return _COMPARES
    name = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*$", before)
    return f"{name[1]} is const: the kernel can only read it" if name else None


def _no_atomic(match: re.Match[str], before: str, after: str, notes: Sequence[Diagnostic]) -> str | None:
    whole = re.match(r"\w+\s*\(\s*&\s*(\w+)\s*,", after)
    if whole and any(re.search(r"'[^']*(?:\*\*|\(\*\))", note.text) for note in notes):
        return f"&{whole[1]} is the address of the whole array; the address of one element is &{whole[1]}[...]"
    if match[1] in _WHOLE_NUMBERS and any("from 'float *'" in note.text for note in notes):
        return f"{match.string}: it works on integers, not on float"
    first = [m for note in notes if (m := re.search(r"from '([^']*) \*' to '([^']*) \*' for 1st argument", note.text))]
    if len({m[1] for m in first}) == 1:
        known = ", ".join(dict.fromkeys(m[2] for m in first))
        return f"{match.string}: it does not exist for {first[0][1]}, only for {known}"
    return None


#: A pattern of messages, errors or warnings, and what to say instead.
SLIPS: tuple[tuple[str, Say], ...] = (
    (
        r"^(?:assigning to|cannot initialize a variable of type) '([\w ]+ \*)' .* '[\w ]+ ?(?:\*|\[\d*\])'",
        lambda m, *_: f"{m.string}: an address of another type needs a cast, ({m[1]})...",
    ),
    (r"^assigning to '[\w ]+ \*' from incompatible type '[\w ]+'", _assigned_array),
    (r"^incompatible integer to pointer conversion assigning to", _assigned_array),
    (r"^(?:cannot initialize a variable|assigning to '[\w ]+' from incompatible) .*type '[\w ]+ \*'", _array_as_value),
    (r"^read-only variable is not assignable", _read_only),
    (r"^using the result of an assignment as a condition", lambda *_: _COMPARES),
    (r"^equality comparison result unused", lambda *_: "== only compares, and its result is not used; = assigns"),
    (r"^chained comparison", lambda *_: "a < b < c compares 0 or 1 with c: write a < b && b < c"),
    (r"^no matching function for call to '(atomic\w+)'", _no_atomic),
    (r"^subscripted value is not an array", lambda *_: f"this has no second index; {_ROW_BY_ROW}"),
    (
        r"^left operand of comma operator has no effect",
        lambda m, before, *_: (
            f"a comma does not make a second index; {_ROW_BY_ROW}" if before.count("[") > before.count("]") else None
        ),
    ),
    (
        r"^member reference base type '[^']* \*' is not a structure",
        lambda *_: "an array does not know its length: the kernel's parameters give it",
    ),
    (
        r"^rvalue reference to type '[\w:]*arrival_token' cannot bind to lvalue",
        lambda *_: "a wait consumes its token: pass it with std::move(...), from <utility>",
    ),
    (r"^array type '.*' is not assignable", lambda *_: "an array cannot be assigned as a whole: assign each element"),
    (
        r"^expected '\(' after 'for'",
        lambda m, before, after, _: "a C++ loop is written for (int i = 0; i < n; ++i)" if " in " in after else None,
    ),
    (r"^use of undeclared identifier 'elif'", lambda *_: "C++ has no elif: write else if"),
    (
        r"^use of undeclared identifier '(\w)'$",
        lambda m, before, after, _: (
            f"{m.string}: a variable is declared with its type, int {m[1]} = ..."
            if re.match(r"\w\s*=[^=]", after)
            else None
        ),
    ),
    (
        r"^expression result unused",
        lambda m, before, after, _: (
            "without parentheses this calls nothing: __syncthreads()" if re.match(r"__syncthreads\s*;", after) else None
        ),
    ),
    (
        r"^(if statement|for loop|while loop) has empty body",
        lambda m, *_: f"the {m[1].split()[0]} ends at this ; and what follows is not part of it",
    ),
)
