"""Reports a use of a number or pointer that its thread has not set on the path taken.

clang fills a variable that is declared without a value (`-ftrivial-auto-var-init=pattern`). If some path may use it so,
a flag beside it says whether it is set, and a call before each such use passes the flag on. Nearly always no path does,
and nothing is added.

A copy to another variable of the function is no use: it copies the flag. Nor is a shuffle, which also gets the values
of lanes that nobody asks for, nor a copy of a whole struct, whose members are set or not each for itself (`cells.py`).
A number or pointer whose address is taken is left to `local_arrays.py`, since others may set it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ..ir import (
    Alloca,
    Call,
    Function,
    Global,
    Instruction,
    Load,
    Module,
    Store,
    read_instruction,
    string_constant,
    variables,
)
from ..ir.flow import predecessors, successors
from ..verifier.layout import Layout
from .cells import Cells, is_fill

_USE = "@emu_local_use"
_DECLARATION = {_USE: f"declare void {_USE}(i32, ptr)"}
#: What exchanges values between the lanes of a warp.
_EXCHANGE = "@emu_warp_exchange"


def report_unset_variables(module: Module) -> None:
    """Give the variables of the text that may be used before they are set their flags and calls."""
    descriptions: list[Global] = []
    exchanges: set[str] | None = None
    layout = Layout(module)
    for function in module.functions.values():
        if not module.has_attribute(function, "sanitize_thread") or not any(map(is_fill, function.instructions())):
            continue
        cells = Cells(function, module, layout)
        if not _unset_uses(function, cells, set())[0]:
            continue
        exchanges = _exchanges(module) if exchanges is None else exchanges
        copies = _copies(function, cells, exchanges)
        uses, flagged = _unset_uses(function, cells, copies)
        if uses:
            _flag(function, cells, flagged, copies, uses, descriptions)
    if descriptions:
        module.items += [*descriptions, ""]
        module.declare(_DECLARATION)


def _exchanges(module: Module) -> set[str]:
    """Return the prelude's functions that pass on values of other lanes."""
    calls = {
        name: {instr.callee for instr in function.instructions() if isinstance(instr, Call)}
        for name, function in module.functions.items()
        if not module.has_attribute(function, "sanitize_thread")
    }
    found: set[str] = set()
    more = {_EXCHANGE}
    while more:
        more = {name for name, called in calls.items() if called & more} - found
        found |= more
    return found


def _copies(function: Function, cells: Cells, exchanges: set[str]) -> set[str]:
    """Return the loads, by their results, whose values go to variables with a name and to shuffles only."""
    loads = {instr.result for instr in function.instructions() if isinstance(instr, Load) and cells.loaded(instr)}
    for instr in function.instructions():
        copies = isinstance(instr, Store) and cells.stored(instr)
        if not copies and not (isinstance(instr, Call) and instr.callee in exchanges):
            loads -= variables(instr.text) - {instr.result}
    return loads


def _unset_uses(function: Function, cells: Cells, copies: set[str]) -> tuple[set[str], set[str]]:
    """Return the loads, by their results, that may use a cell that is not set; and the cells that may ever be so where
    they are used or copied."""
    before = predecessors(successors(function))
    unset_after: list[set[str] | None] = [None] * len(function.blocks)  # None: not reached yet
    uses: set[str] = set()
    flagged: set[str] = set()
    changed = True
    while changed:
        changed = False
        for i, block in enumerate(function.blocks):
            unset = set[str]().union(*(those for b in before[i] if (those := unset_after[b]) is not None))
            copied: set[str] = set()  # loads of what may be unset
            for instr in block.instructions:
                if isinstance(instr, Load) and (key := cells.loaded(instr)) in unset:
                    flagged.add(key)
                    (copied if instr.result in copies else uses).add(instr.result)
                for key, source in cells.changed(instr):
                    flagged |= {source} & unset
                    is_value = isinstance(instr, Store) and instr.value.value in copied
                    (unset.add if is_fill(instr) or source in unset or is_value else unset.discard)(key)
            if unset != unset_after[i]:
                unset_after[i], changed = unset, True
    return uses, flagged


def _flag(
    function: Function,
    cells: Cells,
    flagged: set[str],
    copies: set[str],
    uses: set[str],
    descriptions: list[Global],
) -> None:
    """Add the flags, what sets and copies them, and the calls before uses."""
    flags = {key: f"%emu.set.{key[1:]}" for key in sorted(flagged)}
    known: dict[str, str] = {}  # the descriptions, by cell
    copied: dict[str, str] = {}  # the flags that were loaded, by the values that were, or the flags themselves
    numbers = count()

    def description(key: str) -> str:
        if key not in known:
            cell = cells.known[key]
            text = string_constant(f"{cell.name}::{cell.bytes}")
            made = Global(f"@emu.unset.{len(descriptions)}", "private ", "constant", *text, [])
            descriptions.append(made)
            known[key] = made.name
        return known[key]

    def change(instr: Instruction) -> Iterator[str]:
        if isinstance(instr, Load) and instr.result in uses | copies and (flag := flags.get(cells.loaded(instr))):
            copied[instr.result] = f"%emu.was.{instr.result[1:]}"
            yield f"  {copied[instr.result]} = load i32, ptr {flag}, align 4"
            if instr.result in uses:
                name = description(cells.loaded(instr))
                yield f"  call void {_USE}(i32 {copied.pop(instr.result)}, ptr {name}){instr.line}"
        changes = [(flags[key], source) for key, source in cells.changed(instr) if key in flags]
        for source in {source for _, source in changes if source in flags}:
            copied[source] = f"%emu.was.copied.{next(numbers)}"
            yield f"  {copied[source]} = load i32, ptr {flags[source]}, align 4"
        yield instr.text
        for flag, source in changes:
            value = instr.value.value if isinstance(instr, Store) else source
            is_set = "0" if is_fill(instr) else copied.get(value, "1")
            yield f"  store i32 {is_set}, ptr {flag}, align 4"

    function.rewrite(lambda instr: map(read_instruction, change(instr)))
    entry = function.blocks[0]
    at = max(i for i, instr in enumerate(entry.instructions) if isinstance(instr, Alloca)) + 1
    made = [f"  {flag} = alloca i32, align 4" for flag in flags.values()]
    made += [f"  store i32 1, ptr {flag}, align 4" for flag in flags.values()]
    entry.instructions[at:at] = map(read_instruction, made)
