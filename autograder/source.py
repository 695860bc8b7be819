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

MAX_LENGTH = 100_000
"""The longest text that is accepted, in characters; a long kernel has 20,000."""


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


LIBRARY_HEADERS = _split(
    "assert.h cassert cfloat climits cmath cstddef cstdint cstdio cuda_runtime.h cuda_runtime_api.h "
    "device_launch_parameters.h float.h limits.h math.h stddef.h stdint.h stdio.h"
)
"""Headers whose names every text has, included or not: empty texts to both backends."""

CUDA_HEADERS = _split(
    "cooperative_groups.h cooperative_groups/memcpy_async.h cooperative_groups/reduce.h cooperative_groups/scan.h "
    "cuda/atomic cuda/barrier cuda/pipeline cuda/std/atomic cuda/std/barrier "
    "cuda_bf16.h cuda_fp16.h cuda_pipeline.h cuda_pipeline_primitives.h math_constants.h"
)
"""CUDA's own headers: to the emulator its own texts of the same names (`emulator/include`), to NVRTC
NVIDIA's."""

ALLOWED_HEADERS = LIBRARY_HEADERS | CUDA_HEADERS
"""The headers that a text may include; both backends provide each of them."""

# Reasons read on from the construct: "asm is machine code of its own, ...".
_READS = "reads a file of the grading machine"
_HEADER = "is not one of the headers that a kernel may include here"
_UNNEEDED = "is not a directive that a kernel needs"
_ASSEMBLY = "is machine code of its own, which the emulator cannot follow"
_ORDERS = "gives the compiler orders that a kernel does not need"
_COMPILER = "belongs to the compiler, not to CUDA"
_RUNTIME = "belongs to the emulator"
_MODULES = "belongs to C++ modules, which kernels do not have"
_UNSUPPORTED = "is not supported by the emulator"
_NOT_CUDA = "is not part of CUDA device code"
_AMBIGUOUS = "is read differently by different compilers"
_HOST = "belongs to the program that launches a kernel, and not to the kernel"
_OUTSIDE = "names something outside this text"

#: CUDA's headers for what the emulator cannot do: tensor cores, textures, clusters, bulk copies, PTX.
_UNSUPPORTED_HEADERS = _split(
    "mma.h crt/mma.h texture_types.h surface_types.h cuda_texture_types.h cuda_surface_types.h "
    "texture_indirect_functions.h surface_indirect_functions.h cuda/ptx cuda.h cuda_device_runtime_api.h"
)
_DIRECTIVES = _split("define undef if ifdef ifndef elif else endif error include pragma")
_PRAGMA = re.compile(r"\s*(?:once|(?:no)?unroll\b[\w\s()+*/-]*)\s*", re.ASCII)
_ATTRIBUTES = _split("maybe_unused nodiscard likely unlikely fallthrough deprecated noreturn no_unique_address")
_BUILTINS = _split("__builtin_assume __builtin_assume_aligned __builtin_expect __builtin_unreachable")

