"""Lists the kernels of a foreign text. Our own reader of CUDA must not decide what there is to read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.cuda.source.text import blank

_SCOPE = re.compile(
    r"\b(?P<template>template\s*<)|\b(?P<kernel>__global__)\b|[;}]"
    r"|(?:\b(?P<inline>inline\s+)?\bnamespace\b(?P<namespace>[\w\s:]{0,200}))?\{"
)
#: One token between `__global__` and the parameter list.
_DECLARATOR = re.compile(
    r"\s*(?:(?P<word>[^\W\d]\w*)|(?P<attribute>\[\s*\[)|(?P<parenthesis>\()|(?P<angle><)"
    r"|::|[*&\"])"
)
_DIRECTIVE = re.compile(r"^[^\S\n]*#[^\n]*", re.MULTILINE)
_BODY = re.compile(r"[^;{}]{0,200}\{")
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}


def kernel_names(source: str) -> tuple[str, ...]:
    """The kernels that CUDA C++ text defines, in order, with namespaces; templates without arguments."""
    code = _DIRECTIVE.sub("", blank(re.sub(r"\\\r?\n", "", source)))
    return tuple(dict.fromkeys(_kernels(code)))


def _close(code: str, start: int) -> tuple[int, bool]:
    """The offset after the bracket that closes the one at `start`, and True; or the offset of the next
    semicolon, and False."""
    open_: list[str] = []
    for i in range(start, len(code)):
        c = code[i]
        if c in "([{" or (c == "<" and (not open_ or open_[-1] == ">")):  # < in no other bracket
            open_.append(_CLOSES[c])
        elif open_ and c == open_[-1]:
            open_.pop()
        if not open_:
            return i + 1, True
        if c == ";":
            return i, False
    return len(code), False


def _kernels(code: str) -> Iterator[str]:
    """The name of each `__global__` function that is defined, but for specializations and explicit instances."""
    namespaces: list[str] = []  # one for each open brace: its name, or ""
    i = 0
    while m := _SCOPE.search(code, i):
        i = m.end()
        if m["template"]:
            i, _ = _close(code, i - 1)
        elif m["kernel"]:
            function, i = _declarator(code, i)
            if function and _BODY.match(code, i):
                yield "::".join([*filter(None, namespaces), function])
        elif m[0].endswith("{"):
            # Names in an inline or unnamed namespace belong to its parent.
            named = m["namespace"] and not m["inline"]
            namespaces.append(re.sub(r"\s", "", m["namespace"]) if named else "")
        elif m[0] == "}":
            del namespaces[-1:]


def _declarator(code: str, i: int) -> tuple[str, int]:
    """Parse what follows `__global__`: the function's name ("" if there is none), and where its parameters end."""
    name = ""
    while m := _DECLARATOR.match(code, i):
        i = m.end()
        if m["word"]:
            name = m["word"]
        elif m["attribute"]:
            i, _ = _close(code, m.start("attribute"))
        elif m["angle"]:
            i, _ = _close(code, m.start("angle"))
            if re.compile(r"\s*\(").match(code, i):
                return "", i
        elif m["parenthesis"]:
            i, closed = _close(code, m.start("parenthesis"))
            # A name before another name is an attribute with arguments: __launch_bounds__(256).
            if not closed or not re.compile(r"\s*(?!noexcept|requires)[^\W\d]").match(code, i):
                return name, i
    return "", i
