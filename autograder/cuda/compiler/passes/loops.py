"""Marks loops and calls, so that the runtime knows which iteration of each loop a thread is in.

The lanes of a warp that share one memory request are at one instruction, in the same iteration of every loop around
it, and got there through the same calls, because a GPU makes lanes that leave a loop early wait after the loop. So each
thread keeps a loop-iteration hash: the sum of a constant for each call that it is in, and of another constant for each
iteration of each loop. With constants that no text can know, two different states practically never have the same hash.
The hash is the first word of what the kernel finds by the register GS, `Running` in emulator/inlined/cached_access.h.
We load it anew each time: the runtime's data must not stay in a register between two accesses, see
cuda/emulator/inlined/inline_hooks.cpp.

A loop includes its exits, see `ir.flow`: lanes that `break` in different iterations don't execute the code before the
`break` together. A lane that returns delays no other lane.

Where a `goto` leads into a loop, or a function is very large, we don't know where lanes meet again. There, the hash is
one of all jumps back since the function began, in their order. So lanes share a request only if they have made the same
jumps: no more lanes than on a GPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from secrets import token_bytes

from ...core.protocol import CONSTANTS
from ..ir import Alloca, Call, Function, Instruction, Load, Module, Store, Terminator, read_instruction
from ..ir.flow import find_loops, loop_heads, predecessors, successors

#: Who knew the constants could choose how often loops run, so that lanes in different rounds have the same hash.
_SECRET = token_bytes(32)
_LOOP_HASH = f"ptr addrspace(256) inttoptr (i64 -{CONSTANTS['RUNNING_BEFORE']} to ptr addrspace(256))"


def mark_loops(module: Module) -> None:
    """Keep each thread's loop-iteration hash up to date wherever it may access memory. Run this before the accesses
    are instrumented."""
    functions = module.functions
    reaching = _functions_with_accesses(functions)
    watched = {name for name, function in functions.items() if module.has_attribute(function, "sanitize_thread")}
    for name in watched:
        _Marker(functions[name], functions.keys() - reaching, reaching & watched).mark()


def _functions_with_accesses(functions: dict[str, Function]) -> set[str]:
    """Functions that may access memory, themselves or through a function that they call."""
    found, calls = set(), {}
    for name, function in functions.items():
        local = _local_variables(function)
        calls[name] = _callees(function.instructions())
        if any(_is_access(i, local) for i in function.instructions()) or any(
            callee not in functions and not _is_harmless(callee) for callee in calls[name]
        ):
            found.add(name)
    while more := {name for name in functions if name not in found and calls[name] & found}:
        found |= more
    return found


def _local_variables(function: Function) -> set[str]:
    return {i.result for i in function.instructions() if isinstance(i, Alloca)}


def _callees(instructions: Iterable[Instruction]) -> set[str]:
    return {i.callee for i in instructions if isinstance(i, Call)}


def _is_access(instruction: Instruction, local: set[str]) -> bool:
    return isinstance(instruction, Load | Store) and instruction.pointer.value not in local


def _is_harmless(callee: str) -> bool:
    """Return whether a function that the compiler or a pass calls accesses only a thread's local variables, which we
    don't count."""
    if callee.startswith("@llvm."):
        return not callee.startswith("@llvm.mem")
    return callee.startswith(("@__ubsan_", "@emu_local_")) or callee == "@emu_check_copy"


def _load_hash(name: str) -> Iterator[str]:
    yield f"  {name} = load volatile i64, {_LOOP_HASH}, align 8"


def _store_hash(name: str) -> Iterator[str]:
    yield f"  store volatile i64 {name}, {_LOOP_HASH}, align 8"


