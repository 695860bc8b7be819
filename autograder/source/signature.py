"""Reads a kernel's name and parameters from its text.

This is not a C++ parser: it finds `__global__` functions, their template heads, and their parameter
lists, and follows simple type aliases (`typedef`, `using`, `#define`). A type it doesn't know (a
struct, for example) has dtype None. Everything else is up to the compiler.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..errors import UsageError
from .branches import left_out
from .launch_bounds import bounds_in_front, most_threads
from .parameters import Parameter, parse_parameter
from .text import MAX_LENGTH, blank, blank_directives

__all__ = [
    "Parameter",
    "Signature",
    "TemplateError",
    "expression",
    "find_kernel",
    "is_ambiguous",
    "is_template",
    "kernel_names",
]

#: Of what may stand in parentheses, a name has only an enumerator as demanglers write it, `(Place)1`.
_NAME = re.compile(
    r"((?:[^\W\d]\w*\s*::\s*)*[^\W\d]\w*)\s*"
    r"(?:<((?:[\w\s:,*<>.+-]|\([^\W\d][\w\s:]*\)(?=-?\d))*)>)?\s*"
    r"(?:\(([\w\s:,*<>]*)\))?",
    re.ASCII,
)
_ALIASES = (
    re.compile(r"\btypedef\s++(?P<type>[\w\s:*]{1,200}?)\b(?P<name>\w+)\s*;"),
    re.compile(r"\busing\s+(?P<name>\w+)\s*=\s*(?P<type>[\w:*][\w\s:*]{0,199}?)\s*;"),
    re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)[ \t]+(?P<type>[\w:*][\w:* \t]{0,199}?)[ \t]*$", re.MULTILINE),
)
_SCOPE = re.compile(
    r"\b(?P<template>template\s*<)|\b(?P<kernel>__global__)\b|[;}]"
    r"|(?:\b(?P<inline>inline\s+)?\bnamespace\b(?P<namespace>[\w\s:]{0,200}))?\{"
)
#: One token between `__global__` and the parameter list.
_DECLARATOR = re.compile(
    r"\s*(?:(?P<word>[^\W\d]\w*)|(?P<attribute>\[\s*\[)|(?P<parenthesis>\()|(?P<angle><)"
    r"|::|[*&\"])"
)
_BODY = re.compile(r"[^;{}]{0,200}\{")
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(frozen=True)
class Signature:
    """A kernel's `name` as it was given ("blur<128>"), its `function`'s identifier ("blur"), its
    template arguments as text ("128",), defaults included, its parameters in order, and the most threads that a block
    of it may have by `__launch_bounds__`, if that says a number."""

    name: str
    function: str
    template_args: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    most_threads: int | None = None


class TemplateError(UsageError):
    """The kernel `kernel` is a template, and its name says no instance. The message is for who names it."""

    def __init__(self, message: str, kernel: str) -> None:
        super().__init__(message)
        self.kernel = kernel


def find_kernel(source: str, name: str) -> Signature:
    """Find the signature of the kernel called `name` in CUDA C++ text.

    Args:
        name: an identifier, with its namespace and template arguments if it has any:
            "blur", "stencil::blur", "blur<float, 128>". Of several kernels of that name, the types tell which:
            "blur(float*, int)".

    Raises:
        UsageError: there is no such kernel, or the name is ambiguous; the message says what to do.
    """
    if not isinstance(source, str) or len(source) > MAX_LENGTH:
        raise UsageError(f"A kernel's source must be CUDA C++ text of at most {MAX_LENGTH} characters.")
    qualified, given, types = _parse(name)
    blanked, code, kernels = _read(source)
    kernel, declarations = _choose(kernels, qualified, code, types, _aliases(blanked))
    args = _bind(kernel, given, name)
    aliases = _aliases(blanked)
    given_names = {p.name: arg for p, arg in zip(kernel.template or (), args, strict=False) if p.name}
    aliases |= given_names
    pack = kernel.template[-1].name if kernel.template and kernel.template[-1].is_pack else ""
    rest = args[len(kernel.template or ()) - 1 :] if pack else ()
    parameters = tuple(
        parse_parameter(one, {**aliases, **own}, name)
        for text in declarations
        for one, own in _unpacked(text, pack, rest)
    )
    bounds = next((k.bounds for k in _named(kernels, kernel.qualified) if k.bounds), "")  # or of a declaration
    return Signature(name, kernel.function, args, parameters, most_threads(bounds, blanked, given_names))


def expression(source: str, name: str) -> str:
    """The kernel called `name` as C++ names it behind the text. Raises as `find_kernel`, but only for a name of which
    there are several functions."""
    qualified, _, types = _parse(name)
    blanked, code, kernels = _read(source)
    named = _named(kernels, qualified)
    if types is None and not _is_overloaded(named, _aliases(blanked)):
        return name
    kernel, declarations = _choose(kernels, qualified, code, types, _aliases(blanked))
    plain = name.partition("(")[0] if kernel.template is None else name
    taken = ", ".join(declaration.partition("=")[0] for declaration in declarations)
    return plain if kernel.template else f"static_cast<void (*)({taken})>({plain})"


def is_ambiguous(source: str, name: str) -> bool:
    """Whether a text defines several kernels of that name, so that only types tell which is meant."""
    qualified, *_ = _parse(name)
    blanked, _, kernels = _read(source)
    return _is_overloaded([k for k in _named(kernels, qualified) if k.is_definition], _aliases(blanked))


def is_template(source: str, name: str) -> bool:
    """Whether a kernel of that name, with its namespaces, is a template."""
    return any(kernel.qualified == name and kernel.template is not None for kernel in _read(source)[2])


def kernel_names(source: str) -> tuple[str, ...]:
    """The kernels that CUDA C++ text defines, in order, with namespaces; templates without arguments."""
    _, _, kernels = _read(source)
    return tuple(dict.fromkeys(kernel.qualified for kernel in kernels if kernel.is_definition))


@lru_cache(maxsize=16)  # every launch asks again
def _read(source: str) -> tuple[str, str, tuple[_Kernel, ...]]:
    """The text without comments, the same without directives, and its kernels."""
    blanked = blank(re.sub(r"\\\r?\n", "", source))
    code = blank_directives(blanked)
    return blanked, code, tuple(_kernels(code, tuple(left_out(blanked))))


def split(text: str) -> list[str]:
    """Split `text` at its outermost commas and strip each part; [] for blank text."""
    parts, start, open_ = [], 0, list[str]()
    for i, c in enumerate(text):
        if c == "," and not open_:
            parts.append(text[start:i].strip())
            start = i + 1
        else:
            _nest(open_, c)
    return [*parts, text[start:].strip()] if text.strip() else []


def _parse(name: str) -> tuple[str, tuple[str, ...] | None, tuple[str, ...] | None]:
    """A kernel's name, its template arguments, and the types of its parameters; None for what is not given."""
    parsed = _NAME.fullmatch(name.strip()) if isinstance(name, str) else None
    if parsed is None:
        raise UsageError(f"{name!r} is not a kernel's name: write one such as blur or blur<128>.")
    given, types = (None if parsed[i] is None else tuple(split(parsed[i])) for i in (2, 3))
    return re.sub(r"\s", "", parsed[1]), given, types


