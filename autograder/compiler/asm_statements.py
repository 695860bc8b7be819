"""The asm statements of a text, which clang has parsed: found in its LLVM IR, and
replaced by calls of the functions that `ptx.py` writes for them."""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..core.refusal import Refusal
from .ir import Call, Function, Instruction, Module, location, read_instruction

_ASM = re.compile(r'asm (?:(?:sideeffect|inteldialect|alignstack|unwind) )*"([^"]*)", "([^"]*)"$')
_ESCAPED = re.compile(r"\\([0-9A-F]{2})")
_EXTRACTED = re.compile(r"  (%\S+) = extractvalue (?:\{.*?\}) (%\S+), (\d+)")
#: By a constraint's letter, the type of the register, and the types that an operand may have.
REGISTERS = {
    "r": ("emu_u32", ("i32",)),
    "l": ("emu_u64", ("i64", "ptr")),
    "h": ("emu_u16", ("i16",)),
    "f": ("emu_f32", ("float",)),
    "d": ("emu_f64", ("double",)),
}


class AsmError(Exception):
    """A statement that is refused: `line` is that of the text, `what` the instruction or operand; `reason` is
    None where its operands do not fit."""

    def __init__(self, line: int, what: str, reason: Refusal | None = Refusal.ASSEMBLY) -> None:
        super().__init__(line, what)
        self.line, self.what, self.reason = line, what, reason


@dataclass(frozen=True)
class Operand:
    """An operand of a statement."""

    access: str  # "=", or "" of an input
    constraint: str
    type: str  # of LLVM
    value: str = ""  # of an immediate
    initial: int = -1  # of an output that is read, too: the input that has its first value


@dataclass(frozen=True)
class Statement:
    """An asm statement of the text, and the function that takes its place."""

    text: str
    constraints: str
    types: tuple[str, ...]  # of the arguments; an immediate with its value
    returns: str
    line: int

    @property
    def key(self) -> tuple[object, ...]:
        return self.text, self.constraints, self.types, self.returns

    @property
    def function(self) -> str:
        """The name of its function."""
        return f"emu_asm_{zlib.crc32(repr(self.key).encode()):08x}"


def find_asm(module: Module) -> list[Statement]:
    """The different asm statements of a module that clang wrote."""
    found: dict[tuple[object, ...], Statement] = {}
    for function in module.functions.values():
        for call in function.instructions():
            if isinstance(call, Call) and call.callee.startswith("asm"):
                statement = _statement(module, call)
                found.setdefault(statement.key, statement)
    return list(found.values())


def _statement(module: Module, call: Call) -> Statement:
    place = location(module.metadata, call.attachment("dbg"))
    line = place[0] if place else 0
    parsed = _ASM.match(call.callee)
    if parsed is None:
        raise AsmError(line, "asm")
    text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), parsed[1])
    constraints = [c for c in parsed[2].split(",") if c and not c.startswith("~")]
    inputs = [c for c in constraints if not c.startswith("=")]
    if len(inputs) != len(call.arguments) or parsed[2].count("~") != parsed[2].count("~{memory}"):
        raise AsmError(line, "asm")
    types = (f"{a.type} {a.value}" if c == "n" else a.type for a, c in zip(call.arguments, inputs, strict=True))
    return Statement(text, ",".join(constraints), tuple(types), call.returns, line)


def call_functions(module: Module, statements: Sequence[Statement]) -> None:
    """Call the functions that `ptx.functions_for` has defined, in a module of the text with them."""
    known = {statement.key: f"@{statement.function}" for statement in statements}
    for function in module.functions.values():
        if any(isinstance(i, Call) and i.callee.startswith("asm") for i in function.instructions()):
            _call_in(module, function, known)


def _call_in(module: Module, function: Function, known: dict[tuple[object, ...], str]) -> None:
    variables, numbers = list[Instruction](), itertools.count()
    results: dict[str, tuple[str, str]] = {}  # of a call, where its results are, and their types

    def change(old: Instruction) -> Iterator[Instruction]:
        if isinstance(old, Call) and old.callee.startswith("asm"):
            statement = _statement(module, old)
            types = _returned_types(statement.returns)
            given = [f"{a.type} {a.value}" for a, t in zip(old.arguments, statement.types, strict=True) if " " not in t]
            if types:
                name = f"%emu.asm.{len(variables)}"
                returned = f"{{ {', '.join(types)} }}"
                variables.append(read_instruction(f"  {name} = alloca {returned}, align 8"))
                given.insert(0, f"ptr {name}")
                results[old.result] = name, returned
            yield read_instruction(f"  call void {known[statement.key]}({', '.join(given)}){old.line}")
            if types and not statement.returns.startswith("{"):
                yield read_instruction(f"  {old.result} = load {types[0]}, ptr {name}, align 8{old.line}")
        elif (found := _EXTRACTED.match(old.text)) and found[2] in results:
            name, returned = results[found[2]]
            at = f"%emu.out.{next(numbers)}"
            yield read_instruction(
                f"  {at} = getelementptr inbounds {returned}, ptr {name}, i32 0, i32 {found[3]}{old.line}"
            )
            type_ = _returned_types(returned)[int(found[3])]
            yield read_instruction(f"  {found[1]} = load {type_}, ptr {at}, align {_BYTES[type_]}{old.line}")
        else:
            yield old

    function.rewrite(change)
    function.blocks[0].instructions[:0] = variables


def _returned_types(returns: str) -> list[str]:
    if returns == "void":
        return []
    return returns.strip("{} ").split(", ") if returns.startswith("{") else [returns]


_BYTES = {"i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "ptr": 8}


def operands_of(statement: Statement) -> list[Operand]:
    """The outputs and inputs of a statement, as its instructions number them.

    Raises:
        AsmError: the constraint of one is not known here, or its type does not fit it.
    """
    operands: list[Operand] = []
    types = iter([*_returned_types(statement.returns), *statement.types])
    for constraint in filter(None, statement.constraints.split(",")):
        type_, _, value = next(types).partition(" ")
        access, letter = ("=", constraint[1:]) if constraint.startswith("=") else ("", constraint)
        if letter.isdigit():  # the first value of an output
            output = operands[int(letter)]
            operands[int(letter)] = Operand("=", output.constraint, output.type, initial=len(operands))
            letter = output.constraint
        known = REGISTERS.get(letter.removeprefix("&"))
        if letter != "n" and known is None:
            raise AsmError(statement.line, f'the constraint "{letter}"')
        if known and type_ not in known[1]:
            raise AsmError(statement.line, constraint, None)
        operands.append(Operand(access, letter.removeprefix("&"), type_, value))
    return operands
