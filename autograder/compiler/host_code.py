"""Finds host code that a kernel uses: functions and variables that are not on the GPU.

C++ makes no difference between functions, so the emulator's compiler would accept code that CUDA rejects. The prelude
marks whatever is declared `__global__` or `__device__`; here we read those marks, and who uses what, from LLVM IR.
Code that the language adds by itself (the constructor of a struct that declares none, a lambda in a kernel) needs no
mark. A function whose value the compiler has already computed, such as a `constexpr` one in the size of an array, no
longer counts as used. Code that no kernel uses is not checked.
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

#: How names of things defined inside a function begin.
_IN_FUNCTION = ("@_ZZ", '@"_ZZ')
#: The section where the prelude's `__constant__` puts a variable.
_CONSTANT = ".emu_constant"
#: What the compiler makes of a `__device__` before a variable in a function.
_MISPLACED = ("@llvm.var.annotation.", "@llvm.ptr.annotation.")
_DEFAULT = re.compile(r"[^;{}]*=\s*default\b")
_OWN_TEMPLATE = re.compile(r"template\s*<\s*>")


@dataclass(frozen=True)
class _Notes:
    """The IR's debug information: nodes by number, and which of them refer to the text's own file."""

    nodes: Mapping[str, str]
    files: frozenset[str]

    def about(self, number: str) -> str:
        """The debug node of a function or variable in the text; empty if it is defined elsewhere."""
        node = self.nodes.get(number, "")
        node = self.nodes.get(field(node, "var"), node)
        return node if field(node, "file") in self.files else ""

    def place(self, instruction: Instruction) -> tuple[int, int] | None:
        """The instruction's line and column in the text."""
        return location(self.nodes, instruction.attachment("dbg"))


def find_host_uses(module: Module, source: str) -> list[Diagnostic]:
    """Report, as a CUDA compiler would, each place where GPU code uses host code, in the order of the text.

    Args:
        module: the compiler's output for the text, before any pass.
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
    """Report each `__constant__` variable in a function that is not declared static."""
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
    """The functions and variables that may need a mark."""
    for function in module.functions.values():
        # What is defined inside a function is on the GPU if the function is.
        if not function.name.startswith(_IN_FUNCTION):
            yield function
    for variable in module.globals.values():
        if variable.kind == "global" and not variable.section and not variable.name.startswith("@_ZZ"):
            yield variable


def _is_host(about: str, lines: list[str], is_function: bool) -> bool:
    """Whether a definition without a mark belongs to the host."""
    if not is_function or "DIFlagArtificial" in about:
        return not is_function
    line = int(field(about, "line"))
    text = "\n".join(lines[line - 1 : line + 4])
    name, _, instance = field(about, "name").partition("<")
    # An explicit instance of a template belongs where the template does.
    if instance and _OWN_TEMPLATE.search(lines[line - 1]):
        return False
    return not any(_DEFAULT.match(text, at.end()) for at in re.finditer(rf"{re.escape(name)}\s*(?=\()", text))


def _uses(module: Module, notes: _Notes, marked: Mapping[str, str], host: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Report each place where marked code, or code that it uses, uses host code."""
    functions, variables = module.functions, module.globals
    called = {name: notes.about(function.debug) for name, function in functions.items()}

    def used(user: str) -> Iterator[tuple[tuple[int, int] | None, Sequence[str]]]:
        """The places where `user` uses something, if the text has them, and the names of what it uses."""
        if user in variables:
            yield None, symbols(variables[user].value)
        elif user in functions:
            for instruction in functions[user].instructions():
                if names := symbols(instruction.text):
                    yield notes.place(instruction) if called[user] else None, names

    # If the use has no place in the text, as in a template of the prelude's, report the place that led there.
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
