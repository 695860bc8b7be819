"""Generates the C++ side of `emulator/protocol.json`: its constants, enumerations, structs, and records, and code that
writes a record as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.protocol import DESCRIPTION, Type, field_type, fields, number

#: Enumerations that CUDA's headers use to tell the runtime something; student code sees them, too.
_IN_PRELUDE = ("Wait",)
_PARTS = """\
// Made from protocol.json.
#pragma once
#include "types.h"
// What is not copied: it has to stay until the answer is sent.
struct Text {
    const char* start;
    u64 length;
    constexpr Text() : start(""), length(0) {}
    Text(const char* text) : start(text), length(__builtin_strlen(text)) {}
    Text(const char* start, u64 length) : start(start), length(length) {}
};
template <class T> struct Span {
    const T* items;
    u64 count;
};"""


def write_headers(folder: Path) -> None:
    """Write the headers that are generated from protocol.json into `folder`: protocol.h, the prelude's part of it, and
    protocol_json.h."""
    for name, lines in (("protocol.h", _header()), ("prelude_protocol.h", _prelude()), ("protocol_json.h", _json())):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


# ---- the types ------------------------------------------------------------------------------------------------------


def _header() -> Iterator[str]:
    yield _PARTS
    for name, value, about in DESCRIPTION["constants"]:
        yield f"constexpr u64 {name} = {value};  // {about}"
    for name, enumeration in DESCRIPTION["enumerations"].items():
        members = ", ".join(
            f"{member.title().replace('_', '')} = {value}" for member, value in enumeration["members"].items()
        )
        yield f"// {enumeration['about']}"
        yield f"enum class {name} : {enumeration['type']} {{ {members} }};"
    for name, struct in DESCRIPTION["structs"].items():
        yield from _struct(name, struct)
        # The Python side packs structs without padding.
        at = 0
        for field, type_ in fields(name).items():
            yield f"static_assert(__builtin_offsetof({name}, {field}) == {at});"
            at += _size(type_)
        yield f"static_assert(sizeof({name}) == {at});"
    for name, members in DESCRIPTION["unions"].items():
        yield from _union(name, members)
    for name, record in DESCRIPTION["records"].items():
        yield from _struct(name, record)


def _struct(name: str, described: dict[str, Any]) -> Iterator[str]:
    about = described["about"]
    yield from (f"// {line}".rstrip() for line in ([about] if isinstance(about, str) else about))
    yield f"struct {name} {{"
    for field, text, about in described["fields"]:
        yield f"    {_declared(field_type(text), field)};{'  // ' if about else ''}{about}"
    yield "};"


def _declared(type_: Type, field: str) -> str:
    match type_.form:
        case "array":
            return f"{type_.name} {field}[{type_.length}]"
        case "list":
            return f"Span<{type_.name}> {field}"
        case "optional":
            return f"const {type_.name}* {field}"
        case _:
            return f"{'Text' if type_.name == 'text' else type_.name} {field}"


def _union(name: str, members: list[str]) -> Iterator[str]:
    """A reference to one of several records."""
    yield from (f"struct {member};" for member in members)
    yield f"struct {name} {{"
    yield f"    enum class Kind : u8 {{ {', '.join(members)} }} kind;"
    yield "    const void* record;"
    yield from (f"    {name}(const ::{m}& record) : kind(Kind::{m}), record(&record) {{}}" for m in members)
    yield "};"


def _size(type_: Type) -> int:
    kind = number(type_.name)
    return type_.length * (int(kind[1:]) // 8 if kind else sum(map(_size, fields(type_.name).values())))


def _prelude() -> Iterator[str]:
    yield "// Made from protocol.json."
    yield "#pragma once"
    for name in _IN_PRELUDE:
        members = DESCRIPTION["enumerations"][name]["members"]
        spelled = ", ".join(f"EMU_{name}_{member} = {value}".upper() for member, value in members.items())
        yield f"enum {{ {spelled} }};"


# ---- the answer -----------------------------------------------------------------------------------------------------


def _json() -> Iterator[str]:
    """A function `put` for each record and each union."""
    yield "// Made from protocol.json: writes a record as JSON."
    yield "#pragma once"
    yield '#include "launch/json.h"'
    yield '#include "protocol.h"'
    unions, records = DESCRIPTION["unions"], DESCRIPTION["records"]
    yield from (f"static void put(const {name}&);" for name in [*unions, *records])
    for name in records:
        of_union = any(name in members for members in unions.values())
        yield f"static void put(const {name}& r) {{"
        before = f'{{"kind":"{name}",' if of_union else "{"
        for field, type_ in fields(name).items():
            literal = json.dumps(f'{before}"{field}":')  # as C++ spells it
            yield f"    put_json({literal});"
            yield f"    {_put(type_, f'r.{field}')};"
            before = ","
        yield '    put_json("}");'
        yield "}"
    for name, members in unions.items():
        yield f"static void put(const {name}& r) {{"
        yield "    switch (r.kind) {"
        yield from (f"    case {name}::Kind::{m}: return put(*(const {m}*)r.record);" for m in members)
        yield "    }"
        yield "}"


def _put(type_: Type, value: str) -> str:
    if type_.form == "list":
        return f"put_list({value}.items, {value}.count)"
    if type_.form == "optional":
        return f"put_optional({value})"
    if type_.name in DESCRIPTION["enumerations"]:
        return f"put_json(u64({value}))"
    if type_.name in ("bool", "text"):
        return f"put_json({value})"
    kind = number(type_.name)
    return f"put_json({'i64' if kind[0] == 'i' else 'u64'}({value}))" if kind else f"put({value})"
