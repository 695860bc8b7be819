"""Takes the GPU's half out of a preprocessed text: a host's compiler knows nothing of what only kernels use.

The emulator compiles kernels by themselves, with all checks. So here a `__global__` function keeps its head alone, and
a function that is `__device__` and not `__host__` goes; one of a class keeps its head, since others may name it, and so
does one that is named in what stays, as in a function of both halves. Blanks stand for what is taken out: every line
stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..source.text import blank

NAMESPACE = re.compile(r"\s*(?:(?:inline\s+)?namespace\b[\w\s:]*|extern\s*\"[^\"]*\"\s*)")
TEMPLATE = re.compile(r"\btemplate\s*+<(?:[^<>;{}]|<(?:[^<>;{}]|<[^<>;{}]*+>)*+>)*+>")
CLASS = re.compile(r"[\s\w]*?\b(?:class|struct|union)\b")
ATTRIBUTE = re.compile(
    r"\b(?:alignas|__attribute__|decltype)\s*+\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)"  # as macros leave them
)
_CALLED = re.compile(r"\b([^\W\d]\w*)\s*(?:<[^<>(){};]*>\s*)?\(")
#: A launch as some formatters leave it, which nvcc takes, and clang does not: `k << <1, 2>> >(x)`.
_SPACED_LAUNCH = re.compile(r"(?<!operator)(<<[^\S\n]+<)[^;{}]{0,1000}?(>>[^\S\n]+>)(?=\s*+\()")
_SIGN = re.compile(r"[{}();]")
_WORD = re.compile(r"\b__(device|global|host|shared|constant|managed)__\b")
MARKER = re.compile(r'^# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')


def host_part(text: str) -> str:
    """The host's half of a preprocessed text. Only what is in no system header is changed."""
    lines = text.split("\n")
    own = list(_own(lines))
    joined = "\n".join(lines[i] for i in own)
    joined = _launches_joined(joined)
    code = blank(joined)
    parts = list(_device_parts(code))
    named = set(_CALLED.findall(_without(code, [(start, end) for start, _, end, _ in parts])))
    kept = [(body, max(body, end - 1)) if name in named else (start, end) for start, body, end, name in parts]
    joined = _without(joined, kept)
    for i, line in zip(own, joined.split("\n"), strict=True):
        lines[i] = _WORD.sub(r"__attribute__((\1))", line)
    return "\n".join(lines)


def _own(lines: list[str]) -> Iterator[int]:
    """The numbers of the lines that are in no system header, whose markers have the flag 3."""
    own = True
    for i, line in enumerate(lines):
        if marker := MARKER.match(line):
            own = "3" not in marker[3]
        elif own:
            yield i


def _launches_joined(text: str) -> str:
    """The text with launches as clang takes them. What stands behind each keeps its column."""
    out, at = list[str](), 0
    for launch in _SPACED_LAUNCH.finditer(blank(text)):
        for start, end in (launch.span(1), launch.span(2)):
            out += [text[at:start], f"{text[start] * 3:{end - start}}"]
            at = end
    return "".join([*out, text[at:]])


def _without(text: str, parts: Sequence[tuple[int, int]]) -> str:
    """The text with blanks for each (start, end)."""
    out, at = [], 0
    for start, end in parts:
        out += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    return "".join([*out, text[at:]])


def _device_parts(code: str) -> Iterator[tuple[int, int, int, str]]:
    """(start, body, end, name) of what is to go; of a function with a name, only what is behind `body` if it is called
    in what stays."""
    scopes: list[bool] = []  # of each namespace and class around: whether it is a class
    start = at = depth = 0
    goes_on = False  # whether an initializer of the declaration has ended
    is_global = is_device = False
    while sign := _SIGN.search(code, at):
        at = sign.end()
        if sign[0] in "()":
            depth += 1 if sign[0] == "(" else -1
        elif depth > 0:
            continue
        elif sign[0] == ";":
            head = code[start:at]
            if _is_device(head) and not (scopes and scopes[-1]) and _is_function(head):
                yield start, at, at, _named(head)
            start, goes_on = at, False
        elif sign[0] == "}":
            del scopes[-1:]
            start, goes_on = at, False
        else:
            if not goes_on:  # what stands in front of the first brace says what all are, and is read once
                head = code[start : sign.start()]
                plain = ATTRIBUTE.sub(" ", TEMPLATE.sub(" ", head))
                is_class = "(" not in plain and "=" not in plain and bool(CLASS.match(plain))
                if is_class or NAMESPACE.fullmatch(head):
                    scopes.append(is_class)
                    start = at
                    continue
                is_global, is_device = "__global__" in head, _is_device(head)
            at = _closed(code, sign.start())
            follows = code[at : at + 200].lstrip()[:1]
            if goes_on := bool(follows) and follows in ",;{":
                continue  # an initializer: the declaration goes on
            if is_global or (is_device and scopes and scopes[-1]):
                yield sign.end(), sign.end(), at - 1, ""
            elif is_device:
                yield start, sign.end(), at, _named(head)
            start = at


def _is_device(head: str) -> bool:
    return "__device__" in head and "__host__" not in head and "constexpr" not in head


def _is_function(head: str) -> bool:
    """Whether a declaration that ends by a semicolon is one of a function."""
    return "(" in re.split(r"(?<!operator)=", ATTRIBUTE.sub(" ", head), maxsplit=1)[0]


def _named(head: str) -> str:
    """The name of a function by its head; "" if it has none, as an operator."""
    found = _CALLED.search(ATTRIBUTE.sub(" ", TEMPLATE.sub(" ", head)))
    return found[1] if found else ""


def _closed(code: str, start: int) -> int:
    """Behind the brace that closes the one at `start`."""
    depth = 0
    for sign in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if sign[0] == "{" else -1
        if depth == 0:
            return sign.end()
    return len(code)
