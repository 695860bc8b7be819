"""Finds the part of a `.cu` file that runs on the GPU.

A complete program also has host code: `main`, cudaMalloc, `<<<...>>>`, headers of the C++ library. We can't
run that, so we replace it with spaces, which keeps every line and column number. We always report what was
left out.

Outside functions and types, we leave out: functions that are not `__global__` or `__device__`, and their
declarations; variables that are neither on the GPU nor constant; anything that names the CUDA runtime or the
C++ library; and `#include` of a header that kernels can't use. Of a type, we leave out functions that are not
`__device__` and name the CUDA runtime or the C++ library, perhaps by macros: in its head, or only its body. As a
result, a kernel that uses something nvcc would reject doesn't compile here either.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .slices import ATTRIBUTE, Directive, needed
from .text import ALLOWED_HEADERS, blank, blank_directives

_DEVICE = r"__(?:global|device|constant|shared|managed)__"
#: Names that only host code can use. Kernels may use std's fixed-width integers, too, and what describes types.
_HOST = re.compile(
    r"<<<|\bcuda[A-Z]\w*|\bFILE\b|\bstd\s*::\s*(?!u?int\d+_t\b|size_t\b|ptrdiff_t\b|numeric_limits\b|is_\w+"
    r"|enable_if|conditional|remove_|common_type|integral_constant|(?:true|false)_type|decay|make_(?:un)?signed)\w"
)
#: (In front, calls of macros that no semicolon ends.)
_TYPE = re.compile(
    r"\s*(?:\w+\s*\([^()]*\)\s*)*(?:template\b[^{;]*>\s*)?(?:struct|class|union|enum|typedef|using|namespace|static_assert|asm)\b"
)
_INSTANCE = re.compile(r"\s*template\s*[^<\s]")
_NAMESPACE = re.compile(r"\s*(?:(?:inline\s+)?namespace\b[\w\s:]*|extern\s*\"\s*\"\s*)", re.ASCII)
_LINKAGE = re.compile(r"\bextern\s*\"\s*\"(\s*\{)?")
_PARENTHESES = re.compile(r"\([^()]*\)")
_BODY_FOLLOWS = re.compile(r"\)\s*(?:(?:const|noexcept|volatile|->[\w\s:<>*&,]+)\s*)*\Z")
_ACCESS = re.compile(r"\s*(?:(?:public|private|protected)\s*:\s*)*")
_CLASS = re.compile(_ACCESS.pattern + r"(?:template\b[^{;]*>\s*)?(?:typedef\s+)?(?:struct|class|union)\b")
_OF_KERNELS = re.compile(r"__device__|\bconst(?:expr|eval)\b")
_SIGN, _BRACE, _WORD = re.compile(r"[{};]"), re.compile(r"[{}]"), re.compile(r"\w+")
_BLACK = re.compile(r"[^\r\n]")
_DIRECTIVE = re.compile(r"^[^\S\n]*#[^\S\n]*(?P<name>\w*)(?P<rest>(?:\\\r?\n|[^\n])*)", re.MULTILINE)
_TO_SYMBOL = re.compile(r"\bcudaMemcpyToSymbol(?:Async)?\s*\(\s*&?\s*(\w+)")


@dataclass(frozen=True)
class LeftOut:
    """Lines on which `what` ("main", "#include <vector>") stood, counted from 1, both included."""

    what: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class DevicePart:
    """`text` is as long as the file; what was left out is blank. `filled_by_host` names the GPU variables
    that the omitted host code would fill: they keep their initial values. `unused` names what a chosen kernel does not
    need."""

    text: str
    left_out: tuple[LeftOut, ...]
    filled_by_host: tuple[str, ...]
    unused: tuple[str, ...]


@lru_cache(maxsize=16)  # each run of a program asks for the same
def device_part(text: str, kernel: str = "") -> DevicePart:
    """Blank the host code of a `.cu` file; the module's docstring defines host code.

    Args:
        kernel: leave out all that this one, a name as `blur<Point, 128>`, does not need, too: so what cannot be
            compiled elsewhere in the file stops no other kernel.
    """
    commented = blank(text)
    code = blank_directives(commented)
    directives = [Directive(*d.span(), d["name"], d["rest"]) for d in _DIRECTIVE.finditer(commented)]
    # A macro may stand for __device__: `#define HD __host__ __device__`.
    macros = (d.macro for d in directives if d.name == "define" and re.search(_DEVICE, d.rest))
    device = re.compile("|".join([_DEVICE, *(rf"\b{macro}\b" for macro in macros if macro)]))
    items = list(_items(_one_branch(code, directives)))
    members = list(_host_members(code, items, device, _host_macros(directives)))
    whole = code
    code = _exchanged(whole, [(start, end) for start, end, _ in members], lambda at: _BLACK.sub(" ", whole[at]))
    hosts = (item for item in items if _is_host(_certain(code, item, directives), device))
    gaps = [(*item, _named(code[slice(*item)])) for item in hosts]
    filled = dict.fromkeys(name for start, end, _ in gaps for name in _TO_SYMBOL.findall(code[start:end]))
    used_items, used_directives = set(items), set(directives)
    if kernel:
        host = {(start, end) for start, end, _ in gaps}
        used_items, used_directives = needed(kernel, [item for item in items if item not in host], directives, code)
        used_items |= host
    unused = [(*item, _named(code[slice(*item)])) for item in items if item not in used_items]
    # Code further down may use what a directive defines; a pragma belongs to the code around it.
    kept = [(d.start, d.end) for d in directives if d.name != "pragma"]
    hosts_starts = [start for start, *_ in gaps]
    gaps += [m for m in members if not _lies_in(m[0], gaps, hosts_starts)]
    blanks = list[tuple[int, int]]()
    starts = [start for start, _ in kept]
    for start, end, _ in [*gaps, *unused]:
        inside = kept[bisect_left(starts, start) : bisect_left(starts, end)]
        edges = [start, *(at for span in inside for at in span), end]
        blanks += zip(edges[::2], edges[1::2], strict=True)
    for directive in directives:
        header = re.search(r'<([^>]*)>|"([^"]*)"', text[directive.start : directive.end])
        if directive.name == "include" and header and header[0][1:-1].strip() not in ALLOWED_HEADERS:
            gaps.append((directive.start, directive.end, f"#include {header[0]}"))
            blanks.append((directive.start, directive.end))
        elif directive not in used_directives:
            blanks.append((directive.start, directive.end))
    out = text
    if kernel:  # comments between what is left, too, of which headers have many
        out = _exchanged(commented, [*used_items, *((d.start, d.end) for d in directives)], lambda at: text[at])
        blanks += [*_linkages(code), *_sizes(code)]
    out = _exchanged(out, blanks, lambda at: _BLACK.sub(" ", out[at]))
    ends = [end.start() for end in re.finditer("\n", text)]
    left_out = (
        LeftOut(what, bisect_left(ends, start) + 1, bisect_left(ends, end) + 1) for start, end, what in sorted(gaps)
    )
    return DevicePart(out, tuple(left_out), tuple(filled), tuple(dict.fromkeys(what for *_, what in unused if what)))


def _sizes(code: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each size of an `extern __shared__` array, whose size the launch gives all the same."""
    for array in re.finditer(r"\bextern\s+__shared__\s+[\w\s:<>]{0,200}?\w\s*\[([^\[\];]*)\]\s*;", code):
        yield array.span(1)


