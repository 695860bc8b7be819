"""Modules: the IR of kernels as the verifier gets it, with instructions deleted, changed, and spliced from others. The
verifier refuses each, or what it lets through runs and never makes an access that no hook has allowed."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from unittest import mock

from fuzz_kernels import Base, bases, hostile_bases
from fuzz_target import EDGES

from autograder.cuda.compiler import machine_code, toolchain
from autograder.cuda.compiler.ir import Module, read_module
from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.compiler.verifier import UnprovenError, verify
from autograder.cuda.errors import GraderFault

_DEFINED = re.compile(r"  (%[\w.]+) = ")
_VALUE = re.compile(r"%[\w.]+|\b-?\d+\b")
_TYPED = re.compile(r"\b(ptr|i1|i8|i16|i32|i64|i128|float|double)((?: [a-z]\w*(?:\(\d+\))?| align \d+)*) (%[\w.]+)")
_CALLED = re.compile(r"call .*?(@[\w.]+)\(")
#: Those that are no part of the kernel's: without them it would not be launched.
_ENTRIES = ("@emu_entry", "@emu_parameters")


@cache
def instrumented(base: Base, build: Build) -> str | None:
    """The module of a kernel as the verifier gets it, with a name for each value; None if it does not compile."""
    found: list[Module] = []

    def stored(module: Module) -> None:
        found.append(module)

    with mock.patch.object(machine_code, "verify", stored):
        toolchain.compile_kernel(f"{base.text}\n// as a base", base.header.kernel, build)
    # By names, since LLVM wants numbers to be without gaps.
    return re.sub(r"(?m)^(\d+):", r"v\1:", re.sub(r"%(\d+)\b", r"%v\1", found[0].text())) if found else None


class Modules:
    shown = ""

    def __init__(self, seed: int, folder: Path) -> None:
        # Few, since compiling one takes as long as a case; others with each seed.
        named = [base for base in bases() if base.header.kernel.isidentifier()]
        chance = random.Random(seed)
        self._bases = [*chance.sample(hostile_bases(), 24), *chance.sample(named, 8)]
        self._number = 0

    def case(self, chance: random.Random) -> str:
        base, donor = chance.choice(self._bases), chance.choice(self._bases)
        build = chance.choice((Build.PLAIN, Build.OPTIMIZED))
        text, other = instrumented(base, build), instrumented(donor, build)
        if text is None or other is None:
            return "no module"
        lines, changes = text.split("\n"), chance.choice((1, 1, 1, 2, 4))
        while changes or "\n".join(lines) == text:
            _change(lines, other.split("\n"), chance)
            changes = max(0, changes - 1)
        self.shown = "\n".join(lines)
        try:
            module = read_module(self.shown)
            verify(module)
        except GraderFault:
            return "unreadable"
        except UnprovenError:
            return "refused"
        # Another text for each case, or the module would come from the cache.
        self._number += 1
        try:
            with mock.patch.object(machine_code, "instrumented", lambda *_, **__: module):
                end = base.run(f"{base.text}\n// {self._number} {chance.random()}", build)
        except (GraderFault, KeyError):  # no module that a compiler makes, such as one without its debug information
            return "no machine code"
        return f"let through, {end}"


def _code(lines: list[str]) -> list[int]:
    """The numbers of lines that are instructions of the kernel's functions."""
    found, inside = [], False
    for n, line in enumerate(lines):
        if line.startswith("define "):
            inside = not any(entry in line for entry in _ENTRIES)
        elif line == "}":
            inside = False
        elif inside and line.startswith("  ") and not line.startswith("  #dbg"):
            found.append(n)
    return found


def _values(lines: list[str], at: int) -> dict[str, list[str]]:
    """By type, the values that are used in the function around line `at`."""
    start = max(n for n in range(at) if lines[n].startswith("define "))
    found: dict[str, list[str]] = {}
    for line in lines[start : lines.index("}", at)]:
        for type_, _, value in _TYPED.findall(line):
            found.setdefault(type_, []).append(value)
    return found


def _change(lines: list[str], others: list[str], chance: random.Random) -> None:
    code = _code(lines)
    at = chance.choice(code)
    match chance.randrange(8):
        case 0:  # a hook, most likely
            calls = [n for n in code if lines[n].lstrip().startswith("call void ")] or [at]
            del lines[chance.choice(calls)]
        case 1:  # moved
            line = lines.pop(at)
            lines.insert(chance.choice(code[:-1]), line)
        case 2:  # from elsewhere, with values of here
            line = others[chance.choice(_code(others))]
            here = _values(lines, at)

            def mine(found: re.Match[str]) -> str:
                return f"{found[1]}{found[2]} {chance.choice(here.get(found[1], ['poison']))}"

            body = _DEFINED.sub(f"  %n{chance.getrandbits(32)} = ", line)
            lines.insert(at, re.sub(r", ![\w.]+ !\d+|, !dbg !\d+", "", _TYPED.sub(mine, body)))
        case 3 | 4:  # another value of the same type
            if typed := list(_TYPED.finditer(lines[at])):
                use = chance.choice(typed)
                value = chance.choice(_values(lines, at)[use[1]])
                lines[at] = lines[at][: use.start(3)] + value + lines[at][use.end(3) :]
        case 5 | 6:  # another number
            body = lines[at].split(", !dbg")[0]
            if numbers := [m for m in re.finditer(r"(?<=[ (])-?\d+\b", body)]:
                number = chance.choice(numbers)
                lines[at] = lines[at][: number.start()] + str(chance.choice(EDGES)) + lines[at][number.end() :]
        case _:  # another function or hook
            called = sorted({name for line in lines for name in _CALLED.findall(line)})
            if (call := _CALLED.search(lines[at])) and called:
                lines[at] = lines[at].replace(call[1], chance.choice(called), 1)