_WORDS = {
    word: reason
    for reason, words in {
        _ASSEMBLY: "asm _asm __asm __asm__",
        _READS: "__has_include __has_include_next __has_embed",
        # gnu and clang name attributes ([[gnu::constructor]]) that macros could put together.
        _ORDERS: "__attribute __attribute__ __declspec _declspec gnu clang __gnu__ _Clang constructor "
        "destructor ifunc no_sanitize _Pragma __pragma",
        _MODULES: "import export",
        # Coroutines and address spaces end in jumps and accesses that nobody watches, and so do accesses of
        # widths that no GPU has.
        _NOT_CUDA: "thread_local __thread _Thread_local _Atomic co_await co_return co_yield __seg_fs __seg_gs "
        "_BitInt _ExtInt _Complex __complex__ __complex __float80 __ibm128",
        _UNSUPPORTED: "wmma nvcuda cudaTextureObject_t cudaSurfaceObject_t "
        "this_cluster cluster_group map_shared_rank __cluster_dims__ __clusterDim CUtensorMap "
        "__isGlobal __isShared __isConstant __isLocal __isGridConstant __barrier_sync __barrier_sync_count malloc "
        "barrier_native_handle barrier_expect_tx barrier_arrive_tx memcpy_async_tx",
        _RUNTIME: "emu",
    }.items()
    for word in words.split()
}
_PREFIXES = {
    prefix: reason
    for reason, prefixes in {
        _UNSUPPORTED: "__cvta_ __cluster_ cp_async_bulk",
        _RUNTIME: "__tsan __ubsan __asan __msan __hwasan __lsan __sanitizer __emu emu_ EMU_",
        _ORDERS: "no_sanitize_ no_instrument disable_sanitizer",
        # __sync_ begins GCC's family; CUDA's __syncthreads and __syncwarp have no underscore there.
        _COMPILER: "__builtin_ __atomic_ __c11_ __sync_ __scoped_atomic_ __opencl_ __hip_ __cxa_ __libc_",
    }.items()
    for prefix in prefixes.split()
}
#: Their group 1 is the construct.
_PATTERNS = (
    (re.compile(r"(\\[uUN])"), "hides what a name says"),
    (re.compile(r"(\?\?[=/'()!<>-]|<%|%>|%:|:>|<:(?!:[^:>]))"), "is a second spelling of another sign"),
    (re.compile(r"(<<<)"), "launches a kernel, which is not supported by the emulator"),
    (re.compile(r"\b(cuda[A-Z]\w*)\s*\(", re.ASCII), _HOST),
    (re.compile(r"\.\s*(barrier_arrive|barrier_wait)\b", re.ASCII), _UNSUPPORTED),
    (re.compile(r"(##)"), "can make any name"),
    (re.compile(r"\b((?:texture|surface)\s*<[\w\s,]*>)", re.ASCII), _UNSUPPORTED),
    (re.compile(r"\b((?:tex[123]D|texCubemap|surf[123]D)\w*)\s*[(<]", re.ASCII), _UNSUPPORTED),
    (re.compile(r"(?:\A|[;{}\n])[^\S\n]*(module)[^\S\n]*(?:[;:]|[^\W\d])", re.ASCII), _MODULES),
)

_KEYWORDS = _split(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
    "class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield "
    "decltype default defined delete do double dynamic_cast else enum explicit export extern false float for "
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "private protected public register reinterpret_cast requires return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq"
)

