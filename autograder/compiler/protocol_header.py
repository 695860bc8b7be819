"""The C++ side of `emulator/protocol.json`: headers with its constants, enumerations and structs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..core.protocol import DESCRIPTION, fields, number

#: The enumerations of which CUDA's headers tell the runtime; in C++ that a student's text sees, too.
_IN_PRELUDE = ("Wait",)


def write_headers(folder: Path) -> None:
    """Write what the runtime includes into `folder`: protocol.h, and the prelude's part of it."""
    (folder / "protocol.h").write_text("\n".join(_header()) + "\n")
    (folder / "prelude_protocol.h").write_text("\n".join(_prelude()) + "\n")


def _header() -> Iterator[str]:
    yield "// Made from protocol.json."
    yield "#pragma once"
    yield '#include "types.h"'
    for name, value, about in DESCRIPTION["constants"]:
        yield f"constexpr u64 {name} = {value};  // {about}"
    for name, enumeration in DESCRIPTION["enumerations"].items():
        members = ", ".join(f"{_camel(member)} = {value}" for member, value in enumeration["members"].items())
        yield f"// {enumeration['about']}"
        yield f"enum class {name} : {enumeration['type']} {{ {members} }};"
    for name in DESCRIPTION["structs"]:
        yield from _struct(name)


def _struct(name: str) -> Iterator[str]:
    yield f"// {DESCRIPTION['structs'][name]['about']}"
    yield f"struct {name} {{"
    for field, text, about in DESCRIPTION["structs"][name]["fields"]:
        type_, bracket, count = text.partition("[")
        yield f"    {type_} {field}{bracket}{count};{'  // ' if about else ''}{about}"
    yield "};"
    # As the other side packs it, which knows no padding.
    at = 0
    for field, type_ in fields(name).items():
        yield f"static_assert(__builtin_offsetof({name}, {field}) == {at});"
        at += type_.length * _size(type_.name)
    yield f"static_assert(sizeof({name}) == {at});"


def _size(type_name: str) -> int:
    kind = number(type_name)
    if kind:
        return int(kind[1:]) // 8
    return sum(field.length * _size(field.name) for field in fields(type_name).values())


def _prelude() -> Iterator[str]:
    yield "// Made from protocol.json."
    yield "#pragma once"
    for name in _IN_PRELUDE:
        members = DESCRIPTION["enumerations"][name]["members"]
        spelled = ", ".join(f"EMU_{name}_{member} = {value}".upper() for member, value in members.items())
        yield f"enum {{ {spelled} }};"


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