def _linkages(code: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each `extern "C"`, and of its braces: names have no linkage here."""
    heads = {head.end() - 1: head for head in _LINKAGE.finditer(code)}
    yield from (head.span() for head in heads.values())
    opened = list[int]()
    for sign in _BRACE.finditer(code) if heads else ():
        if sign[0] == "{":
            opened.append(sign.start())
        elif opened and opened.pop() in heads:
            yield sign.span()


def _lies_in(at: int, spans: Sequence[tuple[int, int, str]], starts: Sequence[int]) -> bool:
    """Whether `at` is within one of the spans, which are in order, as their starts are."""
    before = bisect_right(starts, at)
    return before > 0 and at < spans[before - 1][1]


def _exchanged(text: str, spans: Iterable[tuple[int, int]], by: Callable[[slice], str]) -> str:
    """The text with each of these spans exchanged for what is `by` it, of the same length."""
    parts, done = list[str](), 0
    for start, end in sorted(spans):
        if end > done:
            first = max(start, done)
            parts += text[done:first], by(slice(first, end))
            done = end
    return "".join([*parts, text[done:]])


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + _BLACK.sub(" ", text[start:end]) + text[end:]


def _one_branch(code: str, directives: Iterable[Directive]) -> str:
    """The code with blanks for all but the first branch of an #if whose branches each open a bracket that is closed
    behind them: the heads of functions, mostly."""
    open_, others = list[list[Directive]](), list[tuple[int, int]]()
    for directive in directives:
        if directive.name in ("if", "ifdef", "ifndef"):
            open_.append([directive])
        elif directive.name in ("elif", "else", "endif") and open_:
            open_[-1].append(directive)
        if directive.name == "endif" and open_:
            branches = [(one.end, other.start) for one, other in itertools.pairwise(open_.pop())]
            if all(_opens(code[start:end]) for start, end in branches):
                others += branches[1:]
    return _exchanged(code, others, lambda at: _BLACK.sub(" ", code[at]))


def _opens(code: str) -> bool:
    """Whether there is a bracket that is not closed."""
    return any(code.count(one) > code.count(other) for one, other in ("()", "{}"))


def _items(code: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each declaration outside functions and types, without the blanks before it. A
    namespace yields each of its declarations. What no semicolon ends, as some macros' calls, is one, too."""

    def item(start: int, end: int) -> tuple[int, int]:
        return end - len(code[start:end].lstrip()), end

    def unended(start: int, end: int) -> Iterator[tuple[int, int]]:
        if last := len(code[start:end].rstrip()):
            yield item(start, start + last)

    start = depth = 0
    ends_with_body = False
    for sign in re.finditer(r"[(){}\[\];]", code):
        at = sign.start()
        if depth == 0 and sign[0] == "{":
            head = code[start:at]
            if _NAMESPACE.fullmatch(head):
                start = at + 1
                continue
            ends_with_body = _is_function(head)
        if sign[0] in "([{":
            depth += 1
        elif sign[0] == ";":
            if depth == 0:
                yield item(start, at + 1)
                start = at + 1
        elif depth == 0:  # the end of a namespace
            yield from unended(start, at)
            start = at + 1
        else:
            depth -= 1
            if depth == 0 and sign[0] == "}" and ends_with_body:
                yield item(start, at + 1)
                start, ends_with_body = at + 1, False
    if depth == 0:
        yield from unended(start, len(code))


def _is_function(head: str) -> bool:
    """Whether the text before a { is the head of a function."""
    return bool(_BODY_FOLLOWS.search(ATTRIBUTE.sub(" ", head)))


def _is_host(item: str, device: re.Pattern[str]) -> bool:
    head = re.split(r"[;{=]", ATTRIBUTE.sub(" ", item), maxsplit=1)[0]
    if not head.strip() or device.search(item) or _INSTANCE.match(item):
        return False
    if _HOST.search(item):
        return True
    if re.search(r"\b(?:constexpr|consteval)\b", head):
        return False
    if "{" in item and _is_function(item.partition("{")[0]):
        return True
    return not _TYPE.match(item) and not re.search(r"\bconst\b", _PARENTHESES.sub(" ", head))


def _certain(code: str, item: tuple[int, int], directives: Sequence[Directive]) -> str:
    """A declaration; of a type, without what stands between an #if and its #endif: the compiler chooses of that."""
    first, last = item
    inside: Sequence[Directive] = ()
    if _CLASS.match(code, *item):
        before, behind = (bisect_left(directives, at, key=lambda d: d.start) for at in item)
        inside = directives[before:behind]
    certain, depth, start = code[first:last], 0, 0
    for directive in inside:
        if directive.name in ("if", "ifdef", "ifndef"):
            start, depth = (start if depth else directive.end), depth + 1
        elif directive.name == "endif" and depth:
            depth -= 1
            certain = certain if depth else _blanked(certain, start - first, directive.start - first)
    return certain


def _host_macros(directives: Iterable[Directive]) -> set[str]:
    """The macros that stand for what only host code can name, perhaps by other macros."""
    found, users = list[str](), defaultdict[str, list[str]](list)
    for one in directives:
        if one.name == "define" and one.macro:
            body = one.rest.partition(one.macro)[2]
            found += [one.macro] * bool(_HOST.search(body))
            for word in _WORD.findall(body):
                users[word].append(one.macro)
    macros = set[str]()
    while found:
        if (name := found.pop()) not in macros:
            macros.add(name)
            found += users[name]
    return macros


def _names_host(code: str, macros: set[str]) -> bool:
    return bool(_HOST.search(code)) or not macros.isdisjoint(_WORD.findall(code))


def _host_members(
    code: str, items: Iterable[tuple[int, int]], device: re.Pattern[str], macros: set[str]
) -> Iterator[tuple[int, int, str]]:
    """(start, end, name) of each type's functions that are the host's alone; where only the body says so, of that."""
    for first, last in items:
        start = at = first
        is_class = bool(_CLASS.match(code, first, last))
        while is_class and (sign := _SIGN.search(code, at, last)):
            at = sign.end()
            head = code[start : sign.start()]
            is_function = sign[0] != "}" and _is_function(head)
            if sign[0] == "{" and (is_function or not _CLASS.match(head)):
                at = _closing(code, sign.start(), last) + 1
            if is_function and not _OF_KERNELS.search(head) and not device.search(head):
                if _names_host(head, macros):
                    yield sign.start() - len(_ACCESS.sub("", head, count=1)), at, _named(head)
                elif _names_host(code[sign.end() : at], macros):
                    yield sign.end(), at - 1, _named(head)
            if sign[0] != "{" or is_function or _CLASS.match(head):
                start = at  # else a value: the declaration goes on


def _closing(code: str, start: int, end: int) -> int:
    """Where the brace stands that closes the one at `start`."""
    depth = 0
    for sign in _BRACE.finditer(code, start, end):
        depth += 1 if sign[0] == "{" else -1
        if depth == 0:
            return sign.start()
    return end


def _named(item: str) -> str:
    """A short name for what a declaration declares."""
    head = re.split(r"[;{=]", ATTRIBUTE.sub(" ", item), maxsplit=1)[0]
    function = re.search(r"([\w:~]+)\s*\(", head)
    words = re.findall(r"\w+", head)
    if function:
        return function[1]
    return " ".join(words[:3]) if words[:1] == ["using"] else (words or [""])[-1]
