"""The requests to the emulator's runtime: `cuda/emulator/protocol.json`, for Python. `answer.py` reads its answers.

The C++ side is made from the same text, see `cuda/compiler/protocol_header.py`.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

#: The description itself, as plain data.
DESCRIPTION: dict[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("emulator/protocol.json").read_text(encoding="utf-8")
)
CONSTANTS: dict[str, int] = {name: value for name, value, _ in DESCRIPTION["constants"]}


# By type: its code in `struct`.
_NUMBERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i", "i64": "q"}


class Type(NamedTuple):
    """The type of a field: `name` by itself, an "array" of `length` of them, a "list" of any number, or "optional"."""

    name: str
    form: str = "one"
    length: int = 1


def field_type(text: str) -> Type:
    """Parse a type as protocol.json spells it: "u64", "u64[3]", "Race[]" or "Location?"."""
    match = re.fullmatch(r"(\w+)(?:\[(\d*)\]|(\?))?", text)
    assert match, f"protocol.json: {text!r} is no type"
    name, length, optional = match.groups()
    form = "optional" if optional else "one" if length is None else "array" if length else "list"
    return Type(name, form, int(length or 1))


@cache
def fields(name: str) -> dict[str, Type]:
    """The fields of a struct or a record, in their order."""
    described = (DESCRIPTION["structs"] | DESCRIPTION["records"])[name]
    return {field: field_type(text) for field, text, _ in described["fields"]}


def number(type_name: str) -> str | None:
    """The number type that stores a value of this type, "u8" to "i64"; None if it is not a number."""
    enumeration = DESCRIPTION["enumerations"].get(type_name)
    name = str(enumeration["type"]) if enumeration else type_name
    return name if name in _NUMBERS else None


# ---- the request and the trace --------------------------------------------------------------------------------------


@cache
def dtype(record: str) -> np.dtype[Any]:
    """The layout of a struct of numbers."""
    out = []
    for name, type_ in fields(record).items():
        kind = number(type_.name)
        assert kind, f"{record}.{name} is no number"
        out.append((name, f"<{kind[0]}{int(kind[1:]) // 8}", (type_.length,) * (type_.length > 1)))
    return np.dtype(out)


def pack(record: str, values: Mapping[str, Any]) -> bytes:
    """Pack a struct; `values` are by the names of its fields."""
    return _layout(record).pack(*_flat(Type(record), values))


def pack_request(
    head: Mapping[str, Any],
    variables: Sequence[Mapping[str, Any]],
    ignored: Sequence[Mapping[str, Any]],
    chosen: Sequence[int],
    arguments: Sequence[Mapping[str, Any]],
    argument_bytes: bytes,
    child_uses: Sequence[Mapping[str, Any]] = (),
) -> bytes:
    """The whole request, so long that another may follow. `head` has the fields of `Request`, except for its magic
    number, its counts, and how long it is."""
    parts = [pack("Variable", variable) for variable in variables]
    parts += [pack("CodeRange", code) for code in ignored]
    parts.append(struct.pack(f"<{len(chosen)}Q", *chosen))
    parts += [pack("ChildUse", use) for use in child_uses]
    parts += [pack("Argument", argument) for argument in arguments]
    argument_bytes += bytes(-len(argument_bytes) % 8)
    rest = b"".join([*parts, argument_bytes])
    counted = {
        "n_variables": len(variables),
        "n_ignored": len(ignored),
        "n_chosen": len(chosen),
        "n_child_uses": len(child_uses),
        "n_args": len(arguments),
        "args_bytes": len(argument_bytes),
        "next": _layout("Request").size + len(rest),
    }
    return pack("Request", {**head, **counted, "magic": CONSTANTS["REQUEST_MAGIC"]}) + rest


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
    if type_.form == "array":
        assert len(value) == type_.length
        for item in value:
            yield from _flat(Type(type_.name), item)
    elif type_.name in DESCRIPTION["structs"]:
        known = fields(type_.name)
        assert value.keys() == known.keys(), f"{type_.name} has no, or lacks, {value.keys() ^ known.keys()}"
        for name, field in known.items():
            if field.form == "one" and field.name not in DESCRIPTION["structs"]:  # nearly all, and faster so
                yield value[name]
            else:
                yield from _flat(field, value[name])
    else:
        yield value
