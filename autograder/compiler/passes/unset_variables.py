"""Reports a use of a number or pointer that its thread has not set on the path taken.

clang fills a variable that is declared without a value (`-ftrivial-auto-var-init=pattern`). If some path may use it so,
a flag beside it says whether it is set, and a call before each such use passes the flag on. Nearly always no path does,
and nothing is added.

A copy to another variable of the function is no use: it copies the flag. Nor is a shuffle, which also gets the values
of lanes that nobody asks for. A variable whose address is taken is left to `local_arrays.py`, since others may set it;
structs are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import (
    Alloca,
    Call,
    DebugRecord,
    Function,
    Global,
    Instruction,
    Load,
    Module,
    Store,
    field,
    read_instruction,
    string_constant,
    variables,
)
from ..ir.flow import predecessors, successors
from .first_values import is_no_use

#: Types of numbers and pointers, and their bytes.
SCALARS = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "ptr": 8}
_USE = "@emu_local_use"
_DECLARATION = {_USE: f"declare void {_USE}(i32, ptr)"}
#: What exchanges values between the lanes of a warp.
_EXCHANGE = "@emu_warp_exchange"


def report_unset_variables(module: Module) -> None:
    """Give the variables of the text that may be used before they are set their flags and calls."""
    descriptions: list[Global] = []
    exchanges: set[str] | None = None
    for function in module.functions.values():
        if not module.has_attribute(function, "sanitize_thread") or not any(map(is_fill, function.instructions())):
            continue
        own = own_variables(function)
        if not _unset_uses(function, own, set())[0]:
            continue
        exchanges = _exchanges(module) if exchanges is None else exchanges
        names = _names(function, module)
        copies = _copies(function, own.keys() & names.keys(), exchanges)
        uses, flagged = _unset_uses(function, own, copies)
        if uses:
            _flag(function, {name: own[name] for name in flagged}, names, copies, uses, descriptions)
    if descriptions:
        module.items += [*descriptions, ""]
        module.declare(_DECLARATION)


def is_fill(instruction: Instruction) -> bool:
    """Whether this is the compiler's own fill of a variable without a value."""
    return isinstance(instruction, Store) and "!annotation" in instruction.attachments


def own_variables(function: Function) -> dict[str, Alloca]:
    """The function's numbers and pointers that nobody else can reach, by their names in the IR."""
    own = {
        one.result: one
        for one in function.blocks[0].instructions
        if isinstance(one, Alloca) and not one.count and one.type in SCALARS
    }
    for one in function.instructions():
        if (isinstance(one, Load) and not one.volatile) or isinstance(one, DebugRecord | Alloca) or is_no_use(one):
            continue
        if isinstance(one, Store) and not one.volatile:
            own.pop(one.value.value, None)
        else:
            for name in variables(one.text):
                own.pop(name, None)
    return own


def _names(function: Function, module: Module) -> dict[str, str]:
    """The names in the source of the function's variables."""
    return {
        record.pointer.value: field(module.metadata[record.variable], "name")
        for record in function.instructions()
        if isinstance(record, DebugRecord)
    }


def _exchanges(module: Module) -> set[str]:
    """The prelude's functions that pass on values of other lanes."""
    calls = {
        name: {one.callee for one in function.instructions() if isinstance(one, Call)}
        for name, function in module.functions.items()
        if not module.has_attribute(function, "sanitize_thread")
    }
    found: set[str] = set()
    more = {_EXCHANGE}
    while more:
        more = {name for name, called in calls.items() if called & more} - found
        found |= more
    return found


def _copies(function: Function, own: set[str], exchanges: set[str]) -> set[str]:
    """The loads, by their results, whose values go to variables with a name and to shuffles only."""
    loads = {one.result for one in function.instructions() if isinstance(one, Load) and one.pointer.value in own}
    for one in function.instructions():
        copies = isinstance(one, Store) and one.pointer.value in own
        if not copies and not (isinstance(one, Call) and one.callee in exchanges):
            loads -= variables(one.text) - {one.result}
    return loads


def _unset_uses(function: Function, own: dict[str, Alloca], copies: set[str]) -> tuple[set[str], set[str]]:
    """The loads, by their results, that may use a variable that is not set; and the variables that may ever be so where
    they are used or copied."""
    before = predecessors(successors(function))
    unset_behind: list[set[str] | None] = [None] * len(function.blocks)  # None: not reached yet
    uses: set[str] = set()
    flagged: set[str] = set()
    changed = True
    while changed:
        changed = False
        for i, block in enumerate(function.blocks):
            unset = set[str]().union(*(those for b in before[i] if (those := unset_behind[b]) is not None))
            copied: set[str] = set()  # loads of what may be unset
            for one in block.instructions:
                if isinstance(one, Load) and one.pointer.value in unset:
                    flagged.add(one.pointer.value)
                    (copied if one.result in copies else uses).add(one.result)
                elif isinstance(one, Store) and one.pointer.value in own:
                    is_set = not is_fill(one) and one.value.value not in copied
                    (unset.discard if is_set else unset.add)(one.pointer.value)
            if unset != unset_behind[i]:
                unset_behind[i], changed = unset, True
    return uses, flagged


def _flag(
    function: Function,
    flagged: dict[str, Alloca],
    names: dict[str, str],
    copies: set[str],
    uses: set[str],
    descriptions: list[Global],
) -> None:
    """Add the flags, what sets and copies them, and the calls before uses."""
    flags = {name: f"%emu.set.{name[1:]}" for name in flagged}
    known: dict[str, str] = {}  # the descriptions, by variable
    copied: dict[str, str] = {}  # the flags that were loaded, by the values that were

    def description(name: str) -> str:
        if name not in known:
            text = f"{names[name]}::{SCALARS[flagged[name].type]}"
            made = Global(f"@emu.unset.{len(descriptions)}", "private ", "constant", *string_constant(text), [])
            descriptions.append(made)
            known[name] = made.name
        return known[name]

    def change(one: Instruction) -> Iterator[str]:
        if isinstance(one, Load) and one.result in uses | copies and (flag := flags.get(one.pointer.value)):
            copied[one.result] = f"%emu.was.{one.result[1:]}"
            yield f"  {copied[one.result]} = load i32, ptr {flag}, align 4"
            if one.result in uses:
                name = description(one.pointer.value)
                yield f"  call void {_USE}(i32 {copied.pop(one.result)}, ptr {name}){one.line}"
        yield one.text
        if isinstance(one, Store) and (flag := flags.get(one.pointer.value)):
            is_set = "0" if is_fill(one) else copied.get(one.value.value, "1")
            yield f"  store i32 {is_set}, ptr {flag}, align 4"

    function.rewrite(lambda one: map(read_instruction, change(one)))
    entry = function.blocks[0]
    at = max(i for i, one in enumerate(entry.instructions) if isinstance(one, Alloca)) + 1
    made = [f"  {flag} = alloca i32, align 4" for flag in flags.values()]
    made += [f"  store i32 1, ptr {flag}, align 4" for flag in flags.values()]
    entry.instructions[at:at] = map(read_instruction, made)
