"""What a student reads where a text does not compile: findings, made of what the compiler says of the text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from ..findings import Finding, Kind
from ..source import blank
from .host_code import Message

_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?(?P<kind>error|note): (?P<text>.*)$", re.M
)
_CONSTRUCTED = re.compile(r"^kernel\.cu:(\d+):\d+: error: variable with 'loader_uninitialized' attribute must", re.M)
#: What stands in the compiled text, and what the student wrote.
_SPELLINGS = (
    ("emu_print_all", "printf"),
    ("__emudyn__", "__shared__"),
    ("__emual", "alignas"),
    ("no setter defined for property", "cannot assign to"),  # threadIdx.x
    (
        "variable with 'loader_uninitialized' attribute cannot have an initializer",
        "initializer not allowed for __shared__ variable",
    ),
    ("expected body of lambda expression", "a lambda takes neither __host__ nor __device__"),
    (
        "variable length arrays in C++ are a Clang extension [-Werror,-Wvla-cxx-extension]",
        "the size of an array must be a constant",
    ),
)


def compile_error(log: str, source: str) -> Finding:
    """Errors at the student's lines. One inside a header of ours is told at the line that led there, which
    the notes behind it name; one that the launch code met, at the text's last line."""
    constructed = _CONSTRUCTED.search(log)
    if constructed:
        reason = "is supported in arrays only where the type has a constructor: none runs in shared memory"
        return forbidden("__shared__", reason, source, int(constructed[1]))
    last = len(source.rstrip().split("\n")) or 1
    messages = []
    found = list(_MESSAGE.finditer(log))
    for i, match in enumerate(found):
        if match["kind"] == "note":
            continue
        place, text = match, match["text"]
        if match["file"] not in ("kernel.cu", "launch"):
            notes = itertools.takewhile(lambda m: m["kind"] == "note", found[i + 1 :])
            place = next((m for m in notes if m["file"] == "kernel.cu"), match)
            text = re.sub(r"^static assertion failed(?: due to requirement '.*?')?: ", "", text)
        ours = place["file"] == "kernel.cu"
        line = int(place["line"]) if ours else last
        column = int(place["column"]) if ours else 1
        for inner, outer in _SPELLINGS:
            text = text.replace(inner, outer)
        if (line, column, text) not in messages and line <= last:
            messages.append((line, column, text))
    return Finding(Kind.COMPILE_ERROR, detail={"messages": tuple(messages), "log": log})


def told(messages: Sequence[Message]) -> Finding:
    """What the course itself refuses, as if the compiler had said it."""
    log = "\n".join(f"kernel.cu:{line}:{column}: error: {text}" for line, column, text in messages)
    return Finding(Kind.COMPILE_ERROR, detail={"messages": tuple(messages), "log": log})


def forbidden(construct: str, reason: str, source: str, line: int = 0) -> Finding:
    """`construct` is forbidden, for `reason`, in line `line`; left out, where it first stands."""
    lines = source.split("\n")
    line = line or next((i for i, code in enumerate(blank(source).split("\n"), 1) if construct in code), 0)
    return Finding(
        Kind.FORBIDDEN_CODE,
        detail={
            "construct": construct,
            "line": line,
            "text": lines[line - 1].strip() if line else "",
            "reason": reason,
        },
    )


def too_large(source: str, word: str, text: str) -> Finding:
    """`text` says what is too large: it is declared where `word` first stands."""
    line = next((i for i, code in enumerate(blank(source).split("\n"), 1) if word in code), 1)
    return Finding(Kind.COMPILE_ERROR, detail={"messages": ((line, 1, text),), "log": text})
