"""Lets threads return where they wait, instead of switching stacks, for which WebAssembly takes microseconds.

A thread that waits in a hook returns from it, and from all functions that lead to it, down to the runtime. To go on, it
is called again: each function jumps to the call that it was in, and makes it once more; the hook does what follows
the wait. As no optimizer has seen the functions, their variables are in memory, and stay there: each is called with the
same stack pointer as before. What else a function has computed before such a call, and uses after it, is stored in
further variables.

`emu_way` says what goes on: see `Way` in `cuda/emulator/platform/platform.h`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count

from ..ir import (
    AddressStep,
    Alloca,
    Block,
    Call,
    Function,
    Instruction,
    Load,
    Module,
    Terminator,
    read_instruction,
    variables,
)
from ..ir.flow import reached
from ..ir.operands import NAME, end_of_type
from ..ir.signatures import read_signature

#: Hooks that return when the thread waits, and are called again when it goes on.
_WAITING = frozenset(
    f"@emu_{word}"
    for word in "barrier barrier_reduce named_sync grid_barrier cluster_barrier cluster_wait warp_barrier "
    "warp_exchange active_mask sleep spin mbarrier_test".split()
)
#: `Way` of the runtime.
_LEAVES, _COMES_BACK = 1, 2
_CASTS = frozenset("trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast".split())
#: Instructions that begin with the type of their result, after flags.
_TYPED = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem fneg phi freeze".split()
)
_FLAGS = re.compile(r"(?:(?:nuw|nsw|exact|disjoint|nneg|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*")
#: Of a function with more pieces, it would take long to see what is to be stored.
_MAX_PIECES = 2000
_INCOMING = re.compile(rf"\[ ([^\]]*?), (%{NAME}) \]")


class _UnfitError(Exception):
    """A function that can't be called again."""


@dataclass
class _Piece:
    """A part of a block. If it `waits`, it begins with a call that may wait; the next one begins before the next such
    call."""

    label: str
    instructions: list[Instruction]
    waits: bool

    @property
    def end(self) -> str:
        """The label of the block that ends as this piece does."""
        return f"{self.label}.on" if self.waits else self.label


def let_threads_return(module: Module) -> None:
    """Change all functions that may wait. `emu_returns` in the module says whether they can be called again; if one
    can't, all stay as they are."""
    functions = module.functions
    waiting = set(_WAITING)
    while more := {
        f.name for f in functions.values() if f.name not in waiting and any(_waits(f.instructions(), waiting))
    }:
        waiting |= more
    try:
        changed = {name: _returning(functions[name], waiting) for name in functions.keys() & waiting}
    except _UnfitError:
        changed = {}
    fit = changed.keys() == functions.keys() & waiting
    for name, blocks in changed.items():
        functions[name].blocks = blocks
    module.items += ["@emu_way = external global i32, align 4", f"@emu_returns = constant i32 {int(fit)}, align 4", ""]


def _waits(instructions: Iterator[Instruction], waiting: set[str]) -> Iterator[bool]:
    return (isinstance(i, Call) and i.callee in waiting for i in instructions)


def _returning(function: Function, waiting: set[str]) -> list[Block]:
    """Return the blocks of a function that may be called again.

    Raises:
        _UnfitError: it can't.
    """
    signature = read_signature(function.head)
    memory = list(_memory(function))
    if any(isinstance(i, Alloca) and i not in memory for i in function.instructions()):
        raise _UnfitError  # the next call would take it anew
    if any("byval" in parameter.attributes for parameter in signature.parameters):
        raise _UnfitError  # the next call would copy it anew
    numbered = sum(parameter.value[1:].isdigit() for parameter in signature.parameters)
    pieces, ends = _pieces(function, memory, f"%{numbered}", waiting)
    if len(pieces) > _MAX_PIECES:
        raise _UnfitError
    _keep(pieces, ends, memory)
    returned = signature.type[: end_of_type(signature.type, 0)]
    begin = pieces[0].label
    checks = (
        "%emu.place = alloca i32, align 4",
        "%emu.way = load volatile i32, ptr @emu_way, align 4",
        f"%emu.back = icmp eq i32 %emu.way, {_COMES_BACK}",
        "%emu.at = load i32, ptr %emu.place, align 4",
        f"br i1 %emu.back, label %emu.again.0, label {begin}",
    )
    blocks = [Block(("emu.entry:",), "%emu.entry", [*memory, *_read(*checks)])]
    # (Comparisons, since a page's small compiler lacks what it takes for a `switch`.)
    waits = [n for n, piece in enumerate(pieces) if piece.waits]
    for k, n in enumerate(waits[:-1]):
        goes_on = (
            f"%emu.is.{n} = icmp eq i32 %emu.at, {n}",
            f"br i1 %emu.is.{n}, label {pieces[n].label}, label %emu.again.{k + 1}",
        )
        blocks.append(_block(f"%emu.again.{k}", _read(*goes_on)))
    blocks.append(_block(f"%emu.again.{len(waits) - 1}", _read(f"br label {pieces[waits[-1]].label}")))
    for n, piece in enumerate(pieces):
        if not piece.waits:
            blocks.append(_block(piece.label, piece.instructions))
            continue
        at = next(i for i, instruction in enumerate(piece.instructions) if isinstance(instruction, Call)) + 1
        left = (
            f"{piece.label}.way = load volatile i32, ptr @emu_way, align 4",
            f"{piece.label}.left = icmp eq i32 {piece.label}.way, {_LEAVES}",
            f"br i1 {piece.label}.left, label {piece.label}.leaves, label {piece.end}",
        )
        leaves = (
            f"store i32 {n}, ptr %emu.place, align 4",
            "ret void" if returned == "void" else f"ret {returned} zeroinitializer",
        )
        blocks.append(_block(piece.label, [*piece.instructions[:at], *_read(*left)]))
        blocks.append(_block(f"{piece.label}.leaves", _read(*leaves)))
        blocks.append(_block(piece.end, piece.instructions[at:]))
    return blocks


