"""Finds `constexpr` functions of the host that a kernel calls.

Clang gives a `constexpr` function without an annotation to both sides; NVIDIA's compilers let a kernel use it only
where they compute its value themselves, such as in the size of an array. Clang refuses all other host code in a kernel.
The prelude's macros mark what is annotated; here we read those marks, and who uses what, from LLVM IR.
Code that the language adds by itself (the constructor of a struct that declares none, a lambda in a kernel) needs no
mark. Code that no kernel uses is not checked.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..core.diagnostics import Diagnostic, Problem
from .ir import Function, Instruction, Module, field, location, symbols
from .passes.marks import read_marks

#: What is defined inside a function is on the GPU if the function is.
_IN_FUNCTION = ("@_ZZ", '@"_ZZ')
#: Constructors without parameters, and those that copy or move; assignments of the two kinds; destructors. The text may
#: declare them `= default`, of which the IR knows nothing; then they are on both sides.
_SPECIAL = re.compile(r"(?:[CD][0-5]|[CDa]\w*?)(?:Ev|ERKS\w*_|EOS\w*_)$")


@dataclass(frozen=True)
class _Notes:
    """The IR's debug information: nodes by number, and which of them refer to the user's file."""

    nodes: Mapping[str, str]
    files: frozenset[str]

    def about(self, number: str) -> str:
        """The debug node of a function in the text; empty if it is defined elsewhere."""
        node = self.nodes.get(number, "")
        return node if field(node, "file") in self.files else ""

    def place(self, instruction: Instruction) -> tuple[int, int] | None:
        """The instruction's line and column in the text."""
        return location(self.nodes, instruction.attachment("dbg"))


def find_host_calls(module: Module) -> list[Diagnostic]:
    """Report, as a CUDA compiler would, each place where GPU code uses such a function, in the order of the text.

    Args:
        module: the compiler's output for the text, before any pass.
    """
    notes = _notes(module)
    marked = read_marks(module)
    host = {
        name: about
        for name, function in module.functions.items()
        if name not in marked and not name.startswith(_IN_FUNCTION) and (about := notes.about(function.debug))
        if "DIFlagArtificial" not in about and not _SPECIAL.search(name)
    }
    return sorted(set(_uses(module, notes, marked, host))) if host else []


def find_host_lambdas(module: Module) -> str:
    """Return an error, as the compiler would write it, about each lambda of the host's half that code on the GPU calls,
    which nvcc refuses; "" if there are none. Clang gives a lambda that is not marked to both sides.

    Args:
        module: the compiler's output for a program, before any pass.
    """
    notes = _notes(module)
    marked, functions = read_marks(module), module.functions
    lines = {
        int(field(about, "line"))
        for name, function in functions.items()
        if name not in marked and (about := notes.about(function.debug))
        if (around := _functions_around(name)) and not any(outer in functions for outer in around)
    }
    return "".join(f"kernel.cu:{line}:1: error: host lambda called on the GPU\n" for line in sorted(lines))


def users_functions(module: Module) -> list[Function]:
    """The functions that the user's text defines."""
    notes = _notes(module)
    return [function for function in module.functions.values() if notes.about(function.debug)]


def _notes(module: Module) -> _Notes:
    files = (number for number, node in module.metadata.items() if node.startswith('!DIFile(filename: "kernel.cu"'))
    return _Notes(module.metadata, frozenset(files))


def _functions_around(name: str) -> list[str]:
    """What the function may be called in which the lambda is that has the call operator `name`; empty if it is none."""
    names = []
    for found in re.finditer(r"E(?=NK?Ul\w*_cl[EI])", name) if name.startswith("@_ZZ") else ():
        inside = name[len("@_Z") + 1 : found.start()]
        # (Constructors and destructors have two names; extern "C" functions have their plain name.)
        second = re.sub(r"([CD])1(?=[EI])", r"\g<1>2", inside)
        names += [f"@_Z{inside}", f"@_Z{second}", f"@{inside.lstrip('0123456789')}"]
    return names


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
        node = notes.nodes.get(variables[name].debug, "") if name in variables else ""
        return int(field(notes.nodes.get(field(node, "var"), node), "line") or 1), 1

    reached = deque((name, first(name)) for name in marked)
    seen = set(marked)
    while reached:
        user, led = reached.popleft()
        for use, names in used(user):
            place = use if use and use[0] else led
            for name in names:
                if name in host:
                    callee, caller = field(host[name], "name"), field(called.get(user, ""), "name")
                    call = (callee, marked.get(user, "__device__"), caller)
                    yield Diagnostic(*place, problem=Problem.HOST_CALL, names=call)
                elif (name in functions or name in variables) and name not in seen:
                    seen.add(name)
                    reached.append((name, place))
