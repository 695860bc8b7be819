"""Rejects text that no compiler may get.

A student's text is compiled on the grading machine: by clang for the emulator, and by NVRTC for a GPU. What it may do
when it runs is decided by clang, the verifier and the sandbox. `find_forbidden` rejects what takes effect before that:
directives that read files, rename lines or give the compiler orders, and questions about files. NVRTC asks nobody else.

It reads text as a compiler does: line splices first, then comments and literals, then directives. Where compilers
disagree about what is a comment or a literal, it rejects the text, because a directive could hide there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..core.findings import ForbiddenCode
from ..core.refusal import Refusal
from ..source.text import ALLOWED_HEADERS, MAX_LENGTH, TOKEN, bare, headers, join_lines, word_set

#: CUDA headers for features that the emulator lacks: texture references, bulk copies, PTX.
_UNSUPPORTED_HEADERS = word_set(
    "crt/mma.h texture_types.h surface_types.h cuda_texture_types.h cuda_surface_types.h "
    "texture_indirect_functions.h surface_indirect_functions.h cuda.h cuda_device_runtime_api.h"
)
#: Longest name, in characters: with longer ones, the compiler takes its time to look for one that was meant.
_MAX_NAME = 1000
_DIRECTIVES = word_set("define undef if ifdef ifndef elif else endif error include pragma")
_DIRECTIVE = re.compile(r"^[^\S\n]*(#)[^\S\n]*(\w*)([^\n]*)", re.MULTILINE | re.ASCII)
_PRAGMA = re.compile(r"\s*+(?:once\s*+|(?:no)?unroll\b[\w\s()+*/-]*+)", re.ASCII)
_WORD = re.compile(r"(?<!\w)[^\W\d]\w*", re.ASCII)
#: Queries of a file, also in the macros of NVIDIA's headers.
_QUERIES_FILE = re.compile(r"has_(?:include|embed)", re.IGNORECASE)
_FILE_QUERIES = ("__has_include", "__has_include_next", "__has_embed", "_CCCL_HAS_INCLUDE")
#: Functions that clang has and NVIDIA's compilers lack. (`__sync_` begins GCC's; CUDA's __syncthreads has another t.)
_COMPILERS = re.compile(
    r"__(?:builtin_(?!assume(?:_aligned)?\b|expect\b)|atomic_|c11_|sync_|nvvm_|scoped_atomic_|opencl_|hip_)", re.ASCII
)
#: Names that begin with two underscores, or with one and a capital, are the compiler's. Texts define some all the same:
#: include guards and settings, in capitals; and the warp functions of GPUs before 2017, which CUDA no longer has.
_RESERVED = re.compile(r"_[_A-Z]")
_USER_MACRO = re.compile(r"(?!__COUNTER__)_+[A-Z0-9][A-Z0-9_]*|__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)", re.ASCII)
_SEPARATED = re.compile(
    r"(?:0[xX][\da-fA-F]++(?:'[\da-fA-F]++)++|0[bB][01]+(?:'[01]+)+|\d+(?:'\d+)+(?:\.\d*)?)[uUlLzZfF]*", re.ASCII
)

_Refused = tuple[int, str, Refusal]  # offset, construct, reason


@lru_cache(maxsize=16)  # every launch asks again
def find_forbidden(text: str) -> ForbiddenCode | None:
    """Find the first thing in `text` that must not reach a compiler; None if there is none.

    Returns:
        A finding without accesses; its `line` counts from 1.
    """
    if len(text) > MAX_LENGTH:
        return _finding(text, 0, f"a text of {len(text)} characters", Refusal.TOO_LONG)
    if refused := _first(_unreadable(text)):
        return _finding(text, *refused)
    joined, at = join_lines(text)
    code = bare(joined)
    rules = (_characters(code), _literals(code, joined), _words(code), _directives(code, joined), _pasted(code))
    if refused := _first(found for rule in rules for found in [next(rule, None)] if found):
        return _finding(text, at[refused[0]], *refused[1:])
    return None


def _first(refusals: Iterator[_Refused]) -> _Refused | None:
    return min(refusals, default=None)


def _finding(text: str, offset: int, construct: str, reason: Refusal) -> ForbiddenCode:
    line = text.count("\n", 0, offset) + 1
    return ForbiddenCode(
        construct=" ".join(construct.split()),
        line=line,
        text=text.split("\n")[line - 1].strip(),
        reason=reason,
    )


def _unreadable(text: str) -> Iterator[_Refused]:
    """Text in which compilers may disagree where lines, comments, and literals begin and end."""
    if m := re.search(r"\\[ \t]+\r?\n", text):
        yield m.start(), "a backslash with blanks after it at the end of a line", Refusal.AMBIGUOUS
    if m := re.search(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", text):
        yield m.start(), f"the invisible character U+{ord(m[0]):04X}", Refusal.AMBIGUOUS


# The rules below yield their matches in order of offset in `code`, which is `joined` without comments and
# literals. Only the first match of each rule counts, so no text can make them slow.


def _characters(code: str) -> Iterator[_Refused]:
    """Characters that may or may not continue a word, so that compilers disagree where a literal begins; and %:, a
    second spelling of the # of a directive."""
    for m in re.finditer(r"[^\x00-\x7f]|[$@`\\]", code):
        shown = m[0] if m[0].isprintable() else f"U+{ord(m[0]):04X}"
        yield m.start(), f"the character {shown}", Refusal.NO_CODE
    for m in re.finditer("%:", code):
        yield m.start(), "%:", Refusal.SECOND_SPELLING


