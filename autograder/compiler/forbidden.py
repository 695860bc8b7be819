"""Rejects text that no kernel may contain.

We compile a student's text to native code on the grading machine, and pass it to NVRTC on a machine with a
GPU. `find_forbidden` rejects text that would read files, escape the emulator's checks, or can't be
emulated. It is one layer of several (the launch itself runs in a sandbox), and it reads text as a
compiler does: line splices first, then comments and literals, then directives. Where compilers disagree
about what is a comment or a literal, it rejects the text, because code could hide there.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from ..core.findings import ForbiddenCode
from ..core.refusal import Refusal
from ..source.text import (
    ALLOWED_HEADERS,
    MAX_LENGTH,
    TOKEN,
    bare,
    blank_directives,
    find_dynamic,
    headers,
    join_lines,
    word_set,
)
from .pasted_names import can_make

#: CUDA headers for features that the emulator lacks: texture references, bulk copies, PTX.
_UNSUPPORTED_HEADERS = word_set(
    "crt/mma.h texture_types.h surface_types.h cuda_texture_types.h cuda_surface_types.h "
    "texture_indirect_functions.h surface_indirect_functions.h cuda/ptx cuda.h cuda_device_runtime_api.h"
)
#: Longest name, in characters: with longer ones, the compiler takes its time to look for one that was meant.
_MAX_NAME = 1000
_DIRECTIVES = word_set("define undef if ifdef ifndef elif else endif error include pragma")
_PRAGMA = re.compile(r"\s*+(?:once\s*+|(?:no)?unroll\b[\w\s()+*/-]*+)", re.ASCII)
_ATTRIBUTES = word_set("maybe_unused nodiscard likely unlikely fallthrough deprecated no_unique_address")
_KNOWN = word_set(
    "__builtin_assume __builtin_assume_aligned __builtin_expect __cvta_generic_to_shared __cluster_dims__"
)

_WORDS = {
    word: reason
    for reason, words in {
        Refusal.ASSEMBLY: "_asm __asm __asm__",
        Refusal.READS: "__has_include __has_include_next __has_embed",
        # gnu and clang introduce attributes ([[gnu::constructor]]) that macros could assemble.
        Refusal.ORDERS: "__attribute __attribute__ __declspec _declspec gnu clang __gnu__ _Clang constructor "
        "destructor ifunc no_sanitize noreturn _Noreturn _Pragma __pragma",
        Refusal.OUTSIDE: "__private_extern__",  # which clang takes for extern
        Refusal.MODULES: "import export",
        # Coroutines and address spaces lead to jumps and accesses that we can't observe, and so do accesses of
        # widths that no GPU has, and what needs a description of types at run time.
        Refusal.NOT_CUDA: "thread_local __thread _Thread_local _Atomic co_await co_return co_yield __seg_fs __seg_gs "
        "_BitInt _ExtInt _Complex __complex__ __complex dynamic_cast typeid "
        "_Float16 __fp16 __bf16 __float80 __float128 _Float128 __ibm128 "
        "__cdecl __fastcall __pascal __regcall __stdcall __thiscall __vectorcall",
        # A call through an object's table, or code that is promised never to run, goes wherever memory says.
        Refusal.UNSUPPORTED: "virtual __builtin_unreachable __assume "
        "__clusterDim CUtensorMap "
        "__isGlobal __isShared __isConstant __isLocal __isGridConstant __barrier_sync __barrier_sync_count "
        "barrier_native_handle barrier_expect_tx barrier_arrive_tx memcpy_async_tx",
        Refusal.NO_HEAP: "malloc",
        Refusal.RUNTIME: "emu",
        Refusal.COMPILER: "_GLOBAL_OFFSET_TABLE_",
    }.items()
    for word in words.split()
}
_PREFIXES = {
    prefix: reason
    for reason, prefixes in {
        Refusal.UNSUPPORTED: "__cvta_ __cluster_ cp_async_bulk",
        Refusal.RUNTIME: "__tsan __ubsan __asan __msan __hwasan __lsan __sanitizer __emu emu_ EMU_",
        Refusal.ORDERS: "no_sanitize_ no_instrument disable_sanitizer",
        # __sync_ starts GCC's family; CUDA's __syncthreads and __syncwarp have no underscore there.
        Refusal.COMPILER: "__builtin_ __atomic_ __c11_ __sync_ __scoped_atomic_ __opencl_ __hip_ __cxa_ __libc_",
    }.items()
    for prefix in prefixes.split()
}
#: Macros of texts that look like the compiler's own: include guards and settings, in capitals, which the prelude's
#: macros don't use but for the one here; and the warp functions of GPUs before 2017, which CUDA no longer has.
_OWN_MACRO = re.compile(r"(?!__COUNTER__)_+[A-Z0-9][A-Z0-9_]*|__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)", re.ASCII)
#: Attributes that promise the compiler nothing: how an object lies in memory, and what makes no difference here.
#: (`front_end.py` leaves out always_inline, which only the prelude may have.)
_HARMLESS = word_set("aligned __aligned__ packed __packed__ unused __unused__ noinline always_inline __always_inline__")
_ONE_HARMLESS = (
    r"(?:(?:__aligned__|aligned)(?:\s*\(\s*\w+\s*\))?|packed|__packed__|unused|__unused__|noinline|always_inline|"
    r"__always_inline__)"
)
_HARMLESS_LIST = re.compile(
    rf"__attribute__\s*\(\s*\(\s*{_ONE_HARMLESS}(?:\s*,\s*{_ONE_HARMLESS})*\s*\)\s*\)", re.ASCII
)
#: In each pattern, group 1 is the construct.
_PATTERNS = (
    (re.compile(r"(\\[uUN])"), Refusal.HIDDEN_NAME),
    (re.compile(r"(\?\?[=/'()!<>-]|<%|%>|%:|:>|<:(?!:[^:>]))"), Refusal.SECOND_SPELLING),
    (re.compile(r"(<<<)"), Refusal.LAUNCH),
    (re.compile(r"\b(operator\s*(?:new|delete))\b"), Refusal.NO_HEAP),
    # A pointer to a member: its type, and its use (but not `n-->*p` or `2.*x`).
    (re.compile(r"(::\s*\*|(?<!-)->\*)"), Refusal.UNSUPPORTED),
    (re.compile(r"(?:\b[^\W\d]\w*|[)\]])\s*(\.\*)", re.ASCII), Refusal.UNSUPPORTED),
    (re.compile(r"\b((?:texture|surface)\s*<[\w\s,]*>)", re.ASCII), Refusal.UNSUPPORTED),
    (re.compile(r"(?:\A|[;{}\n])[^\S\n]*(module)[^\S\n]*(?:[;:]|[^\W\d])", re.ASCII), Refusal.MODULES),
)

#: Reading textures by references, which CUDA had until its version 11. By objects, they are in the prelude's headers.
_TEXTURE_CALL = re.compile(r"\b((?:tex[123]D|texCubemap|surf[123]D)\w*)\s*[(<]", re.ASCII)
_TEXTURE_OBJECT = re.compile(r"\bcuda(?:Texture|Surface)Object_t\b")
_CUDA_CALL = re.compile(r"\b(cuda(?!GraphSetConditional\b)[A-Z]\w*)\s*\(", re.ASCII)
#: A function of the text's own with a name like those. (A macro may have one, too.)
_OWN = re.compile(r"\b__(?:global|device)__[\w\s*&]{1,200}?\b(cuda[A-Z]\w*|(?:tex|surf)[123C]\w*)\s*\(", re.ASCII)

_KEYWORDS = word_set(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
    "class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield "
    "decltype default defined delete do double dynamic_cast else enum explicit export extern false float for "
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "private protected public register reinterpret_cast requires return short signed sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq"
)

#: What no ## may make: what is refused, and what is looked for in a text.
_NOT_MADE = _WORDS.keys() | _KEYWORDS | {"texture", "surface", "module"}
_WORD = re.compile(r"(?<!\w)[^\W\d]\w*", re.ASCII)
_SEPARATED = re.compile(
    r"(?:0[xX][\da-fA-F]++(?:'[\da-fA-F]++)++|0[bB][01]+(?:'[01]+)+|\d+(?:'\d+)+(?:\.\d*)?)[uUlLzZfF]*", re.ASCII
)


@lru_cache(maxsize=16)  # every launch asks again
def find_forbidden(text: str) -> ForbiddenCode | None:
    """Find the first thing in `text` that must not reach a compiler; None if there is none.

    Returns:
        A finding without accesses; its `line` counts from 1.
    """
    if len(text) > MAX_LENGTH:
        return _finding(text, 0, f"a text of {len(text)} characters", Refusal.TOO_LONG)
    refusal = _first(_unreadable(text))
    if refusal is None:
        joined, at = join_lines(text)
        code = bare(joined)
        rules = (_characters, _literals, _words, _directives, _attributes, _externs, _gotos)
        refusal = _first(r for rule in rules for r in [next(rule(code, joined), None)] if r)
        if refusal is None:
            return None
        refusal = (at[refusal[0]], *refusal[1:])
    return _finding(text, *refusal)


_Refused = tuple[int, str, Refusal]  # offset, construct, reason


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
    if m := re.search(r"\?\?/", text):
        yield m.start(), "??/", Refusal.AMBIGUOUS
    if m := re.search(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", text):
        yield m.start(), f"the invisible character U+{ord(m[0]):04X}", Refusal.AMBIGUOUS


# The rules below yield their matches in order of offset in `code`, which is `joined` without comments and
# literals. Only the first match of each rule counts, so no text can make them slow.


def _characters(code: str, joined: str) -> Iterator[_Refused]:
    found = [(m.start(1), m[1], reason) for pattern, reason in _PATTERNS if (m := pattern.search(code))]
    own = {*_OWN.findall(code), *_macros(code)}
    patterns = [(_CUDA_CALL, Refusal.HOST)]
    if not _TEXTURE_OBJECT.search(code):
        patterns.append((_TEXTURE_CALL, Refusal.UNSUPPORTED))
    for pattern, reason in patterns:
        calls = (m for m in pattern.finditer(code) if m[1] not in own)
        found += [(m.start(1), m[1], reason) for m in itertools.islice(calls, 1)]
    if (at := can_make(code, _NOT_MADE, _PREFIXES)) is not None:
        found.append(
            (at, "##" if code.startswith("##", at) else _WORD.findall(code[at : at + 20])[0], Refusal.ANY_NAME)
        )
    if m := re.search(r"[^\x00-\x7f]|[$@`\\]", code):
        shown = m[0] if m[0].isprintable() else f"U+{ord(m[0]):04X}"
        found.append((m.start(), f"the character {shown}", Refusal.NO_CODE))
    yield from sorted(found)


def _literals(code: str, joined: str) -> Iterator[_Refused]:
    """Literals that compilers may end at different places, so that code could hide behind them."""
    for token in TOKEN.finditer(joined):
        # An R before a quote that starts no raw string here may start one, ill-formed, elsewhere.
        after_r = code.endswith("R", 0, token.start())
        if token["raw"] is not None or (token["literal"] is not None and after_r):
            yield token.start(), "a raw string", Refusal.UNSUPPORTED
        elif token["number"] is not None and "'" in token[0] and not _SEPARATED.fullmatch(token[0]):
            yield token.start(), token[0], Refusal.AMBIGUOUS


def _words(code: str, joined: str) -> Iterator[_Refused]:
    prefixes = tuple(_PREFIXES)
    harmless = _HARMLESS.isdisjoint(_replaced(code))
    for m in _WORD.finditer(code):
        if m[0] == "__attribute__" and harmless and _HARMLESS_LIST.match(code, m.start()):
            continue
        if len(m[0]) > _MAX_NAME:
            yield m.start(), f"a name of {len(m[0])} characters", Refusal.TOO_LONG
        if m[0] in _WORDS:
            yield m.start(), m[0], _WORDS[m[0]]
        elif m[0].startswith(prefixes) and m[0] not in _KNOWN:
            yield m.start(), m[0], next(r for p, r in _PREFIXES.items() if m[0].startswith(p))


def _directives(code: str, joined: str) -> Iterator[_Refused]:
    end = 0  # of the previous directive
    included = dict(headers(joined))
    for m in re.finditer("#", code):
        if m.start() < end:
            continue  # inside a directive: # makes a string, and ## is refused elsewhere
        start = m.start()
        if code[code.rfind("\n", 0, start) + 1 : start].strip():
            yield start, "#", Refusal.INDENTED
        end = code.find("\n", start)
        end = len(code) if end < 0 else end
        refused = _directive(code[start + 1 : end], included.get(start, ""))
        if refused:
            yield start, *refused


def _directive(code: str, header: str) -> tuple[str, Refusal] | None:
    """Construct and reason if the directive after a #, which includes this header, is forbidden."""
    name, rest = re.findall(r"\s*(\w*)(.*)", code, re.ASCII | re.DOTALL)[0]
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
        word = re.findall(r"\s*(\w*)", rest, re.ASCII)[0]
        if word in _KEYWORDS or (re.match("_[_A-Z]", word) and not _OWN_MACRO.fullmatch(word)):
            return f"#{name} {word}", Refusal.KEYWORD
        if not _balanced(rest):
            return f"#{name} {word}", Refusal.BRACKETS
    return None


