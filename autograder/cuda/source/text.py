"""Reads CUDA C++ text in a compiler's order: line splices first, then comments and literals, then directives.
`forbidden.py` rejects text that must not reach a compiler."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

MAX_LENGTH = 100_000
"""Longest text that we accept, in characters; a long kernel has 20,000."""


def word_set(words: str) -> frozenset[str]:
    """Return the set of words in a text."""
    return frozenset(words.split())


LIBRARY_HEADERS = word_set(
    "assert.h cassert cfloat climits cstddef cstdint cstdio cuda_runtime.h cuda_runtime_api.h "
    "device_launch_parameters.h float.h limits.h math.h stddef.h stdint.h stdio.h"
)
"""Headers whose names are always available, included or not; both backends provide them as empty texts."""

CUDA_HEADERS = word_set(
    "cooperative_groups.h cooperative_groups/memcpy_async.h cooperative_groups/reduce.h cooperative_groups/scan.h "
    "cuda/atomic cuda/barrier cuda/pipeline cuda/ptx cuda/std/atomic cuda/std/barrier cuda/std/limits "
    "cuda/std/type_traits cuda/std/utility cub/block/block_exchange.cuh cub/block/block_load.cuh "
    "cub/block/block_reduce.cuh cub/block/block_scan.cuh cub/block/block_store.cuh cub/cub.cuh "
    "cub/warp/warp_reduce.cuh cub/warp/warp_scan.cuh cuComplex.h cuda_bf16.h cuda_fp16.h cuda_fp8.h cuda_pipeline.h "
    "cuda_pipeline_primitives.h math_constants.h mma.h"
)
"""CUDA's own headers. The emulator has its own versions of them (`cuda/emulator/include`); NVRTC uses
NVIDIA's."""

STD_HEADERS = word_set("algorithm cmath iosfwd limits type_traits utility")
"""Headers of C++ of which both backends have our own versions (`cuda/emulator/include`)."""

ALLOWED_HEADERS = LIBRARY_HEADERS | CUDA_HEADERS | STD_HEADERS
"""The headers that a text may include; both backends provide all of them."""

_SPLICE = re.compile(r"\\\r?\n")
TOKEN = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<raw> (?:u8|[uUL])?R"(?P<mark>[^\s()\\"]{0,16})\(.*?(?:\)(?P=mark)"|\Z) )
    | (?P<literal> "(?:\\[^\n]|[^"\\\n])*+"? | '(?:\\[^\n]|[^'\\\n])*+'? )
    | (?P<number> \.?\d(?:[eEpP][+-]|'\w|[\w.])*+ )
    | [^\W\d]\w*
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_INCLUDE = re.compile(r"^[^\S\n]*(?P<sign>#)[^\S\n]*include\b(?P<header>[^\n]*)", re.MULTILINE)


@lru_cache(maxsize=16)  # every launch asks again
def blank(text: str) -> str:
    """Blank the comments and the contents of string and character literals in `text`.

    Each removed character becomes a space, which keeps length, lines, and columns. Quotes stay, and so
    do newlines and the splices (backslash, newline) in code.
    """
    joined, at = join_lines(text)
    out = list(text)
    for start, end in gaps(joined):
        # A splice just before the end belongs to the literal; one just after a block comment is code.
        stop = at[end - 1] + 1 if joined.startswith("/*", start) else at[end]
        for i in range(at[start], stop):
            if out[i] not in "\r\n":
                out[i] = " "
    return "".join(out)


def join_lines(text: str) -> tuple[str, list[int]]:
    """Remove every line splice from `text`; also return the offset in `text` of each character left,
    plus one for the end. (A splice in a raw string would stay; `forbidden.py` rejects raw strings,
    and `blank` blanks them either way.)"""
    parts, at, start = [], list[int](), 0
    for splice in _SPLICE.finditer(text):
        parts.append(text[start : splice.start()])
        at.extend(range(start, splice.start()))
        start = splice.end()
    parts.append(text[start:])
    at.extend(range(start, len(text) + 1))
    return "".join(parts), at


def gaps(joined: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each comment and of the contents of each literal, if not empty."""
    for token in TOKEN.finditer(joined):
        start, end = token.span()
        if token["raw"] is not None:
            start, end = joined.index('"', start) + 1, end - token[0].endswith('"')
        elif token["literal"] is not None:
            start, end = start + 1, end - (len(token[0]) > 1 and token[0][-1] == token[0][0])
        elif token["comment"] is None:
            continue
        if start < end:
            yield start, end


def headers(joined: str) -> Iterator[tuple[int, str]]:
    """Yield where the # of each #include stands, and what is to be included, with its brackets or quotes."""
    uncommented = without_comments(joined)
    for found in _INCLUDE.finditer(bare(joined)):
        yield found.start("sign"), uncommented[found.start("header") : found.end("header")].strip()


def library_headers(source: str) -> list[str]:
    """Return the headers that a text includes of those that are not empty: `CUDA_HEADERS` and `STD_HEADERS`, in its
    order."""
    return [header[1:-1] for _, header in headers(join_lines(source)[0]) if header[1:-1] in CUDA_HEADERS | STD_HEADERS]


def without_comments(joined: str) -> str:
    """`joined` with blanks for comments, as in `bare`."""
    chars = list(joined)
    for token in TOKEN.finditer(joined):
        if token["comment"] is not None:
            chars[token.start() : token.end()] = " " * len(token[0])
    return "".join(chars)


def bare(joined: str) -> str:
    """`joined` with blanks for comments and the contents of literals. Unlike in `blank`, newlines inside comments go
    too, because they don't end a directive."""
    chars = list(joined)
    for start, end in gaps(joined):
        chars[start:end] = " " * (end - start)
    return "".join(chars)
