"""Host code that a kernel uses: functions and variables that are not on the GPU.

To C++ all functions are alike, so the emulator's compiler would take what CUDA refuses. The prelude leaves a mark on
whatever is declared `__global__` or `__device__`; here the marks are read from LLVM IR, together with who uses what.
What the language adds by itself (the constructor of a struct that declares none, a lambda in a kernel) needs no mark.
A function whose value the compiler has worked out, such as a `constexpr` one in the size of an array, is not used any
more. Nobody asks what no kernel uses.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..core.findings import Diagnostic
from ..report.compile_errors import CONSTANT_IN_FUNCTION, DEVICE_VARIABLE_HERE, host_call, host_variable
from ..source.text import blank
from .local_arrays import FUNCTION

#: What stands in a function, and a variable of the prelude's `__constant__`.
_IN_FUNCTION = ("@_ZZ", '@"_ZZ')
_CONSTANT = ' section ".emu_constant'
_NAME = r'@(?:[-\w.$]+|"[^"\n]+")'
_HEAD = re.compile(rf"^define [^@\n]*({_NAME})\([^\n]* !dbg (!\d+)", re.M)
_VARIABLE = re.compile(rf"^({_NAME}) = ([^\n]*)$", re.M)
_MARK = re.compile(rf'^({_NAME}) = private [^\n]* c"emu (__(?:global|device)__)\\00", section "llvm\.metadata"', re.M)
_MARKED = re.compile(rf"\{{ ptr ({_NAME}), ptr ({_NAME}), ptr {_NAME}, i32 \d+, ptr null \}}")
_MISPLACED = re.compile(r"^[^\n]* call [^\n]*@llvm\.(?:var|ptr)\.annotation\.[^\n]*", re.M)
_OF_MARKS = re.compile(r'^@(?:llvm\.global\.annotations|\.str[.\d]*) = [^\n]* section "llvm\.metadata"[^\n]*\n', re.M)
_CONST = re.compile(rf"^({_NAME}) = ((?:[a-z_]+ )*)constant (?=[\[%])", re.M)
_NOTE = re.compile(r"^(!\d+) = (?:distinct )?(!DI(?:Subprogram|GlobalVariable|Location)[^\n]*)$", re.M)
_TEXT_FILE = re.compile(r'^(!\d+) = !DIFile\(filename: "kernel\.cu"', re.M)
_DEFAULT = re.compile(r"[^;{}]*=\s*default\b")
_OWN_TEMPLATE = re.compile(r"template\s*<\s*>")


@dataclass(frozen=True)
class _Notes:
    """The IR's debug information: notes by number, and which of them name the text's own file."""

    by_number: Mapping[str, str]
    files: frozenset[str]

    def about(self, number: str) -> str:
        """The note on a function or a variable of the text; empty if it is on another's."""
        note = self.by_number.get(number, "")
        note = self.by_number.get(_field(note, "var"), note)
        return note if _field(note, "file") in self.files else ""

    def place(self, line: str) -> tuple[int, int] | None:
        """The line and column in the text of an instruction of the IR."""
        at = re.search(r", !dbg (!\d+)", line)
        note = self.by_number.get(at[1], "") if at else ""
        return (int(_field(note, "line")), int(_field(note, "column"))) if note else None


def find_host_uses(ir: str, source: str) -> list[Diagnostic]:
    """What a compiler of CUDA says of each place at which code on the GPU uses host code, in the order of the text.

    Args:
        ir: what the compiler made of the text, before any pass.
        source: the text.
    """
    notes = _Notes(dict(_NOTE.findall(ir)), frozenset(_TEXT_FILE.findall(ir)))
    places = (notes.place(call[0]) for call in _MISPLACED.finditer(ir))
    messages = {Diagnostic(*place, DEVICE_VARIABLE_HERE) for place in places if place}
    marked = _marked(ir)
    lines = blank(source).split("\n")
    messages.update(_automatic_constants(ir, notes, lines))
    host = {
        name: about
        for name, number, is_function in _defined(ir)
        if name not in marked and (about := notes.about(number)) and _is_host(about, lines, is_function)
    }
    if host:
        messages.update(_uses(ir, notes, marked, host))
    return sorted(messages)