def _balanced(code: str) -> bool:
    open_: list[str] = []
    for bracket in re.findall(r"[()\[\]{}]", code):
        if bracket in "([{":
            open_.append(bracket)
        elif not open_ or open_.pop() + bracket not in ("()", "[]", "{}"):
            return False
    return not open_


def _attributes(code: str, joined: str) -> Iterator[_Refused]:
    for m in re.finditer(r"\[\s*\[", code):
        inside, closed, _ = code[m.end() : m.end() + 200].partition("]")
        names = re.sub(r"\([^()]*\)", "", inside).split(",")
        if not closed or not {name.strip() for name in names} <= _ATTRIBUTES:
            yield m.start(), f"[[{inside.strip()}]]", Refusal.ORDERS


_DECLARES = re.compile(r"extern\s+__device__\s++[\w\s*]++\([\w\s*,]*+\)\s*;", re.ASCII)


def _externs(code: str, joined: str) -> Iterator[_Refused]:
    """A declaration with C linkage could name any function of the C library, so `extern` may appear
    only before dynamic shared memory, as `extern "C"` before a kernel defined there, or where it changes nothing:
    before the declaration of a `__device__` function, as templates have it that nobody is to use."""
    dynamic = {d.extern[0] for d in find_dynamic(code)}
    bare = blank_directives(code)
    macros = _macros(code)
    for m in re.finditer(r"\bextern\b", code):
        declares = _defines_in_c(code, m.end(), macros) or _DECLARES.match(bare, m.start())
        if m.start() in dynamic:
            arrays = bare[m.start() : bare.find(";", m.start())].partition("]")[2]
            if not all("[" in other for other in arrays.split(",")[1:]):
                yield m.start(), "extern", Refusal.OUTSIDE
        elif not declares:
            if re.match(r"extern\s+__shared__\s+\w[\w\s*]*(?:\[[^\]]*\]\s*)*;", code[m.start() :], re.ASCII):
                yield (
                    m.start(),
                    "extern __shared__",
                    Refusal.NO_SIZE,
                )
                continue
            yield m.start(), "extern", Refusal.OUTSIDE if bare[m.start()] == "e" else Refusal.HIDDEN_IN_MACRO


