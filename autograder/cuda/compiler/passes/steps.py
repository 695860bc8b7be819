"""Reports what a debugger shows beside accesses: each line that a thread begins, the functions that it enters and
leaves, and where its variables are.

Without the optimizer, each variable of the text is in memory. Passing that to a call keeps its accesses visible to
ThreadSanitizer's pass; so the runtime hears of each write, by whatever name. What a function of the prelude does is
part of the line that calls it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core.debug_info import DebugInfo, Line, Variable
from ..ir import DebugRecord, Function, Global, Instruction, Module, field, location, read_instruction
from ..type_tables import TypeTable
from ..variables import is_array
from ..verifier.rules import is_in_text

_DECLARATIONS = {
    **{f"@emu_step_{what}": f"declare void @emu_step_{what}(i32)" for what in ("line", "enter", "leave")},
    "@emu_step_declare": "declare void @emu_step_declare(ptr, i64, i32, i32)",
}


def report_steps(module: Module) -> DebugInfo:
    """Add the calls, and return what their numbers mean."""
    steps = _Steps(module)
    for function in module.functions.values():
        if is_in_text(function.debug, module.metadata):
            steps.add_to(function)
    module.declare(_DECLARATIONS)
    arrays = tuple(steps.array(variable) for variable in filter(is_array, module.globals.values()) if variable.debug)
    return DebugInfo(
        steps.types.types,
        tuple(steps.variables),
        tuple(steps.functions),
        tuple(steps.lines),
        tuple(steps.scopes),
        arrays,
    )


class _Steps:
    def __init__(self, module: Module) -> None:
        self._nodes = module.metadata
        self.types = TypeTable(module.metadata)
        self.variables: list[Variable] = []
        self.functions: list[str] = []
        self.lines: dict[Line, int] = {}
        self.scopes: list[int] = []
        self._scope_numbers: dict[str, int] = {}

    def array(self, variable: Global) -> tuple[str, int]:
        """Return the name and the type of what no single thread owns."""
        about = self.types.field(variable.debug, "var")
        return self.types.field(about, "name"), self.types.number(self.types.field(about, "type"))

    def add_to(self, function: Function) -> None:
        number = len(self.functions)
        self.functions.append(self.types.qualified(function.debug))
        for i, block in enumerate(function.blocks):
            block.instructions = list(self._reporting(block.instructions, number, is_first=i == 0))

    def _reporting(self, instructions: list[Instruction], function: int, *, is_first: bool) -> Iterator[Instruction]:
        begun: Line | None = None
        declared: DebugRecord | None = None
        for instr in instructions:
            if declared and not instr.attachment("annotation"):  # after the compiler's fill, which doesn't count
                yield from self._declaration(declared)
                declared = None
            if is_first and instr.opcode != "alloca":
                yield _call("enter", function, instr.line)
                is_first = False
            here = self._line(instr)
            if here and here != begun and instr.opcode != "phi":
                yield _call("line", self.lines.setdefault(here, len(self.lines)), instr.line)
                begun = here
            if instr.opcode == "ret":
                yield _call("leave", function, instr.line)
            yield instr
            if isinstance(instr, DebugRecord) and self._is_of_text(instr):
                declared = instr

    def _line(self, instr: Instruction) -> Line | None:
        """Return where an instruction is, if it is none of a function that was inlined."""
        node = instr.attachment("dbg")
        place = location(self._nodes, node) if node else None
        if not place or not place[0] or field(self._nodes[node], "inlinedAt"):
            return None
        return Line(place[0], self._scope(field(self._nodes[node], "scope")))

    def _scope(self, node: str) -> int:
        if node not in self._scope_numbers:
            is_block = "!DILexicalBlock" in self._nodes.get(node, "")
            around = self._scope(field(self._nodes[node], "scope")) if is_block else -1
            self._scope_numbers[node] = len(self.scopes)
            self.scopes.append(around)
        return self._scope_numbers[node]

    def _is_of_text(self, record: DebugRecord) -> bool:
        about = self._nodes[record.variable]
        name, is_made_up = field(about, "name"), "DIFlagArtificial" in field(about, "flags")
        is_inlined = field(self._nodes.get(record.location, ""), "inlinedAt")
        return bool(name) and not is_inlined and (not is_made_up or name == "this")

    def _declaration(self, record: DebugRecord) -> Iterator[Instruction]:
        about = self._nodes[record.variable]
        type_ = self.types.number(field(about, "type"))
        is_parameter = bool(field(about, "arg"))
        size = self.types.types[type_].bytes
        if not size:
            return
        number = len(self.variables)
        self.variables.append(Variable(field(about, "name"), type_, self._scope(field(about, "scope")), is_parameter))
        yield read_instruction(
            f"  call void @emu_step_declare(ptr {record.pointer.value}, i64 {size}, i32 {number}, "
            f"i32 {int(is_parameter)}), !dbg {record.location}"
        )


def _call(what: str, number: int, line: str) -> Instruction:
    return read_instruction(f"  call void @emu_step_{what}(i32 {number}){line}")
