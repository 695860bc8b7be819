"""Decides whether a compiled module may be loaded.

It reads the module that goes to the code generator, and knows nothing of the passes that made it. A module is refused
unless every access is to memory of the function, or follows a hook that refuses what is not allowed;
every call is of a function of the module, or of an entry of the runtime, by its type; and no control leaves a function
but by its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..ir import Call, DebugRecord, Function, Instruction, Module, field, location
from . import places
from .layout import UnknownTypeError
from .places import Judged, Need, Surroundings
from .rules import Fault, faults_of_function, faults_of_module, is_in_text


class UnprovenError(Exception):
    """A module that must not be loaded. `what` says why, to the authors of this course; `line` is the student's (0:
    unknown), and `symbol` the name that it is about (empty: none)."""

    def __init__(self, what: str, line: int, symbol: str) -> None:
        super().__init__(what, line, symbol)
        self.what, self.line, self.symbol = what, line, symbol


def verify(module: Module) -> Counter[str]:
    """Verify a module, as it goes to the code generator.

    Returns:
        how many accesses were proven in which way.

    Raises:
        UnprovenError: it must not be loaded.
    """
    proofs: Counter[str] = Counter()
    for function, fault in _faults(module, proofs):
        raise _unproven(module, function, fault)
    return proofs


def judge(function: Function, around: Surroundings) -> list[Judged]:
    """Return all accesses of a function that no hook makes by itself, in the order of its text.

    Raises:
        UnprovenError: one is of a type that no kernel has.
    """
    try:
        return places.judge(function, around)
    except UnknownTypeError as error:
        raise _unproven(around.module, function.name, Fault(f"the type {error}", error.instruction)) from None


def _unproven(module: Module, function: str, fault: Fault) -> UnprovenError:
    line = (_line(module, fault.instruction) if fault.instruction else 0) or _line_of_call(module, function)
    defined = module.functions[function].debug if function in module.functions else fault.debug
    return UnprovenError(f"{function}: {fault.what}", line or _line_of_definition(module, defined), fault.symbol)


def _line_of_definition(module: Module, node: str) -> int:
    """Return the line of the student's text where a function or a variable is defined; 0 if it is not defined there."""
    nodes = module.metadata
    node = field(nodes.get(node, ""), "var") or node
    return int(field(nodes[node], "line") or 0) if is_in_text(node, nodes) else 0


def _line(module: Module, instruction: Instruction) -> int:
    """Return the instruction's line in the student's text; 0 if it is in none."""
    nodes, node = module.metadata, instruction.attachment("dbg")
    if isinstance(instruction, DebugRecord):
        node = instruction.location
    place = location(nodes, node)
    return place[0] if place and is_in_text(field(nodes[node], "scope"), nodes) else 0


def _line_of_call(module: Module, function: str) -> int:
    """Return the line of a call in the student's text that leads to `function`, which may be one of the prelude's that
    another one calls; 0 if there is none."""
    reached: set[str] = set()
    wanted = {function}
    while wanted:
        reached |= wanted
        found = [(f.name, i) for f in module.functions.values() for i in f.instructions() if _calls(i, wanted)]
        if line := next((line for _, call in found if (line := _line(module, call))), 0):
            return line
        wanted = {caller for caller, _ in found} - reached
    return 0


def _calls(instruction: Instruction, functions: set[str]) -> bool:
    return isinstance(instruction, Call) and instruction.callee in functions


def _faults(module: Module, proofs: Counter[str]) -> Iterator[tuple[str, Fault]]:
    """Yield what must not be, and in which function; `proofs` gets the number of each proof."""
    around = Surroundings(module)
    for fault in faults_of_module(around):
        yield "", fault
    numbers: set[str] = set()
    for function in around.functions.values():
        for fault in (*faults_of_function(function, around), *_faults_of_numbers(function, around, numbers)):
            yield function.name, fault
        for judged in judge(function, around):
            if not judged.proof:
                access = function.blocks[judged.block].instructions[judged.position]
                yield function.name, Fault(f"an access without a hook:{access.text}", access)
            proofs[judged.proof] += 1


def _faults_of_numbers(function: Function, around: Surroundings, used: set[str]) -> Iterator[Fault]:
    """Each number of an access belongs to one instruction of the module, and the runtime has room for it."""
    declared = around.globals.get("@emu_accesses")
    count = int(declared.value) if declared and declared.kind == "constant" and declared.type == "i32" else 0
    for call in function.instructions():
        if isinstance(call, Call) and (entry := around.entries.get(call.callee)) and entry.numbered:
            number = call.arguments[0].value if call.arguments else ""
            if not number.isdigit() or int(number) >= count or number in used:
                yield Fault("an access with another's number", call)
            used.add(number)
