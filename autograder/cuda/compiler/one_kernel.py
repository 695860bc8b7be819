"""Rejects answers that may be one kernel to the emulator's compiler and another to NVIDIA's.

A race is found on the emulator, and speed is measured on a GPU: an answer that queries which compiler reads it could be
right on one and fast on the other. So its `#if`s may query only its macros, not what the two compilers define before
it. Sources that are not graded may query anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core.findings import ForbiddenCode
from ..core.refusal import Refusal
from ..source.text import bare, join_lines, word_set

#: Names that compilers reserve for their own macros, for functions that query these, and for attributes, by which one
#: compiler chooses another function than the other (`enable_if`).
_RESERVED = re.compile(
    r"__\w*__|__[A-Z]\w*|__cpp_\w+|__cplusplus|__has_\w+|__is_identifier|_LP64|_GNU_SOURCE"
    r"|(?:__)?(?:linux|unix|x86_64|amd64|k8|i386)|__attribute|_?_declspec|gnu|clang|_Clang",
    re.ASCII,
)
#: CUDA's among them, and those that mean the same to both.
_SAME = word_set(
    "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __launch_bounds__ "
    "__cluster_dims__ __align__ __forceinline__ __noinline__ __inline__ __grid_constant__ __volatile__ __func__ "
    "__VA_ARGS__ __VA_OPT__"
)
#: Macros before a text that the other compiler lacks or defines differently.
_LIBRARY = re.compile(
    r"assert|printf|NULL|INFINITY|NAN|M_\w+|NDEBUG|CUDA(?:RT)?_\w+|NVRTC_\w+|EMU_\w+|U?INT\d*_C|CHAR_BIT"
    r"|(?:FLT|DBL|U?INT\d*|U?L?LONG|[SU]?CHAR|U?SHRT)_(?:MIN|MAX|EPSILON)",
    re.ASCII,
)
_WORD = re.compile(r"(?<!\w)[^\W\d]\w*", re.ASCII)
_DIRECTIVE = re.compile(r"^[^\S\n]*#[^\S\n]*(\w+)(.*)", re.MULTILINE)
_CONDITIONS = word_set("if ifdef ifndef elif")
_OPERATORS = word_set("defined true false")


def find_difference(source: str) -> ForbiddenCode | None:
    """Return the first thing in `source` by which it may be another kernel to another compiler; None if there is none.
    The text must have passed `forbidden.find_forbidden`."""
    joined, at = join_lines(source)
    offset, construct = min(_differences(bare(joined)), default=(0, ""))
    if not construct:
        return None
    line = source.count("\n", 0, at[offset]) + 1
    return ForbiddenCode(
        construct=construct, line=line, text=source.split("\n")[line - 1].strip(), reason=Refusal.DIFFERS
    )


def _differences(code: str) -> Iterator[tuple[int, str]]:
    for word in _WORD.finditer(code):
        if _RESERVED.fullmatch(word[0]) and word[0] not in _SAME:
            yield word.start(), word[0]
    # What the text defines itself, wherever: the compilers agree on all else that decides over it.
    directives = list(_DIRECTIVE.finditer(code))
    defined = {name for d in directives if d[1] == "define" for name in _WORD.findall(d[2])[:1]}
    known = _OPERATORS | {name for name in defined - _SAME if not _LIBRARY.fullmatch(name)}
    for d in directives:
        if d[1] == "define" and "#" in d[2]:
            yield d.start(1), f"#{d[1]} with a #"
        elif d[1] in _CONDITIONS and (other := [name for name in _WORD.findall(d[2]) if name not in known]):
            yield d.start(1), f"#{d[1]} {other[0]}"