def _aliases(blanked: str) -> dict[str, str]:
    return {m["name"]: m["type"] for pattern in _ALIASES for m in pattern.finditer(blanked)}


@dataclass(frozen=True)
class _TemplateParameter:
    name: str
    kind: str  # "typename", or the type of a value
    default: str | None
    is_pack: bool


@dataclass(frozen=True)
class _Kernel:
    function: str
    namespace: str  # "a::b", or ""
    template: tuple[_TemplateParameter, ...] | None
    parameters: tuple[str, ...] | None  # None: a semicolon stands in the list, or its ) is missing
    bounds: str  # what stands in the brackets of its __launch_bounds__, or ""
    is_definition: bool
    is_left_out: bool  # by the preprocessor

    @property
    def qualified(self) -> str:
        return f"{self.namespace}::{self.function}" if self.namespace else self.function


def _nest(open_: list[str], c: str) -> None:
    """Track open brackets. < and > count as brackets only when no other kind is open."""
    if c in "([{" or (c == "<" and (not open_ or open_[-1] == ">")):
        open_.append(_CLOSES[c])
    elif open_ and c == open_[-1]:
        open_.pop()


def _close(code: str, start: int) -> tuple[int, bool]:
    """The offset after the bracket that closes the one at `start`, and True; or the offset of the next
    semicolon, and False."""
    open_: list[str] = []
    for i in range(start, len(code)):
        _nest(open_, code[i])
        if not open_:
            return i + 1, True
        if code[i] == ";":
            return i, False
    return len(code), False


