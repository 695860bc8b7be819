"""Where the pointers of a function lead, and which bytes a hook has allowed, before each instruction.

A place is a root and a distance in bytes: the root is a variable of the function's stack, a global, or a value about
which nothing is known. What is known at an instruction holds on every way that leads there.

An access that a hook allows may be anywhere in the thread's stack, where the machine code also keeps values between
blocks. So after each access to a place outside of the function's variables, and after each call that may make one,
nothing is known any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from ..ir import AddressStep, Alloca, Call, DebugRecord, Function, Instruction, Load, Module, Operand, Store
from ..ir.flow import successors
from ..ir.signatures import copied_type, read_signature
from .entries import Entry, Range, runtime_entries
from .layout import Layout, Place, UnknownTypeError

#: What is known: of a value ("at"), of the content of one of the function's variables ("holds"), of a range that a hook
#: has allowed ("may"), of the bytes at a pointer that the runtime gave ("given"). Facts that two ways share survive
#: where they meet.
Facts = dict[tuple[object, ...], object]

#: What the runtime calls, and the bytes at its pointer.
_ENTRY, _ENTRY_BYTES = "@emu_entry", 256 * 8
#: Most bytes of a kernel's parameters, since CUDA 12.1 (CUDA C++ Programming Guide, "Function Parameters").
_ARGUMENT_BYTES = 32764
_THREAD_INDEX_BYTES = 24
#: In a function with more blocks, what is known of a value is forgotten after the last block that uses it.
_MANY_BLOCKS = 500
#: Most values that we remember of one variable; beyond them, the oldest is forgotten, and an access gets a guard more.
_MOST_HELD = 256
_NAMED = re.compile(r'%(?:[-\w.$]+|"[^"]*")')
QUIET = re.compile(
    r"@llvm\.(?:fabs|sqrt|floor|ceil|trunc|rint|nearbyint|round|roundeven|copysign|fma|fmuladd|minnum|maxnum|minimum|maximum"
    r"|minimumnum|maximumnum|smin|smax|umin|umax|abs|ctpop|ctlz|cttz|bswap|bitreverse|fshl|fshr|is\.fpclass|powi|ldexp"
    r"|[us](?:add|sub|mul)\.with\.overflow|[us](?:add|sub)\.sat|fpto[us]i\.sat|returnaddress|trap|expect|experimental\.noalias\.scope\.decl|vector\.reduce\.\w+)\b"
)
COPIES = {"@llvm.memcpy.p0.p0.i64": True, "@llvm.memmove.p0.p0.i64": True, "@llvm.memset.p0.i64": False}


class Need(NamedTuple):
    """An access that must be allowed. `bytes` is a number, or a value with its type."""

    pointer: str
    bytes: int | str
    write: bool


class Judged(NamedTuple):
    """A need of the instruction at a position of its block, and why it is met; empty if it may not be."""

    block: int
    position: int
    need: Need
    proof: str


class Surroundings:
    """What holds in all functions of a module."""

    def __init__(self, module: Module) -> None:
        self.module, self.layout = module, Layout(module)
        self.functions, self.globals = module.functions, module.globals
        self.entries = {name: e for name, e in runtime_entries().items() if name not in self.functions}
        self.constants: dict[str, int] = {}
        for name, variable in self.globals.items():
            if (variable.kind == "constant" and variable.value) or name in ("@emu_shape", "@emu_index"):
                with suppress(UnknownTypeError):  # nothing is proven of it then
                    self.constants[name] = self.layout.size(variable.type)


def judge(function: Function, around: Surroundings) -> list[Judged]:
    """Return all accesses of a function that no hook makes by itself, in the order of its text.

    Raises:
        UnknownTypeError: one is of a type that no kernel has.
    """
    return _Function(function, around).judged()


class _Function:
    def __init__(self, function: Function, around: Surroundings) -> None:
        self._function, self._around, self._layout = function, around, around.layout
        # The function's variables, and the structs that its caller has copied for it.
        self._sizes = {i.result: self._size(i) for i in function.blocks[0].instructions if isinstance(i, Alloca)}
        self._parameters = read_signature(function.head).parameters
        for parameter in self._parameters:
            if copied := copied_type(parameter):
                self._sizes[parameter.value] = self._layout.size(copied)
        self._is_watched = around.module.has_attribute(function, "sanitize_thread")
        # What is computed from the address of a variable of the function or of a constant, by steps of any length.
        self._local = self._sizes.keys() | around.constants
        for step in function.instructions():
            if isinstance(step, AddressStep) and step.base.value in self._local:
                self._local.add(step.result)

    def _size(self, variable: Alloca) -> int:
        try:
            return self._layout.size(variable.type)
        except UnknownTypeError as error:
            records = (i for i in self._function.instructions() if isinstance(i, DebugRecord))
            error.instruction = next((r for r in records if r.pointer.value == variable.result), variable)
            raise

    def judged(self) -> list[Judged]:
        after = successors(self._function)
        found: list[list[Judged]] = [[] for _ in after]
        first: Facts = {}
        if self._function.name == _ENTRY and self._parameters:
            first["given", self._parameters[0].value] = _ENTRY_BYTES
        before: list[Facts | None] = [first, *(None for _ in after[1:])]
        last_use = self._last_uses()
        ahead = {0}
        while ahead:
            i = min(ahead)
            ahead.remove(i)
            facts = dict(before[i] or {})
            found[i] = list(self._pass(i, facts))
            if last_use is not None:
                facts = {k: v for k, v in facts.items() if k[0] != "at" or last_use.get(k[1], i) > i}
            for target in after[i]:
                known = before[target]
                shared = dict(facts) if known is None else {k: v for k, v in known.items() if facts.get(k) == v}
                if known is None or len(shared) != len(known):
                    before[target] = shared
                    ahead.add(target)
        unreached = (i for i, facts in enumerate(before) if facts is None)
        for i in unreached:
            found[i] = list(self._pass(i, {}))
        return [judged for block in found for judged in block]

    def _last_uses(self) -> dict[object, int] | None:
        """Return the last block that names each value, in a function so large that the facts about all values would
        take too much memory; None in any other. (Guards make no blocks, so they do not change which.)"""
        blocks = self._function.blocks
        if len(blocks) <= _MANY_BLOCKS:
            return None
        return {
            name: n for n, block in enumerate(blocks) for i in block.instructions for name in _NAMED.findall(i.text)
        }

    def _pass(self, block: int, facts: Facts) -> Iterator[Judged]:
        """Judge a block, and turn what is known at its beginning into what is known at its end."""
        instruction: Instruction | None = None
        try:
            for n, instruction in enumerate(self._function.blocks[block].instructions):
                if isinstance(instruction, Load | Store) and "addrspace" in instruction.pointer.type:
                    continue  # the loop-iteration hash
                if isinstance(instruction, AddressStep):
                    self._step(instruction, facts)
                elif isinstance(instruction, Load | Store | Call):
                    proofs = []
                    for need in self._needs(instruction):
                        proofs.append(self._proof(need, facts))
                        yield Judged(block, n, need, proofs[-1])
                    self._note(
                        instruction, facts, is_local=all(proof in ("local", "constant", "given") for proof in proofs)
                    )
        except UnknownTypeError as error:
            error.instruction = instruction
            raise

    # ---- what an instruction needs ------------------------------------------------------------------

    def _needs(self, instruction: Load | Store | Call) -> Iterator[Need]:
        if not isinstance(instruction, Call):
            size = self._layout.accessed(instruction.type)
            yield Need(instruction.pointer.value, size, isinstance(instruction, Store))
            return
        given = instruction.arguments
        if instruction.callee in COPIES:
            yield Need(given[0].value, _number(given[2]), write=True)
            if COPIES[instruction.callee]:
                yield Need(given[1].value, _number(given[2]), write=False)
        for argument in given:
            if copied := copied_type(argument):
                yield Need(argument.value, self._layout.size(copied), write=False)
        if entry := self._around.entries.get(instruction.callee):
            for touched in entry.touches:
                yield _as_need(touched, given)

    def _proof(self, need: Need, facts: Facts) -> str:
        root, at = place = self._place(need.pointer, facts)
        if "undef" in root or "poison" in root:
            return ""  # not the same each time
        if self._is_local(place, need.bytes):
            return "local"
        if isinstance(need.bytes, int):
            end = at + need.bytes
            if at >= 0 and end <= self._around.constants.get(root, -1) and not need.write:
                return "constant"
            given = facts.get(("given", root))
            if isinstance(given, int) and at >= 0 and end <= given and not need.write:
                return "given"
        allowed = facts.get(("may", *place, need.bytes))
        return "hooked" if allowed is not None and (allowed or not need.write) else ""

    def _is_local(self, place: Place, size: int | str) -> bool:
        root, at = place
        return isinstance(size, int) and at >= 0 and at + size <= self._sizes.get(root, -1)

    # ---- what is known after it ----------------------------------------------------------------------

    def _step(self, step: AddressStep, facts: Facts) -> None:
        distance = self._layout.step(step)
        if distance is not None:
            root, at = self._place(step.base.value, facts)
            facts["at", step.result] = root, at + distance

    def _note(self, instruction: Load | Store | Call, facts: Facts, is_local: bool) -> None:
        if isinstance(instruction, Load):
            self._note_load(instruction, facts)
        elif isinstance(instruction, Store):
            root, at = self._place(instruction.pointer.value, facts)
            value = self._place(instruction.value.value, facts)
            if not is_local:
                facts.clear()
            elif root in self._sizes:
                self._put(facts, root, at, self._layout.accessed(instruction.type), value)
        else:
            self._note_call(instruction, facts, is_local)

    def _note_load(self, load: Load, facts: Facts) -> None:
        root, at = self._place(load.pointer.value, facts)
        if root in self._sizes:
            held = facts.get(("holds", root), ())
            assert isinstance(held, tuple)
            size = self._layout.accessed(load.type)
            value = next((value for start, end, value in held if (start, end) == (at, at + size)), None)
            if value is None:
                self._put(facts, root, at, size, (load.result, 0))
            else:
                facts["at", load.result] = value
        elif load.type == "ptr" and load.pointer.value == "@emu_index":
            facts["given", load.result] = _THREAD_INDEX_BYTES
        elif load.type == "ptr" and self._function.name == _ENTRY and root == self._parameters[0].value:
            facts["given", load.result] = _ARGUMENT_BYTES

    def _note_call(self, call: Call, facts: Facts, is_local: bool) -> None:
        entry = self._around.entries.get(call.callee)
        if call.callee in COPIES and is_local:
            root, _ = self._place(call.arguments[0].value, facts)
            facts.pop(("holds", root), None)
        elif entry and entry.quiet and is_local:
            for hook in entry.hooks if self._is_heard(entry, call) else ():
                need = _as_need(hook, call.arguments)
                place = self._place(need.pointer, facts)
                if not self._is_local(place, need.bytes):
                    key = ("may", *place, need.bytes)
                    facts[key] = need.write or facts.get(key, False)
            if entry.returned_bytes:
                facts["given", call.result] = entry.returned_bytes
        elif not QUIET.match(call.callee):
            facts.clear()

    def _is_heard(self, entry: Entry, call: Call) -> bool:
        """Return whether the observers hear of what a hook allows, or need not."""
        if not entry.is_guard or not self._is_watched:
            return True
        return call.arguments[2].value == "null" and call.arguments[0].value in self._local

    def _put(self, facts: Facts, root: str, at: int, size: int, value: Place) -> None:
        held = facts.get(("holds", root), ())
        assert isinstance(held, tuple)
        others = [part for part in held if part[1] <= at or at + size <= part[0]]
        facts["holds", root] = (*others[1 - _MOST_HELD :], (at, at + size, value))

    def _place(self, value: str, facts: Facts) -> Place:
        if value.startswith("%"):
            known = facts.get(("at", value))
            return known if isinstance(known, tuple) else (value, 0)
        return self._layout.place(value)


def _as_need(range_: Range, arguments: tuple[Operand, ...]) -> Need:
    pointer = arguments[range_.pointer].value
    if range_.counted_by is None:
        return Need(pointer, range_.bytes, range_.write)
    count = _number(arguments[range_.counted_by])
    if range_.bytes != 1 and isinstance(count, int):
        count *= range_.bytes
    return Need(pointer, count, range_.write)


def _number(operand: Operand) -> int | str:
    return int(operand.value) if operand.value.isdigit() else f"{operand.type} {operand.value}"