def _literals(code: str, joined: str) -> Iterator[_Refused]:
    """Literals that compilers may end at different places, so that a directive could hide after them."""
    for token in TOKEN.finditer(joined):
        # An R before a quote that starts no raw string here may start one, ill-formed, elsewhere.
        after_r = code.endswith("R", 0, token.start())
        if token["raw"] is not None or (token["literal"] is not None and after_r):
            yield token.start(), "a raw string", Refusal.UNSUPPORTED
        elif token["number"] is not None and "'" in token[0] and not _SEPARATED.fullmatch(token[0]):
            yield token.start(), token[0], Refusal.AMBIGUOUS


def _words(code: str) -> Iterator[_Refused]:
    for m in _WORD.finditer(code):
        if len(m[0]) > _MAX_NAME:
            yield m.start(), f"a name of {len(m[0])} characters", Refusal.TOO_LONG
        elif _QUERIES_FILE.search(m[0]):
            yield m.start(), m[0], Refusal.READS
        elif _COMPILERS.match(m[0]):
            yield m.start(), m[0], Refusal.COMPILER


def _directives(code: str, joined: str) -> Iterator[_Refused]:
    included = dict(headers(joined))
    for m in _DIRECTIVE.finditer(code):
        if refused := _directive(m[2], m[3], included.get(m.start(1), "")):
            yield m.start(1), *refused


def _directive(name: str, rest: str, header: str) -> tuple[str, Refusal] | None:
    """Construct and reason if a directive, which includes this header, is forbidden."""
    if name not in _DIRECTIVES and (name or rest.strip()):
        reads = name in ("include_next", "import", "embed")
        return f"#{name or rest.strip()[:20]}", Refusal.READS if reads else Refusal.UNNEEDED
    if name == "include":
        if not (re.fullmatch(r'<[^<>]*>|"[^"]*"', header) and header[1:-1] in ALLOWED_HEADERS):
            if header[1:-1] in _UNSUPPORTED_HEADERS:
                return f"#include {header}", Refusal.UNSUPPORTED
            is_plain = re.fullmatch(r"<[\w.]+(?:/[\w.]+)*>", header, re.ASCII)
            return f"#include {header}", Refusal.HEADER if is_plain else Refusal.READS
    elif name == "pragma" and not _PRAGMA.fullmatch(rest):
        return f"#pragma {rest.strip()[:40]}", Refusal.ORDERS
    elif name in ("define", "undef"):
        word = "".join(_WORD.findall(rest)[:1])
        if _RESERVED.match(word) and not _USER_MACRO.fullmatch(word):
            return f"#{name} {word}", Refusal.KEYWORD
    return None


def _pasted(code: str) -> Iterator[_Refused]:
    """Yield an #if that may query a file by a name that a ## makes, in the text or in NVIDIA's headers: words of the
    text, put together, are such a name. (For clang, the names are reserved, however they are made: `reserved.py`.)"""
    conditions = [m.start(1) for m in _DIRECTIVE.finditer(code) if m[2] in ("if", "elif")]
    if not conditions:
        return
    words = {"_", "__", *_WORD.findall(_DIRECTIVE.sub(lambda m: f"\n{m[3]}", code))}
    for name in _FILE_QUERIES:
        pieces = "|".join(word for word in words if word in name and not _QUERIES_FILE.search(word))
        if re.fullmatch(f"(?:{pieces})+", name):
            yield conditions[0], "#if", Refusal.READS
