"""Lets kernels call virtual functions.

The address of a class's table becomes a number made of its name, which is the same in each kernel of a program: an
object that one kernel makes is one for all. A load of a table's entry becomes the call of a function that compares the
address with that of each entry. So no table is in memory, and an object whose class is the host's is noticed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

from ..ir import (
    AddressStep,
    Function,
    Global,
    Instruction,
    Load,
    Module,
    node_elements,
    read_elements,
    read_instruction,
)
from ..ir.operands import NAME
from .function_pointers import add_functions, refusal

#: Its words are in cuda/report/endings.py.
_REASON = "virtual function"
_REASON_AT = "@emu.no_table"
#: The first of the numbers, and the most bytes of a table.
_FIRST, _ROOM = 0x6000_0000_0000, 1 << 12
#: Tables of classes, and of bases while their object is being made.
_TABLE = re.compile(rf"@_ZT[VC]{NAME}")
_TBAA = re.compile(r", !tbaa !\d+")
#: What clang writes in a function that moves `this` from a base to the class that overrides the base's function.
_TAIL = re.compile(r"^(  (?:%\S+ = )?)tail call ")
#: By the type that is loaded, the function that does it: pointers to functions, or distances to bases.
_READERS = {"ptr": "@emu.virtual.function", "i64": "@emu.virtual.offset"}


def read_tables_by_name(module: Module) -> None:
    """Replace the tables. Run this before `call_by_name`, which replaces the functions that are in them."""
    tables = virtual_tables(module)
    types = set[str]()
    for function in module.functions.values():
        loads = {load.result: load.type for load in _loads_of_entries(module, function)}
        types.update(loads.values())

        def change(instruction: Instruction) -> Iterable[Instruction]:
            if instruction.result in loads:  # noqa: B023
                assert isinstance(instruction, Load)
                reader, pointer = _READERS[instruction.type], instruction.pointer.value
                text = f"  {instruction.result} = call {instruction.type} {reader}(ptr {pointer}){instruction.line}"
            else:
                # ThreadSanitizer's pass takes accesses of an object's pointer to its table for another kind.
                text = with_tables(_TBAA.sub("", _TAIL.sub(r"\1call ", instruction.text)))
            return (instruction if text == instruction.text else read_instruction(text),)

        function.rewrite(change)
    module.items = [item for item in module.items if item not in tables]
    for variable in module.globals.values():
        variable.value = with_tables(variable.value)

    def written(group: str) -> Iterator[str]:
        entries, functions = [entry for table in tables for entry in _entries(table)], set(module.functions)
        for type_ in sorted(types):
            yield from _reader(type_, entries, functions, group)

    if types:
        add_functions(module, written, _REASON_AT, _REASON)


def virtual_tables(module: Module) -> list[Global]:
    """Return the tables of virtual functions that a module has."""
    return [variable for name, variable in module.globals.items() if _TABLE.fullmatch(name)]


def users_of_tables(module: Module) -> Iterator[Instruction]:
    """Return the instructions that name a table, as where an object is constructed."""
    instructions = (i for function in module.functions.values() for i in function.instructions())
    return (instruction for instruction in instructions if _TABLE.search(instruction.text))


def reads_tables(module: Module) -> bool:
    """Return whether a function of a module loads an entry of such a table."""
    return any(True for function in module.functions.values() for _ in _loads_of_entries(module, function))


def with_tables(text: str) -> str:
    """Return the text with numbers instead of the names of tables."""
    return _TABLE.sub(lambda found: f"inttoptr (i64 {_number(found[0])} to ptr)", text) if "@_ZT" in text else text


def _number(table: str) -> int:
    return _FIRST + zlib.crc32(table.encode()) * _ROOM


def _loads_of_entries(module: Module, function: Function) -> Iterator[Load]:
    addresses = set[str]()
    for instruction in function.instructions():
        if isinstance(instruction, AddressStep) and instruction.base.value in addresses:
            addresses.add(instruction.result)
        elif isinstance(instruction, Load):
            if instruction.pointer.value in addresses and instruction.type in _READERS:
                yield instruction
            elif _is_of_object(module, instruction):
                addresses.add(instruction.result)


def _is_of_object(module: Module, load: Load) -> bool:
    """Return whether an object's pointer to its class's table is loaded."""
    node = load.attachment("tbaa")
    return bool(node) and '"vtable pointer"' in module.metadata.get(node_elements(module.metadata[node])[0], "")


def _entries(table: Global) -> Iterator[tuple[int, str]]:
    """Return the address and the value of each entry."""
    return ((_number(table.name) + 8 * n, value) for n, value in enumerate(_values(table.type, table.value)))


def _values(type_: str, value: str) -> Iterator[str]:
    if value == "zeroinitializer":
        yield from ["null"] * int(type_[1:].split(" ")[0])
    elif value[0] in "[{":
        for element in read_elements(value):
            yield from _values(element.type, element.value)
    else:
        yield value


def _reader(type_: str, entries: Iterable[tuple[int, str]], functions: set[str], group: str) -> Iterator[str]:
    """Yield a function that returns what is at the address of an entry."""
    yield f"define internal {type_} {_READERS[type_]}(ptr %0) {group} {{"
    for n, (address, value) in enumerate(entries):
        if (type_ == "ptr") != value.startswith("@"):
            continue
        yield f"  %is.{n} = icmp eq ptr %0, inttoptr (i64 {address} to ptr)"
        yield f"  br i1 %is.{n}, label %held.{n}, label %next.{n}"
        yield ""
        yield f"held.{n}:"
        if type_ == "ptr":
            yield f"  ret ptr {value if value in functions else 'null'}"
        else:
            yield f"  ret i64 ptrtoint (ptr {value} to i64)"
        yield ""
        yield f"next.{n}:"
    yield from refusal(_REASON_AT)