_SPLICE = re.compile(r"\\\r?\n")
_TOKEN = re.compile(
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
    r"(?:0[xX][\da-fA-F]+(?:'[\da-fA-F]+)+|0[bB][01]+(?:'[01]+)+|\d+(?:'\d+)+(?:\.\d*)?)[uUlLzZfF]*", re.ASCII
)
_DIRECTIVE = re.compile(r"^[^\S\n]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)


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
        # A splice just before the end is inside, but one just after a block comment is code.
        stop = at[end - 1] + 1 if joined.startswith("/*", start) else at[end]
        for i in range(at[start], stop):
            if out[i] not in "\r\n":
                out[i] = " "
    return "".join(out)


def blank_directives(code: str) -> str:
    """`code` (blanked) with its preprocessor directives blanked too; length and lines stay."""
    return _DIRECTIVE.sub(lambda m: re.sub(r"[^\r\n]", " ", m[0]), code)


def dynamic_shared(text: str) -> tuple[DynamicShared, ...]:
    """Every array of dynamic shared memory that `text` declares, in order.

    Finds `extern __shared__ T name[]`, with either order of the two words, with
    `__align__(n)`, `alignas(n)`, `const` and `volatile` anywhere, several names in one
    declaration, and more extents after the empty one (`name[][33]`). Not in macros, where the
    name may be an argument; `find_forbidden` refuses those.
    """
    return tuple(_dynamic(blank(text)))


def find_forbidden(text: str) -> Finding | None:
    """The first thing in `text` that must not reach a compiler, or None.

    Returns:
        A `FORBIDDEN_CODE` finding without accesses. Its detail: `construct` (the words refused),
        `line` (from 1) and `text` (that line, stripped), `reason` (a phrase whose subject is the
        construct, such as "reads a file of the grading machine").
    """
    if len(text) > MAX_LENGTH:
        return _finding(text, 0, f"a text of {len(text)} characters", "is longer than any kernel")
    refusal = _first(_unreadable(text))
    if refusal is None:
        joined, at = _join(text)
        # Unlike in `blank`, newlines inside comments go too: they do not end a directive.
        chars = list(joined)
        for start, end in _gaps(joined):
            chars[start:end] = " " * (end - start)
        code = "".join(chars)
        rules = (_characters, _literals, _words, _directives, _attributes, _externs, _gotos)
        refusal = _first(r for rule in rules for r in [next(rule(code, joined), None)] if r)
        if refusal is None:
            return None
        refusal = (at[refusal[0]], *refusal[1:])
    return _finding(text, *refusal)


_Refusal = tuple[int, str, str]  # offset, construct, reason


def _first(refusals: Iterator[_Refusal]) -> _Refusal | None:
    return min(refusals, default=None)


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
    with one more for the end. (In a raw string a splice would stay; `find_forbidden` refuses raw
    strings, and `blank` blanks it either way.)"""
    parts, at, start = [], list[int](), 0
    for splice in _SPLICE.finditer(text):
        parts.append(text[start : splice.start()])
        at.extend(range(start, splice.start()))
        start = splice.end()
    parts.append(text[start:])
    at.extend(range(start, len(text) + 1))
    return "".join(parts), at


def _gaps(joined: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each comment and of the inside of each literal, where not empty."""
    for token in _TOKEN.finditer(joined):
        start, end = token.span()
        if token["raw"] is not None:
            start, end = joined.index('"', start) + 1, end - token[0].endswith('"')
        elif token["literal"] is not None:
            start, end = start + 1, end - (len(token[0]) > 1 and token[0][-1] == token[0][0])
        elif token["comment"] is None:
            continue
        if start < end:
            yield start, end


def _dynamic(code: str) -> Iterator[DynamicShared]:
    """`dynamic_shared` of blanked text."""
    for declaration in re.finditer(r"[^;{}]+", blank_directives(code)):
        text, offset = declaration[0], declaration.start()
        extern, shared = re.search(r"\bextern\b", text), re.search(r"\b__shared__\b", text)
        if extern is None or shared is None:
            continue
        for name in re.finditer(r"\b([^\W\d]\w*)\s*\[\s*\]", text[extern.end() :], re.ASCII):
            yield DynamicShared(
                name[1],
                (offset + extern.start(), offset + extern.end()),
                (offset + shared.start(), offset + shared.end()),
            )


def _unreadable(text: str) -> Iterator[_Refusal]:
    """What makes it doubtful where lines, comments and literals begin and end."""
    if m := re.search(r"\\[ \t]+\r?\n", text):
        yield m.start(), "a backslash with blanks after it at the end of a line", _AMBIGUOUS
    if m := re.search(r"\?\?/", text):
        yield m.start(), "??/", _AMBIGUOUS
    if m := re.search(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", text):
        yield m.start(), f"the invisible character U+{ord(m[0]):04X}", _AMBIGUOUS


# The rules below yield refusals in order of their offsets in `code`, which is `joined` without
# comments and literals. Only the first of each rule counts, so that no text makes them slow.


def _characters(code: str, joined: str) -> Iterator[_Refusal]:
    found = [(m.start(1), m[1], reason) for pattern, reason in _PATTERNS if (m := pattern.search(code))]
    if m := re.search(r"[^\x00-\x7f]|[$@`\\]", code):
        shown = m[0] if m[0].isprintable() else f"U+{ord(m[0]):04X}"
        found.append((m.start(), f"the character {shown}", "does not belong in C++ code"))
    yield from sorted(found)


def _literals(code: str, joined: str) -> Iterator[_Refusal]:
    """Literals that one compiler may end where another does not: code could hide behind them."""
    for token in _TOKEN.finditer(joined):
        # An R before a quote that makes no raw string here may make one, ill-formed, elsewhere.
        after_r = code.endswith("R", 0, token.start())
        if token["raw"] is not None or (token["literal"] is not None and after_r):
            yield token.start(), "a raw string", _UNSUPPORTED
        elif token["number"] is not None and "'" in token[0] and not _SEPARATED.fullmatch(token[0]):
            yield token.start(), token[0], _AMBIGUOUS


def _words(code: str, joined: str) -> Iterator[_Refusal]:
    prefixes = tuple(_PREFIXES)
    for m in _WORD.finditer(code):
        if m[0] in _WORDS:
            yield m.start(), m[0], _WORDS[m[0]]
        elif m[0].startswith(prefixes) and m[0] not in _BUILTINS:
            yield m.start(), m[0], next(r for p, r in _PREFIXES.items() if m[0].startswith(p))


def _directives(code: str, joined: str) -> Iterator[_Refusal]:
    end = 0  # of the directive before
    for m in re.finditer("#", code):
        if m.start() < end:
            continue  # inside a directive: # makes a string, and ## is refused elsewhere
        start = m.start()
        if code[code.rfind("\n", 0, start) + 1 : start].strip():
            yield start, "#", "is not at the start of its line"
        end = code.find("\n", start)
        end = len(code) if end < 0 else end
        refused = _directive(code[start + 1 : end], joined[start + 1 : end])
        if refused:
            yield start, *refused


def _directive(code: str, joined: str) -> tuple[str, str] | None:
    """Construct and reason, where the directive after a # is refused."""
    name, rest = re.findall(r"\s*(\w*)(.*)", code, re.ASCII | re.DOTALL)[0]
    if name not in _DIRECTIVES and (name or rest.strip()):
        reads = name in ("include_next", "import", "embed")
        return f"#{name or rest.strip()[:20]}", _READS if reads else _UNNEEDED
    if name == "include":
        # A literal's inside is blank in `code`: take the header's name from the text itself.
        header = re.sub(r"//.*|/\*.*", "", joined.partition("include")[2], flags=re.DOTALL).strip()
        if not (re.fullmatch(r'<[^<>]*>|"[^"]*"', header) and header[1:-1] in ALLOWED_HEADERS):
            if header[1:-1] in _UNSUPPORTED_HEADERS:
                return f"#include {header}", _UNSUPPORTED
            return f"#include {header}", _HEADER if re.fullmatch(r"<[\w.]+(?:/[\w.]+)*>", header, re.ASCII) else _READS
    elif name == "pragma" and not _PRAGMA.fullmatch(rest):
        return f"#pragma {rest.strip()[:40]}", _ORDERS
    elif name in ("define", "undef"):
        word = re.findall(r"\s*(\w*)", rest, re.ASCII)[0]
        if word in _KEYWORDS or re.match("_[_A-Z]", word):
            return f"#{name} {word}", "changes a word of the language"
        if not _balanced(rest):
            return f"#{name} {word}", "has brackets that do not close"
    return None


def _balanced(code: str) -> bool:
    open_: list[str] = []
    for bracket in re.findall(r"[()\[\]{}]", code):
        if bracket in "([{":
            open_.append(bracket)
        elif not open_ or open_.pop() + bracket not in ("()", "[]", "{}"):
            return False
    return not open_


def _attributes(code: str, joined: str) -> Iterator[_Refusal]:
    for m in re.finditer(r"\[\s*\[", code):
        inside, closed, _ = code[m.end() : m.end() + 200].partition("]")
        names = re.sub(r"\([^()]*\)", "", inside).split(",")
        if not closed or not {name.strip() for name in names} <= _ATTRIBUTES:
            yield m.start(), f"[[{inside.strip()}]]", _ORDERS


def _externs(code: str, joined: str) -> Iterator[_Refusal]:
    """A declaration with C linkage could name any function of the C library, so `extern` stands
    only before dynamic shared memory, or as `extern "C"` before a kernel that is defined there."""
    dynamic = {d.extern[0] for d in _dynamic(code)}
    bare = blank_directives(code)
    macros = _macros(code)
    for m in re.finditer(r"\bextern\b", code):
        if m.start() not in dynamic and not _defines_in_c(code, m.end(), macros):
            yield m.start(), "extern", _OUTSIDE if bare[m.start()] == "e" else "is hidden in a macro"


def _gotos(code: str, joined: str) -> Iterator[_Refusal]:
    """A jump goes to a label that is spelled out; one to an address could go anywhere."""
    for m in re.finditer(r"\bgoto\b\s*(\w*)\s*(;?)", code, re.ASCII):
        if not m[1] or not m[2] or m[1] in _macros(code):
            yield m.start(), "goto", "jumps to something that is not a label"


def _macros(code: str) -> set[str]:
    return set(re.findall(r"^[^\S\n]*#[^\S\n]*define[^\S\n]+(\w+)", code, re.MULTILINE))


def _defines_in_c(code: str, end: int, macros: set[str]) -> bool:
    """Whether `"C"` and the definition of a `__global__` or `__device__` function follow `end`,
    spelled without macros and with no directive on the way, either of which could cut it short."""
    head = re.compile(r'\s*"."([^#;{}"]*)\{').match(code, end)  # "C" is the one letter that compiles
    if head is None:
        return False
    bare = re.sub(r"__launch_bounds__\s*\([^()]*\)", " ", head[1])
    function = re.fullmatch(r"([\w\s*]+)\([^=]*\)\s*", bare, re.ASCII)
    if function is None:
        return False
    *words, name = re.findall(r"\w+", function[1]) or [""]
    ours = {"__global__", "__device__"} & set(words)
    return bool(ours) and name not in macros and all(w in _KEYWORDS or w[:2] == "__" for w in words)
