"""Reads the answers of the emulator's runtime, as `cuda/emulator/protocol.json` describes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import IntEnum
from functools import cache
from typing import Any

from . import enumerations, records
from .protocol import DESCRIPTION, Type, fields
from .records import Answer


class AnswerError(Exception):
    """A launch left no answer, or none that can be right; the message is half a sentence on why."""


def read_answer(text: bytes) -> Answer:
    """The `Answer` that the runtime sent.

    Raises:
        AnswerError: it does not match protocol.json.
    """
    try:
        answer: Answer = _reader(Type("Answer"))(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"it is no JSON: {error}") from None
    except _Mistake as mistake:
        raise AnswerError(f"answer{mistake}") from None
    return answer


def broken_answer() -> Answer:
    """The answer that stands for one that is missing or wrong: the launch crashed, and nothing else is known."""
    stop = {"kind": "Crash", "reason": "no answer", "at": None}
    answer: Answer = _reader(Type("Answer"))({**_nothing(Type("Answer")), "stop": stop})
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
    read_item = _reader_of_one(type_.name)
    if type_.form == "one":
        return read_item
    if type_.form == "optional":
        return lambda value: None if value is None else read_item(value)

    def read_list(value: Any) -> list[Any]:
        _demand(value, list, "list")
        out = []
        for i, item in enumerate(value):
            try:
                out.append(read_item(item))
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
    members: dict[int, IntEnum] = {member.value: member for member in getattr(enumerations, name)}

    def read_member(value: Any) -> IntEnum:
        if type(value) is int and value in members:
            return members[value]
        raise _Mistake(f" is {value!r:.40}, no {name}")

    return read_member


def _reader_of_union(name: str) -> Callable[[Any], Any]:
    readers = {record: _reader(Type(record)) for record in DESCRIPTION["unions"][name]}

    def read_union(value: Any) -> Any:
        kind = _demand(value, dict, name).get("kind")
        if not isinstance(kind, str) or kind not in readers:
            raise _Mistake(f".kind is {kind!r:.40}, no {name}")
        return readers[kind]({field: value[field] for field in value if field != "kind"})

    return read_union


def _reader_of_record(name: str) -> Callable[[Any], Any]:
    readers = {field: _reader(type_) for field, type_ in fields(name).items()}
    record = getattr(records, name)

    def read_record(value: Any) -> Any:
        if _demand(value, dict, name).keys() != readers.keys():
            raise _Mistake(f" has no, or lacks, {', '.join(sorted(value.keys() ^ readers.keys())):.80}")
        out = {}
        for field, read in readers.items():
            try:
                out[field] = read(value[field])
            except _Mistake as mistake:
                raise _Mistake(f".{field}{mistake}") from None
        return record(**out)

    return read_record
