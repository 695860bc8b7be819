"""Where in a text, which the preprocessor may have made of several files, the compiler's messages point."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from .clang import ERROR

#: A line that the preprocessor writes: the number and the file of the next one, and whether that is a system header.
MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)$', re.MULTILINE)
_NO_EXPRESSION = "expected expression"


def lines_by_place(lines: Sequence[str]) -> dict[tuple[str, int], list[int]]:
    """The indices of the lines that have a place, by the file's name and the line's number. The file is kernel.cu until
    the preprocessor names another one."""
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
    """The text with launches as clang takes them: some formatters leave `k << <1, 2>> >(x)`, which nvcc takes. The
    compiler's `log` says where it finds them."""
    errors = [error for error in ERROR.finditer(log) if error["text"] == _NO_EXPRESSION]
    if not errors:
        return text
    lines = text.split("\n")
    places = lines_by_place(lines)
    for error in errors:
        at = int(error["column"]) - 1
        for i in places.get((error["file"], int(error["line"])), ()):
            before, sign = lines[i][:at], lines[i][at : at + 1]
            kept = before.rstrip()
            if sign in ("<", ">") and kept.endswith(2 * sign) and kept != before:
                lines[i] = f"{kept}{sign}{before[len(kept) :]}{lines[i][at + 1 :]}"
    return "\n".join(lines)