def _gotos(code: str, joined: str) -> Iterator[_Refused]:
    """A jump must name its label; a jump to an address could go anywhere."""
    macros = _macros(code)
    for m in re.finditer(r"\bgoto\b\s*(\w*)\s*(;?)", code, re.ASCII):
        if not m[1] or not m[2] or m[1] in macros:
            yield m.start(), "goto", Refusal.NO_LABEL


def _replaced(code: str) -> set[str]:
    """The words for which macros put others: their own names, and those of what they are given."""
    heads = re.findall(r"^[^\S\n]*#[^\S\n]*define[^\S\n]+(\w+(?:\([^)\n]*)?)", code, re.MULTILINE)
    return {word for head in heads for word in _WORD.findall(head)}


def _macros(code: str) -> set[str]:
    return set(re.findall(r"^[^\S\n]*#[^\S\n]*define[^\S\n]+(\w+)", code, re.MULTILINE))


def _defines_in_c(code: str, end: int, macros: set[str]) -> bool:
    """Whether `"C"` and the definition of a `__global__` or `__device__` function follow `end`,
    without macros and with no directive in between, either of which could cut the definition short."""
    head = re.compile(r'\s*"."([^#;{}"]*)\{').match(code, end)  # "C" is the one letter that compiles
    if head is None:
        return False
    bare = re.sub(r"__(?:launch_bounds|cluster_dims)__\s*\([^()]*\)", " ", head[1])
    function = re.fullmatch(r"([\w\s*]+)\([^=]*\)\s*", bare, re.ASCII)
    if function is None:
        return False
    *words, name = re.findall(r"\w+", function[1]) or [""]
    ours = {"__global__", "__device__"} & set(words)
    return bool(ours) and name not in macros and all(w in _KEYWORDS or w[:2] == "__" for w in words)