def _kernels(code: str, left_out: Sequence[tuple[int, int]]) -> Iterator[_Kernel]:
    """Every `__global__` function, declared or defined, even where the text is `left_out`. Skips specializations and
    explicit instances (`blur<4>(`): the template itself has their parameters."""
    namespaces: list[str] = []  # one for each open brace: its name, or ""
    head: list[str] | None = None  # a template head, until its function follows
    i = 0
    while m := _SCOPE.search(code, i):
        i = m.end()
        if m["template"]:
            i, closed = _close(code, i - 1)
            head = split(code[m.end() : i - 1]) if closed else None
        elif m["kernel"]:
            in_front = bounds_in_front(code, m.start())
            function, start, i, closed, bounds = _declarator(code, i)
            if function:
                parameters = tuple(split(code[start : i - 1])) if closed else None
                yield _Kernel(
                    function,
                    "::".join(filter(None, namespaces)),
                    None if head is None else tuple(map(_template_parameter, head)),
                    () if parameters == ("void",) else parameters,
                    bounds or in_front,
                    _BODY.match(code, i) is not None,
                    any(first <= m.start() < end for first, end in left_out),
                )
        else:
            head = None
            if m[0].endswith("{"):
                # Names in an inline or unnamed namespace belong to its parent.
                named = m["namespace"] and not m["inline"]
                namespaces.append(re.sub(r"\s", "", m["namespace"]) if named else "")
            elif m[0] == "}":
                del namespaces[-1:]


def _declarator(code: str, i: int) -> tuple[str, int, int, bool, str]:
    """Parse what follows `__global__`: the function's name ("" if there is none), where its parameters
    begin, where the list ends, whether it is closed at all, and what its __launch_bounds__ says."""
    name = bounds = ""
    while m := _DECLARATOR.match(code, i):
        i = m.end()
        if m["word"]:
            name = m["word"]
        elif m["attribute"]:
            i, _ = _close(code, m.start("attribute"))
        elif m["angle"]:
            i, _ = _close(code, m.start("angle"))
            if re.compile(r"\s*\(").match(code, i):
                return "", i, i, False, ""
        elif m["parenthesis"]:
            start = i
            i, closed = _close(code, m.start("parenthesis"))
            # A name before another name is an attribute with arguments: __launch_bounds__(256).
            if not closed or not re.compile(r"\s*(?!noexcept|requires)[^\W\d]").match(code, i):
                return name, start, i, closed, bounds
            if name == "__launch_bounds__":
                bounds = code[start : i - 1]
    return "", i, i, False, ""


def _template_parameter(text: str) -> _TemplateParameter:
    left, equals, default = text.partition("=")
    words = re.findall(r"[^\W\d]\w*", left)
    is_type = bool(words) and words[0] in ("typename", "class")
    return _TemplateParameter(
        words[-1] if len(words) > 1 else "",
        "typename" if is_type else " ".join(words[:-1]),
        default.strip() if equals else None,
        "..." in left,
    )


