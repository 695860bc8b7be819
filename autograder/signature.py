"""What a kernel is called and what it takes, read from its text.

This is no C++ parser: it finds `__global__` functions, their template heads and their parameter
lists, and follows aliases of one type (`typedef`, `using`, `#define`). What it does not know (a
struct, say) has dtype None. The compiler has the last word on everything else.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .errors import UsageError
from .parameters import Parameter, parse_parameter
from .source import blank

__all__ = ["Parameter", "Signature", "find_kernel"]

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_NAME = re.compile(r"((?:[^\W\d]\w*\s*::\s*)*[^\W\d]\w*)\s*(?:<([\w\s:,*<>.+-]*)>)?", re.ASCII)
_ALIASES = (
    re.compile(r"\btypedef\s+(?P<type>[\w\s:*]+?)\b(?P<name>\w+)\s*;"),
    re.compile(r"\busing\s+(?P<name>\w+)\s*=\s*(?P<type>[\w\s:*]+?)\s*;"),
    re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)[ \t]+(?P<type>[\w:* \t]+?)[ \t]*$", re.MULTILINE),
)
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(frozen=True)
class Signature:
    """A kernel's `name` as it was given ("blur<128>"), its `function`'s identifier ("blur"), the
    template arguments as text ("128",), defaults included, and its parameters in order."""

    name: str
    function: str
    template_args: tuple[str, ...]
    parameters: tuple[Parameter, ...]


def find_kernel(source: str, name: str) -> Signature:
    """The signature of the kernel called `name` in CUDA C++ text.

    Args:
        name: an identifier, with its namespace if it has one, and with template arguments if it
            is a template: "blur", "stencil::blur", "blur<float, 128>".

    Raises:
        UsageError: no such kernel, or the name does not say which; one sentence says what to do.
    """
    parsed = _NAME.fullmatch(name.strip())
    if parsed is None:
        raise UsageError(f"{name!r} is not a kernel's name: write one such as blur or blur<128>.")
    qualified = re.sub(r"\s", "", parsed[1])
    given = None if parsed[2] is None else tuple(split(parsed[2]))
    blanked = blank(source)
    code = _DIRECTIVE.sub(lambda m: re.sub(r"[^\r\n]", " ", m[0]), blanked)
    kernel = _choose(list(_kernels(code)), qualified, code)
    args = _bind(kernel, given, name)
    aliases = {m["name"]: m["type"] for pattern in _ALIASES for m in pattern.finditer(blanked)}
    aliases |= {p.name: arg for p, arg in zip(kernel.template or (), args, strict=True) if p.name}
    parameters = tuple(parse_parameter(text, aliases, name) for text in kernel.parameters)
    return Signature(name, kernel.function, args, parameters)


def split(text: str) -> list[str]:
    """`text` at its outermost commas, each part stripped; [] for blank text."""
    parts, start, open_ = [], 0, list[str]()
    for i, c in enumerate(text):
        if c == "," and not open_:
            parts.append(text[start:i].strip())
            start = i + 1
        else:
            _nest(open_, c)
    return [*parts, text[start:].strip()] if text.strip() else []


@dataclass(frozen=True)
class _TemplateParameter:
    name: str
    kind: str  # "typename", or the type of a value
    default: str | None


@dataclass(frozen=True)
class _Kernel:
    function: str
    namespace: str  # "a::b", or ""
    template: tuple[_TemplateParameter, ...] | None
    parameters: tuple[str, ...]
    is_definition: bool

    @property
    def qualified(self) -> str:
        return f"{self.namespace}::{self.function}" if self.namespace else self.function


def _nest(open_: list[str], c: str) -> None:
    """Keep track of open brackets. < and > are brackets only where no other kind is open."""
    if c in "([{" or (c == "<" and (not open_ or open_[-1] == ">")):
        open_.append(_CLOSES[c])
    elif open_ and c == open_[-1]:
        open_.pop()


def _close(code: str, start: int) -> int:
    """The offset after the bracket that closes the one at `start`; the end if none does."""
    open_: list[str] = []
    for i in range(start, len(code)):
        _nest(open_, code[i])
        if not open_:
            return i + 1
    return len(code)


def _kernels(code: str) -> Iterator[_Kernel]:
    """Every `__global__` function, declared or defined. Specialisations and explicit instances
    (`blur<4>(`) are left out: the template itself has their parameters."""
    heads = {}  # where a __global__ ends -> its template head
    for head in re.finditer(r"\btemplate\s*<", code):
        end = _close(code, head.end() - 1)
        following = re.compile(r"[^;{}]*?\b__global__\b").match(code, end)
        if following:
            heads[following.end()] = split(code[head.end() : end - 1])
    for word in re.finditer(r"\b__global__\b", code):
        found = _declarator(code, word.end())
        if found is None:
            continue
        function, start, end = found
        parameters = split(code[start + 1 : end - 1])
        head_parts = heads.get(word.end())
        body = re.compile(r"[;{]").search(code, end)
        yield _Kernel(
            function,
            _namespace(code, word.start()),
            None if head_parts is None else tuple(_template_parameter(part) for part in head_parts),
            () if parameters == ["void"] else tuple(parameters),
            body is not None and body[0] == "{",
        )


def _declarator(code: str, i: int) -> tuple[str, int, int] | None:
    """The function's name after `__global__`, and where its parameter list begins and ends."""
    name = ""
    token = re.compile(r"\s*(?:([^\W\d]\w*)|(\[\s*\[)|(\()|(<)|(::|\*|&|\")|(.))")
    while m := token.match(code, i):
        word, attribute, parenthesis, angle, skipped, _ = m.groups()
        i = m.end()
        if word:
            name = word
        elif attribute or angle:
            i = _close(code, m.start(2) if attribute else m.start(4))
            if angle and re.match(r"\s*\(", code[i:]):
                return None
        elif parenthesis:
            end = _close(code, m.start(3))
            # A name before another name is an attribute with arguments: __launch_bounds__(256).
            if not re.compile(r"\s*(?!(?:noexcept|requires)\b)[^\W\d]").match(code, end):
                return (name, m.start(3), end) if name else None
            i = end
        elif not skipped:
            return None
    return None


