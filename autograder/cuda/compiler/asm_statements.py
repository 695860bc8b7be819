"""The asm statements of a text, which clang has parsed: found in its LLVM IR."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace

from ..core.refusal import Refusal
from .ir import Call, Module, location
from .verifier.rules import is_in_text

_REFERENCE = re.compile(r"\$(?:\{(\d+)(?::\w+)?\}|(\d+)|([$()|])|\{:(uid)\})")
_ASM = re.compile(r'asm (?:(?:sideeffect|inteldialect|alignstack|unwind) )*"([^"]*)", "([^"]*)"$')
_ESCAPED = re.compile(r"\\([0-9A-F]{2})")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)  # of PTX
#: Of a statement, at most.
MAX_OPERANDS = 1000
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
    def outputs(self) -> list[str]:
        """Their constraints."""
        return [c for c in self.constraints.split(",") if c.startswith("=")]

    @property
    def inputs(self) -> list[str]:
        """Their constraints."""
        return [c for c in self.constraints.split(",") if c and not c.startswith("=")]

    @property
    def function(self) -> str:
        """The name of its function."""
        return f"emu_asm_{zlib.crc32(repr(self.key).encode()):08x}"


def find_asm(module: Module) -> list[Statement]:
    """Return the different asm statements of a module that clang wrote."""
    found: dict[tuple[object, ...], Statement] = {}
    for function in module.functions.values():
        for call in function.instructions():
            if isinstance(call, Call) and call.callee.startswith("asm"):
                statement = statement_of(module, call)
                if not is_in_text(function.debug, module.metadata):
                    statement = replace(statement, line=0)  # it counts the lines of a library's file
                found.setdefault(statement.key, statement)
    return list(found.values())


def statement_of(module: Module, call: Call) -> Statement:
    place = location(module.metadata, call.attachment("dbg"))
    line = place[0] if place else 0
    parsed = _ASM.match(call.callee)
    if parsed is None:
        raise AsmError(line, "asm")
    text = _COMMENT.sub(" ", _ESCAPED.sub(lambda found: chr(int(found[1], 16)), parsed[1]))
    constraints = [c for c in parsed[2].split(",") if c and not c.startswith("~")]
    inputs = [c for c in constraints if not c.startswith("=")]
    if len(inputs) != len(call.arguments) or parsed[2].count("~") != parsed[2].count("~{memory}"):
        raise AsmError(line, "asm")
    types = (f"{a.type} {a.value}" if c == "n" else a.type for a, c in zip(call.arguments, inputs, strict=True))
    return Statement(text, ",".join(constraints), tuple(types), call.returns, line)


def template_of(statement: Statement, count: int) -> str:
    """Return the instructions of a statement with `count` operands, with these as %0, %1, ..., on one line.

    Raises:
        AsmError: one names an operand that is not there.
    """

    def plain(found: re.Match[str]) -> str:
        if found[4]:  # a number of the statement's own, for its labels: here, they are in a function of its own
            return "_"
        if found[3]:
            return {"(": "{", ")": "}", "|": "|", "$": "$"}[found[3]]
        number = found[1] or found[2]
        if len(number) > 3 or int(number) >= min(count, MAX_OPERANDS):
            raise AsmError(statement.line, f"%{number}")
        return f"%{number}"

    if found := re.search(r"%\d+", statement.text):  # a name that PTX allows, but not one of an operand
        raise AsmError(statement.line, found[0])
    return " ".join(_REFERENCE.sub(plain, statement.text).split())


def returned_types(returns: str) -> list[str]:
    if returns == "void":
        return []
    return returns.strip("{} ").split(", ") if returns.startswith("{") else [returns]


def operands_of(statement: Statement) -> list[Operand]:
    """Return the outputs and inputs of a statement, as its instructions number them.

    Raises:
        AsmError: the constraint of one is not known here, or its type does not fit it.
    """
    operands: list[Operand] = []
    types = iter([*returned_types(statement.returns), *statement.types])
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
