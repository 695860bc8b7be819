"""What the emulator's runtime is asked and what it answers: `emulator/protocol.json`, for Python.

The C++ side is made from the same text, see `compiler/protocol_header.py`.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

#: The description itself, as plain data.
DESCRIPTION: dict[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("emulator/protocol.json").read_text(encoding="utf-8")
)
CONSTANTS: dict[str, int] = {name: value for name, value, _ in DESCRIPTION["constants"]}


def _enumeration(name: str) -> type[IntEnum]:
    return cast(type[IntEnum], IntEnum(name, DESCRIPTION["enumerations"][name]["members"]))


Status = _enumeration("Status")
Schedule = _enumeration("Schedule")
Space = _enumeration("Space")
Action = _enumeration("Action")
Event = _enumeration("Event")
Wait = _enumeration("Wait")

# By type: how `struct` and, with the number of bytes, numpy spell it.
_NUMBERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i", "i64": "q"}


class Type(NamedTuple):
    """The type of a field: `length` of `name`, a number, an enumeration or a struct."""

    name: str
    length: int = 1


def field_type(text: str) -> Type:
    """`text` as protocol.json spells a type, "u64[3]" for example."""
    match = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", text)
    assert match, f"protocol.json: {text!r} is no type"
    return Type(match[1], int(match[2] or 1))


@cache
def fields(record: str) -> dict[str, Type]:
    """The fields of a struct, in their order."""
    return {name: field_type(text) for name, text, _ in DESCRIPTION["structs"][record]["fields"]}


def number(type_name: str) -> str | None:
    """The number in which a value of this type is kept, "u8" to "i64"; None of a struct."""
    if type_name in DESCRIPTION["structs"]:
        return None
    enumeration = DESCRIPTION["enumerations"].get(type_name)
    return str(enumeration["type"]) if enumeration else type_name


@cache
def dtype(record: str) -> np.dtype[Any]:
    """The layout of a struct of numbers."""
    out = []
    for name, type_ in fields(record).items():
        kind = number(type_.name)
        assert kind, f"{record}.{name} is a struct"
        out.append((name, f"<{kind[0]}{int(kind[1:]) // 8}", (type_.length,) * (type_.length > 1)))
    return np.dtype(out)


def pack(record: str, values: Mapping[str, Any]) -> bytes:
    """A struct of these values, by the names of its fields."""
    return _layout(record).pack(*_flat(Type(record), values))


def pack_request(
    head: Mapping[str, Any],
    variables: Sequence[Mapping[str, Any]],
    arguments: Sequence[Mapping[str, Any]],
    argument_bytes: bytes,
) -> bytes:
    """The whole request. `head` are the fields of `Request` but for its magic number and what it counts."""
    counted = {"n_variables": len(variables), "n_args": len(arguments), "args_bytes": len(argument_bytes)}
    parts = [pack("Request", {**head, **counted, "magic": CONSTANTS["REQUEST_MAGIC"]})]
    parts += [pack("Variable", variable) for variable in variables]
    parts += [pack("Argument", argument) for argument in arguments]
    return b"".join([*parts, argument_bytes])


@cache
def _layout(record: str) -> struct.Struct:
    return struct.Struct("<" + "".join(_codes(Type(record))))


def _codes(type_: Type) -> Iterator[str]:
    kind = number(type_.name)
    for _ in range(type_.length):
        if kind:
            yield _NUMBERS[kind]
        else:
            for field in fields(type_.name).values():
                yield from _codes(field)


def _flat(type_: Type, value: Any) -> Iterator[int]:
    if type_.length > 1:
        assert len(value) == type_.length
        for one in value:
            yield from _flat(Type(type_.name), one)
    elif type_.name in DESCRIPTION["structs"]:
        known = fields(type_.name)
        assert value.keys() == known.keys(), f"{type_.name} has no, or lacks, {value.keys() ^ known.keys()}"
        for name, field in known.items():
            yield from _flat(field, value[name])
    else:
        yield value
