"""Marks loops and calls, so that the runtime knows in which round of each loop a thread is.

The lanes of a warp that take part in one request of memory are at one instruction in the same round of every loop
around it, and came there through the same calls: a GPU lets lanes that leave a loop early wait behind it. So each
thread keeps a number, its place: the sum of a constant for each call that it is in, and of another constant for
each round of each loop. With constants as good as random, two places are as good as never the same number.
The place is the first word of what the register GS points to, `Running` in emulator/inlined/cached_access.h (which
calls the number a loop-iteration hash). It is read anew each time: what is the runtime's must not lie in a register
from one access to the next, see emulator/inlined/inline_hooks.cpp.

A loop takes in the ways out of it, see `ir.flow`: lanes that `break` in different rounds do not make together what
stands before the `break`. A lane that returns holds up nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from ..ir import Alloca, Block, Call, Function, Instruction, Load, Module, Store, Terminator, read_instruction
from ..ir.flow import find_loops, predecessors, successors

_PLACE = "ptr addrspace(256) null"


def mark_loops(module: Module) -> None:
    """Each thread keeps its place up to date wherever it may access memory. To be run before the accesses are
    instrumented."""
    functions = module.functions
    reaching = _functions_with_accesses(functions)
    watched = {name for name, function in functions.items() if module.has_attribute(function, "sanitize_thread")}
    for name in watched:
        _Marker(functions[name], functions.keys() - reaching, reaching & watched).mark()


def _functions_with_accesses(functions: dict[str, Function]) -> set[str]:
    """Those whose own instructions, or those of a function that they call, may access memory."""
    found, calls = set(), {}
    for name, function in functions.items():
        own = _own_variables(function)
        calls[name] = _callees(function.instructions())
        if any(_is_access(i, own) for i in function.instructions()) or any(
            callee not in functions and not _is_harmless(callee) for callee in calls[name]
        ):
            found.add(name)
    while more := {name for name in functions if name not in found and calls[name] & found}:
        found |= more
    return found


def _own_variables(function: Function) -> set[str]:
    return {i.result for i in function.instructions() if isinstance(i, Alloca)}


def _callees(instructions: Iterable[Instruction]) -> set[str]:
    return {i.callee for i in instructions if isinstance(i, Call)}


def _is_access(instruction: Instruction, own: set[str]) -> bool:
    return isinstance(instruction, Load | Store) and instruction.pointer.value not in own


def _is_harmless(callee: str) -> bool:
    """Whether what the compiler and the passes call accesses nothing but a thread's own variables, which nobody
    counts."""
    if callee.startswith("@llvm."):
        return not callee.startswith("@llvm.mem")
    return callee.startswith(("@__ubsan_", "@emu_local_")) or callee == "@emu_check_copy"


def _load_place(name: str) -> Iterator[str]:
    yield f"  {name} = load volatile i64, {_PLACE}, align 8"


def _store_place(name: str) -> Iterator[str]:
    yield f"  store volatile i64 {name}, {_PLACE}, align 8"


class _Marker:
    """Puts the marks into one function. Loops are numbered from 1, from the innermost outwards; 0: none."""

    def __init__(self, function: Function, harmless: set[str], marked_calls: set[str]) -> None:
        self._function, self._blocks = function, function.blocks
        self._seed = function.head.partition("(")[0]
        self._own = _own_variables(function)
        self._harmless, self._marked_calls = harmless, marked_calls
        self._after = successors(function)
        self._loops = [loop for loop in find_loops(function) if any(map(self._reaches, loop.region))]
        self._loops.sort(key=lambda loop: (len(loop.region), len(loop.body)))
        # The loop around each.
        self._parents = {
            k: next((n for n, other in enumerate(self._loops[k:], k + 1) if loop.header in other.region), 0)
            for k, loop in enumerate(self._loops, 1)
        }
        # The innermost loop of each block.
        self._inner = [
            next((k for k, loop in enumerate(self._loops, 1) if i in loop.region), 0) for i in range(len(self._blocks))
        ]
        headers = {loop.header for loop in self._loops}
        # The blocks to which a loop inside their own leads.
        self._back = {
            i
            for i, before in enumerate(predecessors(self._after))
            if i not in headers and any(self._inner[b] != self._inner[i] for b in before)
        }
        # The numbers of the loops whose place must be known again, behind a loop in them. 0: of the function.
        self._kept = {0} | set(self._parents.values()) | {self._inner[i] for i in self._back}

    def mark(self) -> None:
        bodies = [list(self._marked(i)) for i in range(len(self._blocks))]
        if not self._loops and all(map(_same_length, bodies, self._blocks)):
            return
        begin = [f"  %emu.place.{k} = alloca i64, align 8" for k in sorted(self._kept)]
        begin += [*_load_place("%emu.start"), "  store i64 %emu.start, ptr %emu.place.0, align 8"]
        bodies[0] = [*map(read_instruction, begin), *bodies[0]]
        for block, body in zip(self._blocks, bodies, strict=True):
            block.instructions = body

    def _reaches(self, i: int) -> bool:
        """Whether a block may access memory."""
        instructions = self._blocks[i].instructions
        calls = _callees(instructions) - self._harmless
        return any(_is_access(i, self._own) for i in instructions) or not all(map(_is_harmless, calls))

    def _marked(self, i: int) -> Iterator[Instruction]:
        at_head = True
        # Lines of a block are counted from its label.
        for n, instruction in enumerate(self._blocks[i].instructions, 1 if self._blocks[i].label else 0):
            if at_head and instruction.opcode != "phi":
                yield from map(read_instruction, self._mark_head(i))
                at_head = False
            if isinstance(instruction, Terminator):
                yield from map(read_instruction, self._mark_end(i))
            if isinstance(instruction, Call) and (
                not instruction.is_direct or instruction.callee in self._marked_calls
            ):
                yield from map(read_instruction, self._mark_call(f"{i}.{n}"))
                yield instruction
                yield from map(read_instruction, _store_place(f"%emu.here.{i}.{n}"))
            else:
                yield instruction

    def _mark_head(self, i: int) -> Iterator[str]:
        for k, loop in enumerate(self._loops, 1):
            if loop.header == i:
                # A variable would cost a register in each of the innermost loops.
                if k in self._kept:
                    yield f"  %emu.last.{k} = load i64, ptr %emu.place.{k}, align 8"
                else:
                    yield from _load_place(f"%emu.last.{k}")
                yield f"  %emu.round.{k} = add i64 %emu.last.{k}, {self._constant('loop', k)}"
                yield from _store_place(f"%emu.round.{k}")
                if k in self._kept:
                    yield f"  store i64 %emu.round.{k}, ptr %emu.place.{k}, align 8"
        if i in self._back:
            yield from self._mark_place(f"back.{i}", self._inner[i])

    def _mark_end(self, i: int) -> Iterator[str]:
        for k, loop in enumerate(self._loops, 1):
            if k in self._kept and loop.header in self._after[i] and i not in loop.body:
                yield f"  %emu.outside.{i}.{k} = load i64, ptr %emu.place.{self._parents[k]}, align 8"
                yield f"  store i64 %emu.outside.{i}.{k}, ptr %emu.place.{k}, align 8"
        if not self._after[i] and self._inner[i]:
            yield from self._mark_place(f"end.{i}", 0)

    def _mark_call(self, name: str) -> Iterator[str]:
        yield from _load_place(f"%emu.here.{name}")
        yield f"  %emu.there.{name} = add i64 %emu.here.{name}, {self._constant('call', name)}"
        yield from _store_place(f"%emu.there.{name}")

    def _mark_place(self, name: str, inner: int) -> Iterator[str]:
        yield f"  %emu.{name} = load i64, ptr %emu.place.{inner}, align 8"
        yield from _store_place(f"%emu.{name}")

    def _constant(self, *what: object) -> int:
        """As good as random, the same each time, and small enough to stand in one instruction."""
        return int.from_bytes(blake2b(repr((self._seed, *what)).encode(), digest_size=4).digest()) >> 1 | 1


def _same_length(body: list[Instruction], block: Block) -> bool:
    return len(body) == len(block.instructions)
