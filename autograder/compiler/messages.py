"""Turns the compiler's messages about a text into the findings that a student reads."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core.findings import CompileError, Diagnostic, ForbiddenCode
from ..core.refusal import Refusal
from ..source.text import blank
from .diagnostics import read_messages

_CONSTRUCTED = re.compile(r"^kernel\.cu:(\d+):\d+: error: variable with 'loader_uninitialized' attribute must", re.M)


def compile_error(log: str, source: str) -> CompileError | ForbiddenCode:
    """The finding for `source` that the compiler's `log` reports."""
    constructed = _CONSTRUCTED.search(log)
    if constructed:
        return forbidden("__shared__", Refusal.CONSTRUCTOR, source, int(constructed[1]))
    return CompileError(messages=read_messages(log, source), log=log)


def told(messages: Sequence[Diagnostic]) -> CompileError:
    """Report the course's own errors as if they came from the compiler."""
    log = "\n".join(f"kernel.cu:{line}:{column}: error: {text}" for line, column, text in messages)
    return CompileError(messages=tuple(messages), log=log)


def forbidden(construct: str, reason: Refusal, source: str, line: int = 0) -> ForbiddenCode:
    """The finding that `construct` is forbidden, for `reason`, in line `line` (0: where it first appears)."""
    lines = source.split("\n")
    line = line or next((i for i, code in enumerate(blank(source).split("\n"), 1) if construct in code), 0)
    text = lines[line - 1].strip() if line else ""
    return ForbiddenCode(construct=construct, line=line, text=text, reason=reason)


def unproven(line: int, source: str) -> ForbiddenCode:
    """The finding that the code in a line (0: unknown) can't be proven to be harmless."""
    code = source.split("\n")[line - 1].strip() if line else "this text"
    return forbidden(code, Refusal.UNPROVEN, source, line)


def too_large(source: str, word: str, text: str) -> CompileError:
    """The finding that something is too large, or has no size, as `text` says; it is where `word` first appears."""
    line = next((i for i, code in enumerate(blank(source).split("\n"), 1) if word in code), 1)
    return CompileError(messages=(Diagnostic(line, 1, text),), log=text)
