"""Gives the lambdas that a program's host half makes for its kernels a name, by which they are known in both halves.

Of `[=] __device__ (int i) { out[i] = factor * i; }` becomes a struct with what the lambda captures, and with its
function: for the host the struct alone, in front of the function around, and `lambda_of_line_7<decltype(out), ...>{out,
factor}` in place of the lambda; for kernels the struct with its function, behind the text. So a kernel's name tells the
types of what is captured, as the compiler has found them. A lambda stays as it is where we can't tell what it captures.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..source.text import blank, word_set
from .device_bodies import CLASS, MARKER, NAMESPACE, TEMPLATE

#: Most lambdas of a text that get a name, and angles in angles: so no text takes long.
_MOST, _DEEPEST = 100, 4
_LAMBDA = re.compile(r"\[(?P<captures>[^\[\]]*)\]\s*(?P<where>(?:__(?:host|device)__\s*)+)\(", re.ASCII)
_BEHIND = re.compile(r"\s*(?P<mutable>mutable\b)?\s*(?P<returns>->[^;{}]+)?\{", re.ASCII)
_GOES_ON = re.compile(r"\s*[;,)]")
_AUTO = re.compile(r"\bauto\b(?!\s*&*\s*\.\.\.)")
_SIGN, _BRACKET = re.compile(r"[(){};]"), re.compile(r"[()\[\]{}]")
_WHERE = re.compile(r"\b__(?:host|device)__")
_USED = re.compile(r"(?<![\w.])(?<!->)(?<!::)([A-Za-z_]\w*)(?!\s*::)", re.ASCII)
_ANGLES = re.compile(r"<[^<>;]*>")
_DECLARATOR_ENDS = re.compile(r"[=(\[{]|(?<!:):(?!:)")
_PARAMETER = re.compile(r"(typename|class|(?:unsigned\s+)?[\w:]+)\s+(\w+)\s*(?:=.*)?", re.ASCII | re.DOTALL)
#: Words at the beginning of statements that declare nothing.
_LOOPS = word_set("for if switch while")
_NO_TYPES = word_set("case class delete else enum goto new return struct throw typedef union using")


@dataclass(frozen=True)
class _Closure:
    """What a lambda becomes. `parameters` are those of the struct's template, each with its kind and what it is given;
    `fields` what is captured, each with its value; `function` is the struct's, behind its template's head and words of
    where it runs."""

    name: str
    parameters: tuple[tuple[str, str, str], ...]
    fields: tuple[tuple[str, str], ...]
    template: str
    function: str

    def struct(self, function: str) -> str:
        """The struct with this function."""
        parameters = [f"{kind} {name}" for name, kind, _ in self.parameters]
        parameters += [f"class type_of_{name}" for name, _ in self.fields]
        template = f"template <{', '.join(parameters)}> " if parameters else ""
        fields = "".join(f" type_of_{name} {name};" for name, _ in self.fields)
        return f"{template}struct {self.name} {{{fields}{function} }};"

    @property
    def value(self) -> str:
        """What stands for the lambda."""
        given = [argument for *_, argument in self.parameters]
        given += [f"__remove_restrict(__remove_cvref(decltype({value})))" for _, value in self.fields]
        template = f"<{', '.join(given)}>" if given else ""
        return f"{self.name}{template}{{{', '.join(value for _, value in self.fields)}}}"


def name_closures(text: str) -> tuple[str, str, tuple[tuple[str, int], ...]]:
    """The host's half of a preprocessed text with its lambdas named; what is to stand behind the text that kernels are
    read from; and the file and line of each line of that."""
    if not _LAMBDA.search(text):
        return text, "", ()
    own = _Own(text)
    code = blank(own.text)
    edits, kernels, places, done = list[tuple[int, int, str]](), list[str](), list[tuple[str, int]](), 0
    for found in itertools.islice(_LAMBDA.finditer(code), _MOST):
        if "__device__" not in found["where"] or found.start() < done:
            continue
        name = f"lambda_of_line_{own.line(found.start())}{f'_{len(kernels)}' if kernels else ''}"
        scopes = _Scopes.around(code, found.start())
        if scopes is None or (read := _closure(found, name, scopes, code, own.text)) is None:
            continue
        closure, done = read
        here, begin, end = own.marker(found.start()), own.marker(scopes.start), own.marker(done)
        on_host = (
            f"{here}{closure.template}__host__ __device__ {closure.function}" if "__host__" in found["where"] else ""
        )
        edits.append((scopes.start, scopes.start, f"namespace {{ {closure.struct(on_host)} }}{begin}"))
        edits.append((found.start(), done, f"{closure.value}{end}"))
        on_gpu = closure.struct(f"\n{closure.template}__device__ {_WHERE.sub('', closure.function)}")
        kernels.append("".join([*scopes.namespaces, on_gpu, "}" * len(scopes.namespaces)]))
        places += own.places(found.start(), kernels[-1].count("\n"))
    out, at = list[str](), 0
    for start, end_, new in sorted(edits, key=lambda edit: edit[0]):
        out += [text[at : own.offset(start)], new]
        at = own.offset(end_)
    return "".join([*out, text[at:]]), "\n".join(kernels), tuple(places)


class _Own:
    """What of a preprocessed text is in no system header, and where that comes from."""

    def __init__(self, text: str) -> None:
        own, file, number, at, length = True, "", 0, 0, 0
        lines = list[str]()
        self._lines = list[
            tuple[int, int, str, int]
        ]()  # where each begins, here and in the whole text; its file and line
        for line in text.split("\n"):
            if marker := MARKER.match(line):
                own, file, number = "3" not in marker[3], marker[2], int(marker[1])
            else:
                if own:
                    lines.append(line)
                    self._lines.append((length, at, file, number))
                    length += len(line) + 1
                number += 1
            at += len(line) + 1
        self.text = "\n".join(lines)

    def offset(self, at: int) -> int:
        """A place in the whole text."""
        begin, whole, *_ = self._lines[self._index(at)]
        return whole + at - begin

    def line(self, at: int) -> int:
        """The number of its line."""
        return self._lines[self._index(at)][3]

    def marker(self, at: int) -> str:
        """Begins a line that counts as the one of this place."""
        *_, file, number = self._lines[self._index(at)]
        return f'\n# {number} "{file}"\n'

    def places(self, at: int, more: int) -> Iterator[tuple[str, int]]:
        """The file and line of a place, and again, and those of so many lines from there on."""
        first = self._index(at)
        for *_, file, number in (self._lines[first], *self._lines[first : first + more]):
            yield Path(file).name, number

    def _index(self, at: int) -> int:
        return bisect_right(self._lines, at, key=lambda line: line[0]) - 1


@dataclass(frozen=True)
class _Scopes:
    """What is around a lambda: where the function begins that it stands in, the template's parameters of that, the
    heads of namespaces around it, and the statements of the blocks that are open, behind the head of each."""

    start: int
    template: str
    namespaces: tuple[str, ...]
    statements: tuple[str, ...]

    @classmethod
    def around(cls, code: str, at: int) -> _Scopes | None:
        """Those around a place; None if that is in a class or outside of functions."""
        # Of each open block, (start, end) of its head and of its statements; and how many brackets are open around it.
        blocks, depths, start, depth = list[list[tuple[int, int]]](), list[int](), 0, 0
        for sign in _SIGN.finditer(code, 0, at):
            if sign[0] in "()":
                depth += 1 if sign[0] == "(" else -1
            elif sign[0] == "{":
                blocks.append([(start, sign.end())])
                depths.append(depth)
                start, depth = sign.end(), 0
            elif sign[0] == "}":
                if blocks:
                    (begun, _), *_ = blocks.pop()
                    depth = depths.pop()
                    goes_on = depth > 0 or _GOES_ON.match(code, sign.end())
                    start = begun if goes_on else sign.end()
            elif depth <= 0:
                if blocks:
                    blocks[-1].append((start, sign.start()))
                start, depth = sign.end(), 0
        heads = [code[slice(*block[0])][:-1] for block in blocks]
        namespaces = list(itertools.takewhile(NAMESPACE.fullmatch, heads))
        if len(namespaces) == len(heads) or any(map(_is_class, heads)):
            return None
        inside = blocks[len(namespaces) :]
        template = re.match(rf"\s*{TEMPLATE.pattern}", heads[len(namespaces)])
        named = (f"{' '.join(head.split())} {{ " for head in namespaces if "extern" not in head)
        begins = re.compile(r"\s*").match(code, inside[0][0][0]).end()  # type: ignore[union-attr]
        statements = [code[slice(*span)] for block in inside for span in block]
        statements.append(f"{code[start:at]}{{")  # a loop without braces is open, too
        return cls(begins, template[0] if template else "", tuple(named), tuple(statements))


def _is_class(head: str) -> bool:
    plain = TEMPLATE.sub(" ", head)
    return "(" not in plain and bool(CLASS.match(plain))


def _closure(found: re.Match[str], name: str, scopes: _Scopes, code: str, text: str) -> tuple[_Closure, int] | None:
    """What the lambda becomes that begins here, and where it ends; None if we can't tell."""
    behind = _closed(code, found.end() - 1)
    head = _BEHIND.match(code, behind) if behind else None
    end = _closed(code, head.end() - 1) if head else None
    if behind is None or head is None or end is None:
        return None
    used = dict.fromkeys(_USED.findall(code, found.end(), end))
    variables, constants, types = _declared(scopes.statements)
    fields, alone = dict[str, str](), "__host__" not in found["where"]
    for item in _parts(found["captures"]):
        captured, _, value = (part.strip() for part in item.partition("="))
        if captured == "" and item.strip() == "=":
            fields |= {variable: variable for variable in used if variable in variables}
        elif not re.fullmatch(r"\w+", captured) or captured == "this" or (value and not alone):  # as nvcc
            return None
        else:
            fields[captured] = value or captured
    parameters = [(name_, "class", name_) for name_ in used if name_ in types]
    parameters += [(name_, "auto", name_) for name_ in used if name_ in constants]
    for parameter in _parts(scopes.template.partition("<")[2].rpartition(">")[0]):
        read = _PARAMETER.fullmatch(parameter.strip())
        if read is None:
            return None
        if read[2] in used:
            parameters.append((read[2], read[1], read[2]))
    given, each = text[found.end() : behind], itertools.count()
    given = _AUTO.sub(lambda _: f"type_{next(each)}", given)  # of a function, C++17 wants a template
    deduced = ", ".join(f"class type_{i}" for i in range(next(each)))
    if deduced and not alone:  # nvcc refuses that as well
        return None
    template = f"template <{deduced}> " if deduced else ""
    const = "" if head["mutable"] else " const"
    function = f"auto operator()({given}{const} {text[slice(*head.span('returns'))]}{text[head.end() - 1 : end]}"
    return _Closure(name, tuple(parameters), tuple(fields.items()), template, function), end


