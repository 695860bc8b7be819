"""Turns the compiler's messages about a source into findings."""

from __future__ import annotations

import re

from ..core.diagnostics import Diagnostic, Problem
from ..core.findings import CompileError, ForbiddenCode
from ..core.refusal import Refusal
from ..source.text import blank
from .clang import ERROR
from .diagnostics import read_messages
from .reserved import MESSAGE, reason_for

_UNKNOWN = re.compile(r"(?:use of undeclared identifier|unknown type name|no (?:template|member|type) named) '(\w+)'")
#: Names of CUDA's that the prelude lacks.
_LACKING = (
    (re.compile(r"malloc|free"), Refusal.NO_HEAP),
    (re.compile(r"cuda[A-Z]\w*"), Refusal.HOST),
    (
        re.compile(
            r"(?:tex|surf)(?:[123]D|Cubemap)\w*|texture|surface|__(?:cluster|cvta|barrier_sync|is[A-Z])\w*"
            r"|cp_async_bulk\w*|CUtensorMap"
        ),
        Refusal.UNSUPPORTED,
    ),
)
_CONSTRUCTED = "variable with 'loader_uninitialized' attribute must"
_LAUNCHED = "kernel launch from __device__ or __global__ function"


def compile_error(log: str, source: str) -> CompileError | ForbiddenCode:
    """The finding for `source` that the compiler's `log` reports."""
    for error in ERROR.finditer(log):
        if error["file"] == "kernel.cu" and (why := _refusal(error, source)):
            return forbidden(*why, source, int(error["line"]))
    return CompileError(messages=read_messages(log, source), log=log)


def _refusal(error: re.Match[str], source: str) -> tuple[str, Refusal] | None:
    """The construct that an error is about, and why it is refused, if it is one that the text may not have."""
    text = error["text"]
    if text == MESSAGE:
        line = source.encode().split(b"\n")[int(error["line"]) - 1]  # columns count bytes
        word = b"".join(re.findall(rb"\w+", line[int(error["column"]) - 1 :])[:1]).decode()
        return word, reason_for(word)
    if text.startswith(_CONSTRUCTED):
        return "__shared__", Refusal.CONSTRUCTOR
    if text.startswith(_LAUNCHED):
        return "<<<", Refusal.LAUNCH
    name = _UNKNOWN.match(text)
    return next(((name[1], reason) for known, reason in _LACKING if known.fullmatch(name[1])), None) if name else None


def forbidden(construct: str, reason: Refusal, source: str, line: int = 0) -> ForbiddenCode:
    """The finding that `construct` is forbidden, for `reason`, in line `line` (0: where it first appears)."""
    lines = source.split("\n")
    line = line or next((i for i, code in enumerate(blank(source).split("\n"), 1) if construct in code), 0)
    text = lines[line - 1].strip() if line else ""
    return ForbiddenCode(construct=construct, line=line, text=text, reason=reason)


def too_large(
    source: str, word: str, problem: Problem, names: tuple[str, ...] = (), numbers: tuple[int, ...] = ()
) -> CompileError:
    """The finding that something is too large, or has no size; it is where `word` first appears."""
    line = next((i for i, code in enumerate(blank(source).split("\n"), 1) if word in code), 1)
    return CompileError(messages=(Diagnostic(line, 1, "", problem, names, numbers),))
