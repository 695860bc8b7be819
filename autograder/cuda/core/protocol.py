"""The requests to the emulator's runtime and its answers: `cuda/emulator/protocol.json`, for Python.

The C++ side is made from the same text, see `cuda/compiler/protocol_header.py`.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np

#: The description itself, as plain data.
DESCRIPTION: dict[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("emulator/protocol.json").read_text(encoding="utf-8")
)
CONSTANTS: dict[str, int] = {name: value for name, value, _ in DESCRIPTION["constants"]}


@cache
def _enumeration(name: str) -> type[IntEnum]:
    return cast(type[IntEnum], IntEnum(name, DESCRIPTION["enumerations"][name]["members"]))


Status = _enumeration("Status")
Schedule = _enumeration("Schedule")
Space = _enumeration("Space")
Ablation = _enumeration("Ablation")
Substitute = _enumeration("Substitute")
Action = _enumeration("Action")
Event = _enumeration("Event")
Wait = _enumeration("Wait")
Unawaited = _enumeration("Unawaited")

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
        for one in value:
            yield from _flat(Type(type_.name), one)
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


# ---- the answer -----------------------------------------------------------------------------------------------------


class Record(SimpleNamespace):
    """A record of the answer. Its attributes are the fields that protocol.json lists; an enumeration's numbers become
    its members, lists stay lists, and null becomes None. A member of a union also has `kind`, the record's name."""


class AnswerError(Exception):
    """A launch left no answer, or none that can be right; the message is half a sentence on why."""


def read_answer(text: bytes) -> Record:
    """The `Answer` that the runtime sent.

    Raises:
        AnswerError: it does not match protocol.json.
    """
    try:
        answer: Record = _reader(Type("Answer"))(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"it is no JSON: {error}") from None
    except _Mistake as mistake:
        raise AnswerError(f"answer{mistake}") from None
    return answer


def broken_answer() -> Record:
    """The answer that stands for one that is missing or wrong: the launch crashed, and nothing else is known."""
    stop = {"kind": "Crash", "reason": "no answer", "at": None}
    answer: Record = _reader(Type("Answer"))({**_nothing(Type("Answer")), "stop": stop})
    return answer


def _nothing(type_: Type) -> Any:
    """A value of this type with nothing in it, as JSON has it."""
    if type_.form != "one":
        return [] if type_.form == "list" else None
    if type_.name in DESCRIPTION["records"]:
        return {name: _nothing(field) for name, field in fields(type_.name).items()}
    return {"text": "", "bool": False}.get(type_.name, 0)


class _Mistake(Exception):
    """What is wrong with a value: the path to it, and the problem."""


@cache
def _reader(type_: Type) -> Callable[[Any], Any]:
    one = _reader_of_one(type_.name)
    if type_.form == "one":
        return one
    if type_.form == "optional":
        return lambda value: None if value is None else one(value)

    def read_list(value: Any) -> list[Any]:
        _demand(value, list, "list")
        out = []
        for i, item in enumerate(value):
            try:
                out.append(one(item))
            except _Mistake as mistake:
                raise _Mistake(f"[{i}]{mistake}") from None
        return out

    return read_list


def _reader_of_one(name: str) -> Callable[[Any], Any]:
    if name in DESCRIPTION["enumerations"]:
        return _reader_of_enumeration(name)
    if name in DESCRIPTION["unions"]:
        return _reader_of_union(name)
    if name in DESCRIPTION["records"]:
        return _reader_of_record(name)
    if name == "bool":
        return lambda value: _demand(value, bool, name)
    if name == "text":
        return _read_text
    bits = int(name[1:])
    low, high = (-1 << bits - 1, 1 << bits - 1) if name[0] == "i" else (0, 1 << bits)

    def read_number(value: Any) -> int:
        if type(value) is int and low <= value < high:
            return value
        raise _Mistake(f" is {value!r:.40}, no {name}")

    return read_number


def _demand(value: Any, python: type, name: str) -> Any:
    if type(value) is not python:
        raise _Mistake(f" is {value!r:.40}, no {name}")
    return value


def _read_text(value: Any) -> str:
    text: str = _demand(value, str, "text")
    if max(text, default="") > "\xff":
        raise _Mistake(f" is {text!a:.40}, no text")
    return text


def _reader_of_enumeration(name: str) -> Callable[[Any], IntEnum]:
    members = {member.value: member for member in _enumeration(name)}

    def read_member(value: Any) -> IntEnum:
        if type(value) is int and value in members:
            return members[value]
        raise _Mistake(f" is {value!r:.40}, no {name}")

    return read_member


def _reader_of_union(name: str) -> Callable[[Any], Record]:
    readers = {record: _reader(Type(record)) for record in DESCRIPTION["unions"][name]}

    def read_union(value: Any) -> Record:
        kind = _demand(value, dict, name).get("kind")
        if not isinstance(kind, str) or kind not in readers:
            raise _Mistake(f".kind is {kind!r:.40}, no {name}")
        record: Record = readers[kind]({field: value[field] for field in value if field != "kind"})
        record.kind = kind
        return record

    return read_union


def _reader_of_record(name: str) -> Callable[[Any], Record]:
    readers = {field: _reader(type_) for field, type_ in fields(name).items()}

    def read_record(value: Any) -> Record:
        if _demand(value, dict, name).keys() != readers.keys():
            raise _Mistake(f" has no, or lacks, {', '.join(sorted(value.keys() ^ readers.keys())):.80}")
        out = {}
        for field, read in readers.items():
            try:
                out[field] = read(value[field])
            except _Mistake as mistake:
                raise _Mistake(f".{field}{mistake}") from None
        return Record(**out)

    return read_record