def _declared(statements: Sequence[str]) -> tuple[set[str], set[str], set[str]]:
    """The variables, the constants of the compiler's and the types that these statements and heads of blocks declare,
    and perhaps other words."""
    variables, constants, types = set[str](), set[str](), set[str]()
    for statement in statements:
        first, *others = re.findall(r"\w+", statement) or [""]
        if first in ("using", "typedef") and others:
            types.add(others[0] if first == "using" else others[-1])
            continue
        for _ in range(_DEEPEST):
            statement = _ANGLES.sub(" ", statement)
        outside, _, inside = statement.partition("(")
        starts = False
        for part in _parts(inside if statement.endswith("{") else "" if first in _LOOPS else outside):
            words = re.findall(r"\w+", _DECLARATOR_ENDS.split(part, maxsplit=1)[0])
            starts = (len(words) > 1 and words[0] not in _NO_TYPES) or (starts and len(words) == 1)
            if starts:
                (constants if "constexpr" in words else variables).add(words[-1])
    return variables - constants, constants, types


def _parts(text: str) -> list[str]:
    """What commas part that are in no brackets."""
    parts, depth, start = list[str](), 0, 0
    for sign in re.finditer(r"[(\[{}\]),]", text):
        depth += {"(": 1, "[": 1, "{": 1, ",": 0}.get(sign[0], -1)
        if sign[0] == "," and depth <= 0:
            parts.append(text[start : sign.start()])
            start = sign.end()
    return [part for part in [*parts, text[start:]] if part.strip()]


def _closed(code: str, start: int) -> int | None:
    """Behind what closes the bracket at `start`."""
    depth = 0
    for sign in _BRACKET.finditer(code, start):
        depth += 1 if sign[0] in "([{" else -1
        if depth == 0:
            return sign.end()
    return None