def _memory(function: Function) -> Iterator[Instruction]:
    """Yield the function's variables, and places within them between these: they are the same in each call."""
    first = function.blocks[0].instructions
    end = max((n for n, i in enumerate(first) if isinstance(i, Alloca)), default=-1)
    local: set[str] = set()
    for instruction in first[: end + 1]:
        is_place = isinstance(instruction, AddressStep) and variables(instruction.text) - {instruction.result} <= local
        if is_place or (isinstance(instruction, Alloca) and instruction.count is None):
            local.add(instruction.result)
            yield instruction


def _read(*lines: str) -> list[Instruction]:
    return [read_instruction(f"  {line}") for line in lines]


def _block(label: str, instructions: list[Instruction]) -> Block:
    return Block(("", f"{label[1:]}:"), label, instructions)


def _pieces(
    function: Function, memory: list[Instruction], entry: str, waiting: set[str]
) -> tuple[list[_Piece], dict[str, _Piece]]:
    """Return the function without its variables, in pieces; and by the label of each block, its last piece. A first
    block without a label is known as `entry`."""
    pieces: list[_Piece] = []
    ends = {}
    for block in function.blocks:
        first = block is function.blocks[0]
        pieces.append(_Piece("%emu.begin" if first else block.label, [], waits=False))
        for instruction, waits in zip(block.instructions, _waits(iter(block.instructions), waiting), strict=True):
            if waits:
                if "musttail" in instruction.text:
                    raise _UnfitError
                label = f"%emu.call.{len(pieces)}"
                pieces[-1].instructions += _read(f"br label {label}")
                pieces.append(_Piece(label, [], waits=True))
            if not first or instruction not in memory:
                pieces[-1].instructions.append(instruction)
        ends[block.label or entry] = pieces[-1]
    return pieces, ends


def _keep(pieces: list[_Piece], ends: dict[str, _Piece], memory: list[Instruction]) -> None:
    """Store in `memory` what one piece computes and another uses after a call that may wait."""
    made = {i.result: (piece, i) for piece in pieces for i in piece.instructions if i.result}
    numbered = {piece.label: n for n, piece in enumerate(pieces)}
    after = [
        [numbered[label] for label in end.labels] if isinstance(end := piece.instructions[-1], Terminator) else []
        for piece in pieces
    ]
    waits = {n for n, piece in enumerate(pieces) if piece.waits}

    @cache
    def pieces_after(maker: int) -> set[int]:
        """Return the pieces to which a call leads, without one through `maker`."""
        return reached(waits - {maker}, after, {maker})

    def is_lost(name: str, user: _Piece) -> bool:
        return name in made and numbered[user.label] in pieces_after(numbered[made[name][0].label])

    slots: dict[str, str] = {}
    numbers = count()

    def fetched(name: str, into: list[Instruction]) -> str:
        """Return a new name for a value that another piece has made."""
        if name not in slots:
            slots[name] = f"%emu.kept.{len(slots)}"
        again = f"%emu.kept.at.{next(numbers)}"
        into += _read(f"{again} = load {_type_of(made[name][1])}, ptr {slots[name]}, align 8")
        return again

    last: dict[int, list[Instruction]] = {id(piece): [] for piece in pieces}  # what comes before a piece's end
    for piece in pieces:
        changed: list[Instruction] = []
        for instruction in piece.instructions:
            text = instruction.text
            if instruction.opcode == "phi":

                def incoming(found: re.Match[str]) -> str:
                    value, end = found[1], ends[found[2]]
                    if is_lost(value, end):
                        value = fetched(value, last[id(end)])
                    return f"[ {value}, {end.end} ]"

                text = _INCOMING.sub(incoming, text)
            else:
                for name in sorted(variables(text)):
                    if is_lost(name, piece):
                        text = re.sub(rf"{re.escape(name)}(?![-\w.$])", fetched(name, changed), text)
            changed.append(instruction if text == instruction.text else read_instruction(text))
        piece.instructions = changed
    for piece in pieces:
        piece.instructions[-1:-1] = last[id(piece)]
        stores: list[Instruction] = []
        changed = []
        for instruction in piece.instructions:
            if instruction.opcode != "phi":
                changed += stores
                stores = []
            changed.append(instruction)
            if instruction.result in slots:
                store = f"store {_type_of(instruction)} {instruction.result}, ptr {slots[instruction.result]}, align 8"
                stores += _read(store)
        piece.instructions = changed
    memory += _read(*(f"{slot} = alloca {_type_of(made[name][1])}, align 8" for name, slot in slots.items()))


def _type_of(instruction: Instruction) -> str:
    """Return the type of what an instruction computes.

    Raises:
        _UnfitError: of this one, it is not known.
    """
    text, opcode = instruction.text.removesuffix(instruction.attachments), instruction.opcode
    if isinstance(instruction, Call):
        return instruction.returns
    if isinstance(instruction, Load):
        return instruction.type
    if opcode in _CASTS:
        return text.rpartition(" to ")[2]
    at = text.index(f" {opcode} ") + len(opcode) + 2
    flags = _FLAGS.match(text, at)
    assert flags  # it may be empty
    if opcode in _TYPED:
        return text[flags.end() : end_of_type(text, flags.end())]
    if opcode == "select":
        at = text.index(", ", at) + 2
        return text[at : end_of_type(text, at)]
    if opcode in ("icmp", "fcmp") and "<" not in text:
        return "i1"
    if isinstance(instruction, AddressStep) and "<" not in text:
        return "ptr"
    raise _UnfitError
