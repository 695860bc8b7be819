"""What can be known about CUDA C++ text before any compiler sees it.

A student's text is compiled to native code on the grading machine, and is given to NVRTC on a
machine with a GPU. `find_forbidden` refuses what would read files, escape the emulator's eyes, or
cannot be emulated. It is one wall of several (the launch itself runs in a sandbox), and it reads
text as a compiler does: line splices first, then comments and literals, then directives. Where
compilers disagree about what is a comment or a literal, the text is refused, because code could
hide there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from .findings import Finding, Kind

MAX_LENGTH = 200_000
"""The longest text that is accepted, in characters; a long kernel has 20,000."""

ALLOWED_HEADERS = frozenset(
    "assert.h cassert cfloat climits cmath cstddef cstdint cstdio cuda_runtime.h float.h limits.h "
    "math.h stddef.h stdint.h stdio.h".split()
)
"""The headers that a text may include; both backends provide each of them."""

_DIRECTIVES = frozenset("define undef if ifdef ifndef elif else endif error include pragma".split()) | {""}
_PRAGMA = re.compile(r"\s*(?:once|(?:no)?unroll[\w\s()+*/-]*)", re.ASCII)
_ATTRIBUTES = frozenset(
    "maybe_unused nodiscard likely unlikely fallthrough deprecated noreturn no_unique_address".split()
)
_BUILTINS = frozenset("__builtin_assume __builtin_expect __builtin_unreachable".split())

# Reasons read on from the construct: "asm is machine code of its own, ...".
_READS = "reads a file of the grading machine"
_HEADER = "is not one of the headers that a kernel may include here"
_ASSEMBLY = "is machine code of its own, which the emulator cannot follow"
_ATTRIBUTE = "gives the compiler orders that a kernel does not need"
_COMPILER = "belongs to the compiler, not to CUDA"
_RUNTIME = "belongs to the emulator"
_MODULES = "belongs to C++ modules, which kernels do not have"
_UNSUPPORTED = "is not supported here"
_NOT_CUDA = "is not part of CUDA device code"
_AMBIGUOUS = "is read differently by different compilers"
_OUTSIDE = "names something outside this text"

_WORDS: dict[str, str] = {
    **dict.fromkeys("asm __asm __asm__ _asm".split(), _ASSEMBLY),
    **dict.fromkeys("__has_include __has_include_next __has_embed".split(), _READS),
    **dict.fromkeys(
        "__attribute __attribute__ __declspec _declspec gnu clang __gnu__ _Clang constructor destructor "
        "ifunc no_sanitize".split(),
        _ATTRIBUTE,
    ),
    **dict.fromkeys("_Pragma __pragma".split(), _ATTRIBUTE),
    **dict.fromkeys("import export".split(), _MODULES),
    **dict.fromkeys("thread_local __thread _Thread_local _Atomic".split(), _NOT_CUDA),
    **dict.fromkeys("wmma nvcuda cudaTextureObject_t cudaSurfaceObject_t".split(), _UNSUPPORTED),
    "emu": _RUNTIME,
}
_PREFIXES: dict[str, str] = {
    **dict.fromkeys("__tsan __ubsan __asan __msan __hwasan __lsan __sanitizer __emu emu_".split(), _RUNTIME),
    **dict.fromkeys("no_sanitize_ no_instrument disable_sanitizer".split(), _ATTRIBUTE),
    # __sync_ is GCC's family; CUDA's __syncthreads and __syncwarp have no underscore there.
    **dict.fromkeys(
        "__builtin_ __atomic_ __c11_ __sync_ __scoped_atomic_ __opencl_ __hip_ __cxa_ __libc_".split(), _COMPILER
    ),
}
_TEXTURE = re.compile(r"(?:texture|surface)\s*<|(?:tex[123]D|tex2Dgather|texCubemap|surf[123]D)\w*\s*\(", re.ASCII)

_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
    "class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield "
    "decltype default defined delete do double dynamic_cast else enum explicit export extern false float for "
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "private protected public register reinterpret_cast requires return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq".split()
)

_SPLICE = re.compile(r"\\\r?\n")
_SKIPPED = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<raw> (?:u8|[uUL])?R"(?P<mark>[^\s()\\"]{0,16})\(.*?(?:\)(?P=mark)"|\Z) )
    | (?P<literal> "(?:\\[^\n]|[^"\\\n])*+"? | '(?:\\[^\n]|[^'\\\n])*+'? )
    | (?P<number> \.?\d(?:[eEpP][+-]|'\w|[\w.])*+ )
    | [^\W\d]\w*
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_WORD = re.compile(r"(?<!\w)[^\W\d]\w*", re.ASCII)
_SEPARATED = re.compile(
    r"(?:0[xX][\da-fA-F]+(?:'[\da-fA-F]+)+|\d+(?:'\d+)+(?:\.\d*)?|0[bB][01]+(?:'[01]+)+)[uUlLzZfF]*", re.ASCII
)


@dataclass(frozen=True)
class DynamicShared:
    """One array declared `extern __shared__ T name[]`.

    `extern` and `shared` are the (start, end) offsets in the text of the words `extern` and
    `__shared__`.
    """

    name: str
    extern: tuple[int, int]
    shared: tuple[int, int]


def blank(text: str) -> str:
    """`text` without comments and without the insides of string and character literals.

    Each character that goes becomes a space, so length, lines and columns stay. The quotes of a
    literal stay, and so do newlines and the splices (backslash, newline) of code.
    """
    joined, at = _join(text)
    out = list(text)
    for start, end in _gaps(joined):
        if start == end:
            continue
        for i in range(at[start], at[end - 1] + 1):
            if out[i] not in "\r\n":
                out[i] = " "
    return "".join(out)


def dynamic_shared(text: str) -> tuple[DynamicShared, ...]:
    """Every array of dynamic shared memory that `text` declares, in order.

    Finds `extern __shared__ T name[]`, with either order of the two words, with
    `__align__(n)`, `alignas(n)`, `const` and `volatile` anywhere, several names in one
    declaration, and more extents after the empty one (`name[][33]`).
    """
    code = blank(text)
    found = []
    for word in re.finditer(r"\bextern\b", code):
        # A declaration ends at its semicolon; it begins after the last one, or after a brace.
        start = max(code.rfind(c, 0, word.start()) for c in ";{}") + 1
        before = code.rfind("__shared__", start, word.start())
        declaration = re.compile(r"[^;{}]*").match(code, word.end())
        end = declaration.end() if declaration else word.end()
        after = code.find("__shared__", word.end(), end)
        shared = after if after >= 0 else before
        if shared < 0:
            continue
        span = (shared, shared + len("__shared__"))
        for name in re.finditer(r"\b([^\W\d]\w*)\s*\[\s*\]", code[word.end() : end], re.ASCII):
            found.append(DynamicShared(name[1], word.span(), span))
    return tuple(found)


def find_forbidden(text: str) -> Finding | None:
    """The first thing in `text` that must not reach a compiler, or None.

    Returns:
        a `FORBIDDEN_CODE` finding without accesses. Its detail: `construct` (the words refused),
        `line` (from 1) and `text` (that line, stripped), `reason` (a phrase whose subject is the
        construct, such as "reads a file of the grading machine").
    """
    if len(text) > MAX_LENGTH:
        return _finding(text, 0, f"a text of {len(text)} characters", "is longer than any kernel")
    first = min(_unreadable(text), default=None)
    if first is None:
        joined, at = _join(text)
        first = min(
            ((at[offset], construct, reason) for offset, construct, reason in _forbidden(joined, text, at)),
            default=None,
        )
    return None if first is None else _finding(text, *first)


_Refusal = tuple[int, str, str]  # offset, construct, reason


def _finding(text: str, offset: int, construct: str, reason: str) -> Finding:
    line = text.count("\n", 0, offset) + 1
    detail = {
        "construct": " ".join(construct.split()),
        "line": line,
        "text": text.split("\n")[line - 1].strip(),
        "reason": reason,
    }
    return Finding(Kind.FORBIDDEN_CODE, detail=MappingProxyType(detail))


def _join(text: str) -> tuple[str, list[int]]:
    """`text` with every line splice taken out, and the offset in `text` of each character left,
    with one more for the end. (Inside a raw string a splice would stay; `find_forbidden` refuses
    raw strings, and to `blank` it makes no difference.)"""
    parts, at, start = [], list[int](), 0
    for splice in _SPLICE.finditer(text):
        parts.append(text[start : splice.start()])
        at.extend(range(start, splice.start()))
        start = splice.end()
    parts.append(text[start:])
    at.extend(range(start, len(text) + 1))
    return "".join(parts), at


def _gaps(joined: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each comment, and of the inside of each literal."""
    for token in _SKIPPED.finditer(joined):
        start, end = token.span()
        if token["comment"] is not None:
            yield start, end
        elif token["raw"] is not None:
            yield joined.index('"', start) + 1, end - (token[0].endswith('"'))
        elif token["literal"] is not None:
            closed = len(token[0]) > 1 and token[0][-1] == token[0][0]
            yield start + 1, end - closed