class _Marker:
    """Inserts the marks into one function. Loops are numbered from 1, innermost first; 0 is no loop."""

    def __init__(self, function: Function, harmless: set[str], marked_calls: set[str]) -> None:
        self._function, self._blocks = function, function.blocks
        self._seed = function.head.partition("(")[0]
        self._local = _local_variables(function)
        self._harmless, self._marked_calls = harmless, marked_calls
        self._after = successors(function)
        loops = find_loops(function)
        self._heads = set[int]() if loops is not None else loop_heads(function)
        self._loops = [loop for loop in loops or () if any(map(self._reaches, loop.region))]
        self._loops.sort(key=lambda loop: (len(loop.region), len(loop.body)))
        # Each loop's parent.
        self._parents = {
            k: next((n for n, other in enumerate(self._loops[k:], k + 1) if loop.header in other.region), 0)
            for k, loop in enumerate(self._loops, 1)
        }
        # Each block's innermost loop.
        self._inner = [
            next((k for k, loop in enumerate(self._loops, 1) if i in loop.region), 0) for i in range(len(self._blocks))
        ]
        headers = {loop.header for loop in self._loops}
        # Blocks that are entered from a loop inside theirs.
        self._back = {
            i
            for i, before in enumerate(predecessors(self._after))
            if i not in headers and any(self._inner[b] != self._inner[i] for b in before)
        }
        # Loops whose hash we need again after an inner loop. 0: the function.
        self._hashed = {0} | set(self._parents.values()) | {self._inner[i] for i in self._back}

    def mark(self) -> None:
        bodies = [list(self._marked(i)) for i in range(len(self._blocks))]
        is_marked = [len(body) != len(block.instructions) for body, block in zip(bodies, self._blocks, strict=True)]
        if not self._loops and not self._heads and not any(is_marked):
            return
        begin = [f"  %emu.hash.{k} = alloca i64, align 8" for k in sorted(self._hashed)]
        begin += [*_load_hash("%emu.start"), "  store i64 %emu.start, ptr %emu.hash.0, align 8"]
        bodies[0] = [*map(read_instruction, begin), *bodies[0]]
        for block, body in zip(self._blocks, bodies, strict=True):
            block.instructions = body

    def _reaches(self, i: int) -> bool:
        """Return whether a block may access memory."""
        instructions = self._blocks[i].instructions
        calls = _callees(instructions) - self._harmless
        return any(_is_access(i, self._local) for i in instructions) or not all(map(_is_harmless, calls))

    def _marked(self, i: int) -> Iterator[Instruction]:
        at_head = True
        # Line numbers in a block start at its label.
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
                yield from map(read_instruction, _store_hash(f"%emu.here.{i}.{n}"))
            else:
                yield instruction

    def _mark_head(self, i: int) -> Iterator[str]:
        for k, loop in enumerate(self._loops, 1):
            if loop.header == i:
                # A variable would cost a register in each innermost loop.
                if k in self._hashed:
                    yield f"  %emu.last.{k} = load i64, ptr %emu.hash.{k}, align 8"
                else:
                    yield from _load_hash(f"%emu.last.{k}")
                yield f"  %emu.round.{k} = add i64 %emu.last.{k}, {self._constant('loop', k)}"
                yield from _store_hash(f"%emu.round.{k}")
                if k in self._hashed:
                    yield f"  store i64 %emu.round.{k}, ptr %emu.hash.{k}, align 8"
        if i in self._heads:
            yield from _load_hash(f"%emu.before.{i}")
            yield f"  %emu.mixed.{i} = mul i64 %emu.before.{i}, {self._constant('mix')}"
            yield f"  %emu.round.{i} = add i64 %emu.mixed.{i}, {self._constant('jump', i)}"
            yield from _store_hash(f"%emu.round.{i}")
        if i in self._back:
            yield from self._mark_place(f"back.{i}", self._inner[i])

    def _mark_end(self, i: int) -> Iterator[str]:
        for k, loop in enumerate(self._loops, 1):
            if k in self._hashed and loop.header in self._after[i] and i not in loop.body:
                yield f"  %emu.outside.{i}.{k} = load i64, ptr %emu.hash.{self._parents[k]}, align 8"
                yield f"  store i64 %emu.outside.{i}.{k}, ptr %emu.hash.{k}, align 8"
        if not self._after[i] and self._inner[i]:
            yield from self._mark_place(f"end.{i}", 0)

    def _mark_call(self, name: str) -> Iterator[str]:
        yield from _load_hash(f"%emu.here.{name}")
        yield f"  %emu.there.{name} = add i64 %emu.here.{name}, {self._constant('call', name)}"
        yield from _store_hash(f"%emu.there.{name}")

    def _mark_place(self, name: str, inner: int) -> Iterator[str]:
        yield f"  %emu.{name} = load i64, ptr %emu.hash.{inner}, align 8"
        yield from _store_hash(f"%emu.{name}")

    def _constant(self, *what: object) -> int:
        """Return a pseudorandom constant, small enough for an immediate operand."""
        hashed = blake2b(repr((self._seed, *what)).encode(), digest_size=4, key=_SECRET)
        return int.from_bytes(hashed.digest()) >> 1 | 1
