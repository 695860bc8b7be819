"""Where in a text, which the preprocessor may have made of several files, the compiler's messages point."""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Sequence

from .clang import ERROR

#: A line that the preprocessor writes: the number and the file of the next one, and whether that is a system header.
MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)$', re.MULTILINE)
_NO_EXPRESSION = "expected expression"
#: What clang prints about a member's name before template arguments whose < it has read as a comparison; if `RANGES`
#: adds a range to the first, nvcc refuses the text, too.
_MISSING = re.compile(r"missing 'template' keyword prior to dependent template name '(\w+)'")
_UNRESOLVED = (
    "reference to overloaded function could not be resolved",
    "reference to non-static member function must be called",
)
#: What a name consists of.
_LETTERS = f"{string.ascii_letters}{string.digits}_"


def lines_by_place(lines: Sequence[str]) -> dict[tuple[str, int], list[int]]:
    """Return the indices of the lines that have a place, by the file's name and the line's number. The file is
    kernel.cu until the preprocessor names another one."""
    found = defaultdict[tuple[str, int], list[int]](list)
    file, number = "kernel.cu", 1
    for i, line in enumerate(lines):
        if line.startswith("# ") and (marker := MARKER.match(line)):
            file, number = marker[2], int(marker[1])
        else:
            found[file, number].append(i)
            number += 1
    return found


def with_joined_launches(text: str, log: str) -> str:
    """Return the text with launches as clang takes them: some formatters leave `k << <1, 2>> >(x)`, which nvcc takes.
    The compiler's `log` says where it finds them."""
    errors = [error for error in ERROR.finditer(log) if error["text"] == _NO_EXPRESSION]
    if not errors:
        return text
    lines = text.split("\n")
    places = lines_by_place(lines)
    for error in errors:
        at = int(error["column"]) - 1
        for i in places.get((error["file"], int(error["line"])), ()):
            before, sign = lines[i][:at], lines[i][at : at + 1]
            stripped = before.rstrip()
            if sign in ("<", ">") and stripped.endswith(2 * sign) and stripped != before:
                lines[i] = f"{stripped}{sign}{before[len(stripped) :]}{lines[i][at + 1 :]}"
    return "\n".join(lines)


def lacks_template(log: str) -> bool:
    """Return whether `with_templates` may help against the messages of the compiler."""
    return any(text in log for text in _UNRESOLVED) or _MISSING.search(log) is not None


def with_templates(text: str, log: str) -> str:
    """Return the text with `template` before the names of members, followed by template arguments, where nvcc needs
    none. The compiler's `log`, made with `RANGES`, says which."""
    lines = text.split("\n")
    places = lines_by_place(lines)
    names = set[tuple[int, int]]()
    for error in ERROR.finditer(log):
        at = places.get((error["file"], int(error["line"])), ())
        column, range_ = int(error["column"]) - 1, error["range"]
        if range_ and at and error["text"].startswith(_UNRESOLVED):  # ends at a member's last letter
            line, end = map(int, range_.partition("-")[2].split(":"))
            before, after = lines[line - 1][: end - 1], lines[line - 1][end - 1 :]
            qualifier = before.rstrip(_LETTERS)
            if qualifier.endswith(("::", ".", "->")) and after.lstrip().startswith("<"):
                names.add((line - 1, len(qualifier)))
        elif not range_ and (missing := _MISSING.fullmatch(error["text"])):
            for i in at:  # at the name, or at its qualifier
                is_name = lines[i].startswith(missing[1], column)
                found = column if is_name else lines[i].find(f"::{missing[1]}", column) + 2
                if found >= column:
                    names.add((i, found))
    for i, column in sorted(names, reverse=True):
        lines[i] = f"{lines[i][:column]}template {lines[i][column:]}"
    return "\n".join(lines)
