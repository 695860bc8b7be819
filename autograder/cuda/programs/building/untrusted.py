"""What the host half of an answer may not have: constructs by which a text could put the user's bytes where we read the
compiler's, such as the table of lines, or could make the compiler read other files than headers, some of which have no
end. (What it does when it runs is the sandbox's matter.)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ...errors import UsageError
from ...source.text import MAX_LENGTH, blank

#: Most characters of an answer after the preprocessor, headers included, and of the user's lines alone.
_MOST, _MOST_OF_USER = 10_000_000, 1_000_000

# ---- the text as it is written

#: Blanks to a compiler, or what may be.
_BLANKS = r"[^\x21-\x7e\n]*+"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SPLICE = re.compile(r"\\[ \t]*+\n")
#: A header's name, which leads out of no folder.
_NAME = r"(?!/)(?:[\w/+-]|\.(?!\.))++"
#: Directives that read files, or tell that lines are another file's, which we would take for a header's. They are
#: looked for in comments and strings, too, so that nothing hides one.
_DIRECTIVE = re.compile(
    rf"(?:^|\*/){_BLANKS}((?:#|%:){_BLANKS}(?:/\*|\d|(?:line|embed|import|include_next|__include_macros)\b|"
    rf"include\b(?!{_BLANKS}(?:<{_NAME}>|\"{_NAME}\")))[^\n]{{0,50}})",
    re.MULTILINE | re.ASCII,
)


def refuse_text(file: Path) -> None:
    """Look at the text of `file` before anything reads it.

    Raises:
        UsageError: it has what an answer may not have, or is too long.
    """
    text = file.read_bytes().decode(errors="replace").replace("\r\n", "\n")
    if len(text) > MAX_LENGTH:
        raise UsageError(f"{file.name} has more than {MAX_LENGTH:,} characters, which no answer needs.")
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise UsageError(f"{file.name} line {line} has the character {ord(found[0])}, which an answer may not have.")
    if found := _DIRECTIVE.search(_SPLICE.sub("", text)):
        what = " ".join(found[1].split())
        raise UsageError(
            f"{file.name} has {what}, which an answer may not: it includes headers as <name>, and no more."
        )


# ---- the preprocessed text, where no macro hides anything

#: Attributes that say nothing of where bytes go, such as the macros of CUDA's headers become; some in their brackets.
_HARMLESS_WORD = (
    r"(?:__)?(?:aligned|always_inline|annotate|cluster_dims|constant|device|global|grid_constant|host|launch_bounds|"
    r"noinline|noreturn|shared|unused|used)(?:__)?\s*+(?:\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)\s*+)?"
)
_HARMLESS_ATTRIBUTE = rf"\s*+\(\s*+\(\s*+{_HARMLESS_WORD}(?:,\s*+{_HARMLESS_WORD})*+\)\s*+\)"
#: What follows #pragma where it is for loops, for other compilers, or about warnings.
_HARMLESS_PRAGMA = (
    r"(?:unroll|nounroll|once|omp|message|warning|nv_\w++|(?:GCC|clang)[^\S\n]++diagnostic|GCC[^\S\n]++optimize)\b"
)
#: A directive that a macro made: the compiler, which gets the preprocessed text, would follow it.
_MADE = r"^[^\S\n]*+(?:#|%:)[^\S\n]*+(?!pragma\b)[^\n]{0,50}"
_STANDARD = "nodiscard|maybe_unused|noreturn|fallthrough|deprecated|likely|unlikely|no_unique_address"
#: In the lines of the answer: names of the emulator's, assembly, attributes but for the language's own and
#: harmless ones, and pragmas; also raw strings and
#: letters of other languages, about whose ends we could be wrong, and so about what is a string.
_REFUSED = re.compile(
    rf"\b(?:asm|__asm|__asm__|emu_\w++|Emu[A-Z]\w*+)\b|\b__attribute(?:__)?\b(?!{_HARMLESS_ATTRIBUTE})|\b__declspec\b|R\"|[^\x00-\x7f]"
    r"|(?:\[|<:)\s*+(?:\[|<:)"
    rf"(?!\s*+(?:\b(?:{_STANDARD})\b\s*+(?:\(\s*+\"[^\"\n]*+\"\s*+\)\s*+)?,?\s*+)*+\]\s*+\])[^\]\n]{{0,50}}"
    rf"|{_MADE}|^[^\S\n]*+(?:#|%:)[^\S\n]*+pragma[^\S\n]++(?!{_HARMLESS_PRAGMA})\w++[^\n]*+",
    re.MULTILINE,
)
#: In the lines of headers, where an answer's macros may stand for their words, or for the beginning of what the answer
#: goes on with. (They themselves say by assembly only what a function is called, and have no other pragmas.)
_REFUSED_IN_HEADERS = re.compile(
    r"\b(?:asm|__asm|__asm__)\b(?!\s*+\(\s*+(?:\"[\w.]*+\"\s*+)++\))|\b(?:section|__section__)\s*+(?:\(|\Z)"
    rf"|{_MADE}|^[^\S\n]*+(?:#|%:)[^\S\n]*+pragma[^\S\n]++"
    r"(?!(?:GCC|clang)[^\S\n]++(?!section\b|__debug\b)|(?:once|omp|STDC|pack|push_macro|pop_macro|unroll)\b)[^\n]{0,50}",
    re.MULTILINE,
)
_MARKER = re.compile(r'^# (\d+) "([^"\n]*)"[ \d]*$', re.MULTILINE)


def refuse(expanded: str, file: Path) -> None:
    """Look at the lines of `file`, and of the headers it includes, in the preprocessed text.

    Raises:
        UsageError: one has what an answer may not have, or all is too long.
    """
    if len(expanded) > _MOST:
        raise UsageError(f"{file.name} has more than {_MOST:,} characters, headers included: include less.")
    of_user, last = 0, ""
    for name, line, part in [*_parts(expanded), (str(file), 1, "")]:
        if name != str(file):
            last = _last_sign(part) or last
            if found := _REFUSED_IN_HEADERS.search(part):
                what = f"{_briefly(found)} in {Path(name).name}, by a macro"
                raise UsageError(f"{file.name} has {what}, which an answer may not have.")
            continue
        if last not in ("", ";", "}"):  # the answer could go on with what the header begins
            raise UsageError(f"{file.name} leaves something open in a header, by a macro, which an answer may not.")
        last = ""
        of_user += len(part)
        if of_user > _MOST_OF_USER:
            raise UsageError(f"{file.name} becomes more than {_MOST_OF_USER:,} characters by its macros.")
        code = blank(part)
        if found := _REFUSED.search(code):
            line += part.count("\n", 0, found.start())
            raise UsageError(f"{file.name} line {line} has {_briefly(found)}, which an answer may not have.")


def _parts(expanded: str) -> Iterator[tuple[str, int, str]]:
    """Yield the parts of a preprocessed text: of which file each is, its first line there, and its text."""
    markers = list(_MARKER.finditer(expanded))
    for marker, following in zip(markers, [*markers[1:], None], strict=True):
        yield marker[2], int(marker[1]), expanded[marker.end() + 1 : following.start() if following else len(expanded)]


def _last_sign(part: str) -> str:
    """Return the last character of a text that is in no directive; "" if there is none."""
    lines = (line.strip() for line in reversed(part.split("\n")))
    return next((line[-1] for line in lines if line and not line.startswith("#")), "")


def _briefly(found: re.Match[str]) -> str:
    return " ".join(found[0].split())
