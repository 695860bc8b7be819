"""Reads the compiler's log: each error with its line in the text, and the notes that belong to it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from ..core.diagnostics import Diagnostic, Problem
from .entry import CHOSEN_FILE

_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?(?P<kind>error|note): (?P<text>.*)$", re.M
)
#: The text, and what its asm statements have become, with the lines of these (`ptx.functions_for`).
_SOURCES = ("kernel.cu", "asm")
#: The message about a function that begins where a '}' is missing before it.
_NESTED = "function definition is not allowed here"


def read_messages(log: str, source: str, *, in_program: bool = False) -> tuple[Diagnostic, ...]:
    """Find the first error of each line in clang's `log`: later ones usually follow from it.

    An error inside one of our headers is reported at the line that led there, which its notes name. One in what follows
    the text and chooses a kernel is not reported.
    """
    lines = source.rstrip().split("\n")
    messages: dict[int, Diagnostic] = {}
    for error, notes in with_notes(log):
        text, place = error["text"].partition(" [-W")[0], error
        if error["file"] == CHOSEN_FILE:
            continue
        if error["file"] not in _SOURCES:
            place = next((note for note in notes if note["file"] in _SOURCES), error)
            text = re.sub(r"^static assertion failed(?: due to requirement '.*?')?: (?=.)", "", text).rstrip(": ")
        ours = place["file"] in _SOURCES
        line, column = (int(place["line"]), int(place["column"])) if ours else (len(lines), 1)
        if line > len(lines):
            continue
        unclosed = text.startswith("expected '}'") and any("'{'" in note["text"] for note in notes)
        if unclosed:  # the functions that follow are in what is not closed
            nested = [message for message in messages.values() if message.text == _NESTED]
            for message in nested:
                del messages[message.line]
            line, column = min([(message.line, message.column) for message in nested], default=(line, column))
        if line not in messages or unclosed:
            related = tuple(
                Diagnostic(int(note["line"]) * (note["file"] in _SOURCES), int(note["column"]), note["text"])
                for note in notes
            )
            problem = Problem.CLANG_IN_PROGRAM if in_program else Problem.CLANG
            messages[line] = Diagnostic(line, column, text, problem, code=lines[line - 1], notes=related)
    return tuple(messages.values())


def with_notes(log: str) -> Iterator[tuple[re.Match[str], Sequence[re.Match[str]]]]:
    """Each error in the compiler's `log`, and its notes."""
    found = list(_MESSAGE.finditer(log))
    for i, match in enumerate(found):
        if match["kind"] == "error":
            yield match, list(itertools.takewhile(lambda m: m["kind"] == "note", found[i + 1 :]))
