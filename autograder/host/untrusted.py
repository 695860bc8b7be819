"""What the host half of an answer may not have: constructs by which a text could put bytes of its own where we read the
compiler's, such as the table of lines. (What it does when it runs is the box's matter.)"""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import UsageError
from ..source.text import blank

#: In a preprocessed text, where no macro hides them.
_REFUSED = re.compile(
    r"\b(?:asm|__asm|__asm__)\b|\b__attribute(?:__)?\b|\b__declspec\b|\[\[\s*(?:using\s+)?(?:gnu|clang|__gnu__|_Clang)\b"
    r"|^[^\S\n]*#[^\S\n]*pragma[^\S\n]+(?!unroll\b|nounroll\b)\w+[^\n]*",
    re.MULTILINE,
)
#: What tells the preprocessor that lines are another file's, which we would take for a header's. It is looked for in
#: comments and strings, too, so that nothing hides one.
_SPLICE = re.compile(r"\\[^\S\n]*\n")
_LINE = re.compile(r"(?:^|\*/)[^\S\n]*(?:#|%:)(?:[^\S\n]|/\*.*?\*/)*(?:line\b|\d)", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r'^# (\d+) "([^"\n]*)"[ \d]*$', re.MULTILINE)
#: Most characters of an answer after the preprocessor, headers included.
_MOST = 20_000_000


def refuse(expanded: str, file: Path) -> None:
    """Look at the text of `file`, and at its lines in the preprocessed text.

    Raises:
        UsageError: one has what an answer may not have, or all is too long.
    """
    if len(expanded) > _MOST:
        raise UsageError(f"{file.name} has more than {_MOST:,} characters, headers included: include less.")
    if _LINE.search(_SPLICE.sub("", file.read_text(encoding="utf-8", errors="replace").replace("\r", "\n"))):
        raise UsageError(
            f"{file.name} has a line that begins with #line, or # and a number, which an answer may not have."
        )
    markers = list(_MARKER.finditer(expanded))
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        if marker[2] != str(file):
            continue
        part = expanded[marker.end() + 1 : following.start() if following else len(expanded)]
        if found := _REFUSED.search(blank(part)):
            line = int(marker[1]) + part.count("\n", 0, found.start())
            what = " ".join(found[0].split())
            raise UsageError(f"{file.name} line {line} has {what}, which an answer may not have.")
