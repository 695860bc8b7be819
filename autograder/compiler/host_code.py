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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.findings import Diagnostic
from ..report.compile_errors import CONSTANT_IN_FUNCTION, DEVICE_VARIABLE_HERE, host_call, host_variable
from ..source.text import blank
from .ir import Call, Function, Global, Instruction, Module, field, location, symbols
from .passes.marks import read_marks

#: What stands in a function.
_IN_FUNCTION = ("@_ZZ", '@"_ZZ')
#: Where the prelude's `__constant__` puts a variable.
_CONSTANT = ".emu_constant"
#: What becomes of a `__device__` that stands before a variable in a function.
_MISPLACED = ("@llvm.var.annotation.", "@llvm.ptr.annotation.")
_DEFAULT = re.compile(r"[^;{}]*=\s*default\b")
_OWN_TEMPLATE = re.compile(r"template\s*<\s*>")


@dataclass(frozen=True)
class _Notes:
    """The IR's debug information: nodes by number, and which of them name the text's own file."""

    nodes: Mapping[str, str]
    files: frozenset[str]

    def about(self, number: str) -> str:
        """The node of a function or a variable of the text; empty if it is another's."""
        node = self.nodes.get(number, "")
        node = self.nodes.get(field(node, "var"), node)
        return node if field(node, "file") in self.files else ""

    def place(self, instruction: Instruction) -> tuple[int, int] | None:
        """Its line and column in the text."""
        return location(self.nodes, instruction.attachment("dbg"))


def find_host_uses(module: Module, source: str) -> list[Diagnostic]:
    """What a compiler of CUDA says of each place at which code on the GPU uses host code, in the order of the text.

    Args:
        module: what the compiler made of the text, before any pass.
        source: the text.
    """
    files = (number for number, node in module.metadata.items() if node.startswith('!DIFile(filename: "kernel.cu"'))
    notes = _Notes(module.metadata, frozenset(files))
    places = (
        notes.place(call)
        for function in module.functions.values()
        for call in function.instructions()
        if isinstance(call, Call) and call.callee.startswith(_MISPLACED)
    )
    messages = {Diagnostic(*place, DEVICE_VARIABLE_HERE) for place in places if place}
    marked = read_marks(module)
    lines = blank(source).split("\n")
    messages.update(_automatic_constants(module, notes, lines))
    host = {
        item.name: about
        for item in _defined(module)
        if item.name not in marked
        and (about := notes.about(item.debug))
        and _is_host(about, lines, isinstance(item, Function))
    }
    if host:
        messages.update(_uses(module, notes, marked, host))
    return sorted(messages)


def _automatic_constants(module: Module, notes: _Notes, lines: list[str]) -> Iterator[Diagnostic]:
    """A message for each `__constant__` variable in a function that is not declared static."""
    for name, variable in module.globals.items():
        if not (name.startswith(_IN_FUNCTION) and variable.section.startswith(_CONSTANT)):
            continue
        about = notes.about(variable.debug)
        if not about:
            continue
        line = int(field(about, "line"))
        text = "\n".join(lines[:line])
        word = text.rfind("__constant__")
        begin = max(text.rfind(mark, 0, max(word, 0)) for mark in ";{}")
        declared = re.split("[;{=]", text[begin + 1 :], maxsplit=1)[0]
        if word >= 0 and not re.search(r"\bstatic\b", declared):
            column = lines[line - 1].find(field(about, "name")) + 1
            yield Diagnostic(
                line,
                max(column, 1),
                CONSTANT_IN_FUNCTION,
            )


def _defined(module: Module) -> Iterator[Function | Global]:
    """What may have to be marked."""
    for function in module.functions.values():
        # What stands in a function belongs to the GPU as far as that does.
        if not function.name.startswith(_IN_FUNCTION):
            yield function
    for variable in module.globals.values():
        if variable.kind == "global" and not variable.section and not variable.name.startswith("@_ZZ"):
            yield variable


def _is_host(about: str, lines: list[str], is_function: bool) -> bool:
    """Whether what is defined without a mark is for the host."""
    if not is_function or "DIFlagArtificial" in about:
        return not is_function
    line = int(field(about, "line"))
    text = "\n".join(lines[line - 1 : line + 4])
    name, _, instance = field(about, "name").partition("<")
    # An instance of a template that is written by hand is where the template is.
    if instance and _OWN_TEMPLATE.search(lines[line - 1]):
        return False
    return not any(_DEFAULT.match(text, at.end()) for at in re.finditer(rf"{re.escape(name)}\s*(?=\()", text))


def _uses(module: Module, notes: _Notes, marked: Mapping[str, str], host: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A message for each place at which what is marked, or what it uses, uses something of the host's."""
    functions, variables = module.functions, module.globals
    called = {name: notes.about(function.debug) for name, function in functions.items()}

    def used(user: str) -> Iterator[tuple[tuple[int, int] | None, Sequence[str]]]:
        """Where something is used, if the text says it, and the names of what is."""
        if user in variables:
            yield None, symbols(variables[user].value)
        elif user in functions:
            for instruction in functions[user].instructions():
                if names := symbols(instruction.text):
                    yield notes.place(instruction) if called[user] else None, names

    # What has no place in the text, such as a template of the prelude's, is told at the place that led there.
    def first(name: str) -> tuple[int, int]:
        about = notes.about(variables[name].debug) if name in variables else ""
        return int(field(about, "line") or 1), 1

    reached = deque((name, first(name)) for name in marked)
    seen = set(marked)
    while reached:
        user, led = reached.popleft()
        for own, names in used(user):
            place = own if own and own[0] else led
            for name in names:
                if name in host:
                    caller = (marked.get(user, "__device__"), field(called.get(user, ""), "name"))
                    yield Diagnostic(*place, _message(host[name], caller))
                elif (name in functions or name in variables) and name not in seen:
                    seen.add(name)
                    reached.append((name, place))


def _message(about: str, caller: tuple[str, str]) -> str:
    name = field(about, "name")
    if "!DISubprogram(" not in about:
        return host_variable(name)
    return host_call(name, *caller)