def _namespace(code: str, end: int) -> str:
    """The named namespaces that are open at `end`."""
    open_: list[str] = []
    for m in re.compile(r"\b(inline\s+)?namespace\b([\w\s:]*)\{|\{|\}").finditer(code, 0, end):
        if m[0] == "}":
            del open_[-1:]
        else:
            open_.append("" if m[1] or not m[2] else re.sub(r"\s", "", m[2]))
    return "::".join(filter(None, open_))


def _template_parameter(text: str) -> _TemplateParameter:
    left, equals, default = text.partition("=")
    words = re.findall(r"[^\W\d]\w*", left)
    is_type = bool(words) and words[0] in ("typename", "class")
    named = len(words) > 1 and "..." not in left
    return _TemplateParameter(
        words[-1] if named else "",
        "typename" if is_type else " ".join(words[:-1]),
        default.strip() if equals else None,
    )


def _choose(kernels: Sequence[_Kernel], qualified: str, code: str) -> _Kernel:
    function = qualified.rpartition("::")[2]
    named = [k for k in kernels if k.qualified == qualified]
    defined = [k for k in named if k.is_definition]
    if len({k.parameters for k in defined}) > 1:
        raise UsageError(f"The text has several kernels called {qualified}: give each its own name.")
    if defined:
        return defined[0]
    if named:
        raise UsageError(f"The kernel {qualified} is declared but has no body: write it between {{ and }}.")
    for kernel in kernels:
        if kernel.function == function:
            raise UsageError(f"The kernel {qualified} is called {kernel.qualified} in the text: use that name.")
    if re.search(rf"\b{function}\s*\([^;{{}}]*\)\s*\{{", code):
        raise UsageError(f"{function} is not a kernel: declare it as __global__ void {function}(...).")
    if not kernels:
        raise UsageError(f"The text has no __global__ function: write __global__ void {function}(...) {{ ... }}.")
    there = sorted({k.qualified for k in kernels})
    close = difflib.get_close_matches(qualified, there, 1)
    question = f"did you mean {close[0]}?" if close else "use one of its names."
    raise UsageError(f"There is no kernel {qualified} in the text, which has {', '.join(there)}: {question}")


def _bind(kernel: _Kernel, given: tuple[str, ...] | None, name: str) -> tuple[str, ...]:
    """The kernel's template arguments, defaults included."""
    if kernel.template is None:
        if given is not None:
            raise UsageError(f"{kernel.qualified} is not a template: name it without <...>.")
        return ()
    examples = {"typename": "float", "bool": "true"}
    example = ", ".join(p.default or examples.get(p.kind, "128") for p in kernel.template)
    if given is None:
        raise UsageError(f"{kernel.qualified} is a template: name an instance, such as {kernel.qualified}<{example}>.")
    defaults = [p.default for p in kernel.template[len(given) :]]
    args = [*given, *(d for d in defaults if d is not None)]
    if len(given) > len(kernel.template) or len(args) < len(kernel.template) or "" in args:
        raise UsageError(
            f"{name} does not fit the {len(kernel.template)} template parameters of {kernel.qualified}: "
            f"name an instance such as {kernel.qualified}<{example}>."
        )
    return tuple(args)