def _unpacked(declaration: str, pack: str, args: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """A parameter's declaration with what aliases it has; of a pack of parameters, one for each of its types."""
    if pack and re.search(rf"\b{pack}\b.*\.\.\.", declaration):
        yield from ((declaration.replace("...", " "), {pack: arg}) for arg in args)
    else:
        yield declaration, {}


def _named(kernels: Sequence[_Kernel], qualified: str) -> list[_Kernel]:
    """The kernels of that name; without those that are left out, unless all are."""
    named = [k for k in kernels if k.qualified == qualified]
    return [k for k in named if not k.is_left_out] or named


def _is_overloaded(kernels: Sequence[_Kernel], aliases: Mapping[str, str]) -> bool:
    texts = {kernel.parameters for kernel in kernels if kernel.parameters is not None}
    return len(texts) > 1 and len({_types(text, aliases) for text in texts}) > 1


def _types(parameters: Sequence[str], aliases: Mapping[str, str]) -> tuple[object, ...]:
    """What tells the parameters of one function from those of another of its name."""
    parsed = [parse_parameter(one, aliases, "") if "..." not in one and "&" not in one else one for one in parameters]
    return tuple(
        p if isinstance(p, str) else (str(p.dtype or p.type), p.is_pointer, p.is_pointer and p.is_const) for p in parsed
    )


def _choose(
    kernels: Sequence[_Kernel],
    qualified: str,
    code: str,
    types: tuple[str, ...] | None,
    aliases: Mapping[str, str],
) -> tuple[_Kernel, tuple[str, ...]]:
    """Choose the one definition of that name, and with these types if they are given; and return it with its
    parameters."""
    function = qualified.rpartition("::")[2]
    named = _named(kernels, qualified)
    if any(k.parameters is None for k in named):
        raise UsageError(
            f"The parameter list of {qualified} has no ) before the first semicolon: write the ) before its body, and "
            "no lambda in the list."
        )
    defined = [(k, k.parameters) for k in named if k.is_definition and k.parameters is not None]
    if types is not None:
        wanted = _types(() if types == ("void",) else types, aliases)
        defined = [one for one in defined if _types(one[1], aliases) == wanted] or defined
    if len({parameters for _, parameters in defined}) > 1:
        example = ", ".join(parse_parameter(one, aliases, qualified).type for one in defined[0][1])
        raise UsageError(
            f"The text has several kernels called {qualified}: keep one of them, or name its types, too, such as "
            f"{qualified}({example})."
        )
    if defined:
        return defined[0]
    if named:
        raise UsageError(f"The kernel {qualified} is declared but has no body: write it between {{ and }}.")
    for kernel in kernels:
        if kernel.function == function:
            raise UsageError(f"The kernel {qualified} is in the text as {kernel.qualified}: use that name.")
    if re.search(rf"[\w>*&]\s+{function}\s*\([^;{{}}]*\)\s*\{{", code):
        raise UsageError(f"{function} is not a kernel: declare it as __global__ void {function}(...).")
    there = sorted({k.qualified for k in kernels})
    if not there:
        raise UsageError(f"The text has no __global__ function: write __global__ void {function}(...).")
    close = difflib.get_close_matches(qualified, there, 1)
    question = f"did you mean {close[0]}?" if close else "use one of its names."
    has = ", ".join(there[:8]) + ", ..." * (len(there) > 8)
    raise UsageError(f"There is no kernel {qualified} in the text, which has {has}: {question}")


def _bind(kernel: _Kernel, given: tuple[str, ...] | None, name: str) -> tuple[str, ...]:
    """The kernel's template arguments, defaults included."""
    if kernel.template is None:
        if given is not None:
            raise UsageError(f"{kernel.qualified} is not a template: name it without <...>.")
        return ()
    examples = {"typename": "float", "bool": "true"}
    example = ", ".join(p.default or examples.get(p.kind, "128") for p in kernel.template)
    if given is None:
        instance = f"{kernel.qualified}<{example}>"
        raise TemplateError(
            f"{kernel.qualified} is a template: name an instance, such as {instance}.", kernel.qualified
        )
    defaults = [p.default for p in kernel.template[len(given) :]]
    args = [*given, *(d for d in defaults if d is not None)]
    has_pack = bool(kernel.template) and kernel.template[-1].is_pack
    most = math.inf if has_pack else len(kernel.template)
    if len(given) > most or len(args) < len(kernel.template) - has_pack or "" in args:
        raise UsageError(
            f"{name} does not fit the {len(kernel.template)} template parameters of {kernel.qualified}: "
            f"name an instance such as {kernel.qualified}<{example}>."
        )
    return tuple(args)