def _automatic_constants(ir: str, notes: _Notes, lines: list[str]) -> Iterator[Diagnostic]:
    """A message for each `__constant__` variable in a function that is not declared static."""
    for name, value in _VARIABLE.findall(ir):
        at = re.search(r"!dbg (!\d+)", value)
        about = notes.about(at[1]) if at and name.startswith(_IN_FUNCTION) and _CONSTANT in value else ""
        if not about:
            continue
        line = int(_field(about, "line"))
        text = "\n".join(lines[:line])
        word = text.rfind("__constant__")
        begin = max(text.rfind(mark, 0, max(word, 0)) for mark in ";{}")
        declared = re.split("[;{=]", text[begin + 1 :], maxsplit=1)[0]
        if word >= 0 and not re.search(r"\bstatic\b", declared):
            column = lines[line - 1].find(_field(about, "name")) + 1
            yield Diagnostic(
                line,
                max(column, 1),
                CONSTANT_IN_FUNCTION,
            )


def without_marks(ir: str) -> str:
    """The IR text without the prelude's marks, which would be variables to the linker. Arrays and structs that are
    const, `__device__` or static in a function, become writable: of reads of what cannot change, ThreadSanitizer's pass
    does not tell."""
    marked = _marked(ir)

    def writable(found: re.Match[str]) -> str:
        watched = found[1] in marked or found[1].startswith("@_ZZ")
        return f"{found[1]} = {found[2]}global " if watched else found[0]

    return _OF_MARKS.sub("", _CONST.sub(writable, ir))


def _marked(ir: str) -> dict[str, str]:
    """The mark of each function and variable that has one."""
    marks = dict(_MARK.findall(ir))
    return {name: marks[mark] for name, mark in _MARKED.findall(ir) if mark in marks}


def _defined(ir: str) -> Iterator[tuple[str, str, bool]]:
    """(name, number of its note, whether it is a function) of what may have to be marked."""
    for name, number in _HEAD.findall(ir):
        # What stands in a function belongs to the GPU as far as that does.
        if not name.startswith(_IN_FUNCTION):
            yield name, number, True
    for name, value in _VARIABLE.findall(ir):
        at = re.search(r"!dbg (!\d+)", value)
        writable = re.match(r"(?:[a-z_]+ )*global ", value)
        if at and writable and ' section "' not in value and not name.startswith("@_ZZ"):
            yield name, at[1], False


def _is_host(about: str, lines: list[str], is_function: bool) -> bool:
    """Whether what is defined without a mark is for the host."""
    if not is_function or "DIFlagArtificial" in about:
        return not is_function
    line = int(_field(about, "line"))
    text = "\n".join(lines[line - 1 : line + 4])
    name, _, instance = _field(about, "name").partition("<")
    # An instance of a template that is written by hand is where the template is.
    if instance and _OWN_TEMPLATE.search(lines[line - 1]):
        return False
    return not any(_DEFAULT.match(text, at.end()) for at in re.finditer(rf"{re.escape(name)}\s*(?=\()", text))


def _uses(ir: str, notes: _Notes, marked: Mapping[str, str], host: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A message for each place at which what is marked, or what it uses, uses something of the host's."""
    bodies: dict[str, Iterable[str]] = {name: [value] for name, value in _VARIABLE.findall(ir)}
    called: dict[str, str] = {}
    for function in FUNCTION.findall(ir):
        head, *body = function.split("\n")
        name = re.search(rf"({_NAME})\(", head)
        if name:
            bodies[name[1]] = body
            called[name[1]] = notes.about(at[1]) if (at := re.search(r" !dbg (!\d+)", head)) else ""
    # What has no place in the text, such as a template of the prelude's, is told at the place that led there.
    variables = dict(re.findall(rf"^({_NAME}) = [^\n]*!dbg (!\d+)", ir, re.M))
    reached = deque((name, (int(_field(notes.about(variables.get(name, "")), "line") or 1), 1)) for name in marked)
    seen = set(marked)
    while reached:
        user, led = reached.popleft()
        for line in bodies.get(user, ()):
            own = notes.place(line) if called.get(user) else None
            place = own if own and own[0] else led
            for name in re.findall(_NAME, line):
                if name in host:
                    caller = (marked.get(user, "__device__"), _field(called.get(user, ""), "name"))
                    yield Diagnostic(*place, _message(host[name], caller))
                elif name in bodies and name not in seen:
                    seen.add(name)
                    reached.append((name, place))


def _message(about: str, caller: tuple[str, str]) -> str:
    name = _field(about, "name")
    if not about.startswith("!DISubprogram"):
        return host_variable(name)
    return host_call(name, *caller)


def _field(note: str, name: str) -> str:
    """One field of a note of debug information, without its quotes; empty if it has none of that name."""
    found = re.search(rf'[(,] ?{name}: (?:"((?:[^"\\]|\\.)*)"|([^,)]*))', note)
    return (found[1] or found[2] or "") if found else ""