def _unreadable(text: str) -> Iterator[_Refusal]:
    """What makes it doubtful where lines, comments and literals begin and end."""
    for m in re.finditer(r"\\[ \t\f\v]+\r?\n", text):
        yield m.start(), "a backslash with blanks after it at the end of a line", _AMBIGUOUS
    for m in re.finditer(r"\?\?/", text):
        yield m.start(), "??/", _AMBIGUOUS
    for m in re.finditer(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", text):
        yield m.start(), f"the invisible character U+{ord(m[0]):04X}", _AMBIGUOUS


def _forbidden(joined: str, text: str, at: list[int]) -> Iterator[_Refusal]:
    """Every refusal, in no order, with offsets in `joined`."""
    # Unlike `blank`, newlines inside comments go too: they do not end a directive.
    chars = list(joined)
    for start, end in _gaps(joined):
        chars[start:end] = " " * (end - start)
    code = "".join(chars)
    directives = list(re.finditer(r"^[^\S\n]*#(.*)$", code, re.MULTILINE))
    yield from _characters(joined, code)
    yield from _words(code)
    for directive in directives:
        yield from _directive(directive, joined)
    inside = {i for d in directives for i in range(*d.span())}
    for m in re.finditer("#", code):
        if m.start() not in inside:
            yield m.start(), "#", "is not at the start of its line"
    yield from _attributes(code)
    dynamic = {d.extern[0] for d in dynamic_shared(text)}
    for m in re.finditer(r"\bextern\b", code):
        if at[m.start()] not in dynamic and not _defines_in_c(code, joined, m.end()):
            yield m.start(), "extern", _OUTSIDE


def _characters(joined: str, code: str) -> Iterator[_Refusal]:
    for m in re.finditer(r"[^\x00-\x7f]|[$@`]", code):
        yield m.start(), f"the character {m[0]}", "does not belong in C++ code"
    for m in re.finditer(r"\\[uUN]?", code):
        yield m.start(), m[0], "hides what a name says"
    for m in re.finditer(r"\?\?[=/'()!<>-]|<%|%>|%:|:>|<:(?!:[^:>])", code):
        yield m.start(), m[0], "is a second spelling of # [ ] { } or another sign"
    for m in re.finditer("<<<", code):
        yield m.start(), "<<<", "launches a kernel, which is not supported here"
    for m in re.finditer("##", code):
        yield m.start(), "##", "can make any name"
    for token in _SKIPPED.finditer(joined):
        # Code after what one compiler takes for a literal, and another does not, could hide.
        if token["raw"] is not None:
            yield token.start(), "a raw string", _UNSUPPORTED
        elif token["number"] is not None and "'" in token[0] and not _SEPARATED.fullmatch(token[0]):
            yield token.start(), token[0], _AMBIGUOUS
    for m in re.finditer(r'\b(?:u8|[uUL])?R"', code, re.ASCII):
        yield m.start(), "a raw string", _UNSUPPORTED


def _words(code: str) -> Iterator[_Refusal]:
    for m in _WORD.finditer(code):
        word = m[0]
        if word in _WORDS:
            yield m.start(), word, _WORDS[word]
        elif word not in _BUILTINS:
            for prefix, reason in _PREFIXES.items():
                if word.startswith(prefix):
                    yield m.start(), word, reason
    for m in _TEXTURE.finditer(code):
        yield m.start(), m[0].rstrip("( <"), _UNSUPPORTED
    for m in re.finditer(r"(?:\A|[;{}\n])\s*(module)\s*(?:[;:]|[^\W\d])", code, re.ASCII):
        yield m.start(1), "module", _MODULES


def _directive(directive: re.Match[str], joined: str) -> Iterator[_Refusal]:
    start = directive.start() + directive[0].index("#")
    parsed = re.match(r"\s*(\w*)(.*)", directive[1], re.ASCII)
    assert parsed is not None  # both parts may be empty
    name, rest = parsed[1], parsed[2]
    if name not in _DIRECTIVES or (name == "" and rest.strip()):
        reason = _READS if name in ("include_next", "import", "embed") else "is not a directive that a kernel needs"
        yield start, f"#{name or rest.strip()[:20]}", reason
    elif name == "include":
        # The literal's inside is blank in `directive`: take the name from the text itself.
        header = joined[start : directive.end()].partition("include")[2].strip()
        plain = re.fullmatch(r"<([\w./+-]+)>|\"([\w./+-]+)\"", re.sub(r"//.*|/\*.*", "", header).strip(), re.ASCII)
        wanted = (plain[1] or plain[2]) if plain else ""
        if wanted not in ALLOWED_HEADERS:
            listed = re.fullmatch(r"<[\w.]+>", plain[0], re.ASCII) if plain else None
            yield start, f"#include {header}", _HEADER if listed else _READS
    elif name == "pragma" and not _PRAGMA.fullmatch(rest):
        yield start, f"#pragma {rest.strip()[:40]}", _ATTRIBUTE
    elif name in ("define", "undef"):
        macro = re.match(r"\s*(\w*)", rest, re.ASCII)
        word = macro[1] if macro else ""
        if word in _KEYWORDS or word.startswith("__") or re.match("_[A-Z]", word):
            yield start, f"#{name} {word}", "changes a word of the language"
        elif not _balanced(rest):
            yield start, f"#{name} {word}", "has brackets that do not close"


def _balanced(code: str) -> bool:
    open_ = []
    for bracket in re.findall(r"[()\[\]{}]", code):
        if bracket in "([{":
            open_.append(bracket)
        elif not open_ or open_.pop() + bracket not in ("()", "[]", "{}"):
            return False
    return not open_


def _attributes(code: str) -> Iterator[_Refusal]:
    for m in re.finditer(r"\[\s*\[(.*?)\]\s*\]", code, re.DOTALL):
        for attribute in re.sub(r"\(.*?\)", "", m[1], flags=re.DOTALL).split(","):
            if attribute.strip() not in _ATTRIBUTES:
                yield m.start(), f"[[{m[1].strip()}]]", _ATTRIBUTE


def _defines_in_c(code: str, joined: str, end: int) -> bool:
    """Whether the `extern` that ends at `end` is followed by "C" and by the definition of a
    kernel or device function: a mere declaration could name a function of the C library."""
    head = re.compile(
        r'\s*"[ ]"(?:\s+|__launch_bounds__\s*\([^()#;{}]*\)|(?:static|inline|void|int|unsigned|float|double|bool)\b'
        r"|__global__|__device__|__forceinline__|__noinline__)*?"
        r"\b(?:__global__|__device__)\b[^#;{},()=\"]*?(?:__launch_bounds__\s*\([^()#;{}]*\)[^#;{},()=\"]*)?"
        r"\([^#;{}]*\)\s*\{",
        re.ASCII,
    ).match(code, end)
    return head is not None and joined[end : joined.index('"', end) + 3].strip() == '"C"'
