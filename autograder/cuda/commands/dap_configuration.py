"""Reads an editor's launch configuration: the same words as those of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .debug_recording import Recorder, recorder


@dataclass(frozen=True)
class Configuration:
    """What is debugged: `record` runs the launch; `focus` is the block and the thread to begin with."""

    record: Recorder
    focus: tuple[int, int]
    stops_on_entry: bool


def read_configuration(given: Mapping[str, Any]) -> Configuration:
    """Read a launch request's arguments, and run the launch.

    Raises:
        UsageError: something is missing or wrong; the message says what.
    """
    if not isinstance(given.get("program"), str):
        raise UsageError('The launch configuration names no file: add "program", such as "${file}".')
    is_program = given.get("grid") is None and given.get("block") is None
    options = argparse.Namespace(
        file=Path(given["program"]),
        kernel=_text(given, "kernel"),
        grid=_dims(given, "grid"),
        block=_dims(given, "block"),
        arg=[] if is_program else _texts(given, "args"),
        arguments=_texts(given, "args") if is_program else [],
        launch=_number(given, "launch") or 1,
        shared_mem=_number(given, "sharedMem"),
        seed=_number(given, "seed"),
        folders=[Path(folder) for folder in _texts(given, "include")],
        std=_text(given, "std") or "c++17",
    )
    focus = _dims(given, "focus") or (0, 0)
    if len(focus) != 2:
        raise UsageError('"focus" names a block and a thread by linear index, such as [0, 5].')
    stops = given.get("stopOnEntry") or False
    if not isinstance(stops, bool):
        raise UsageError('"stopOnEntry" must be true or false.')
    return Configuration(recorder(options), (focus[0], focus[1]), stops)


def _text(given: Mapping[str, Any], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise UsageError(f'"{name}" must be a text.')
    return value or None


def _texts(given: Mapping[str, Any], name: str) -> list[str]:
    value = given.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f'"{name}" must be a list of texts.')
    return value


def _number(given: Mapping[str, Any], name: str) -> int:
    value = given.get(name) or 0
    if not isinstance(value, int):
        raise UsageError(f'"{name}" must be an integer.')
    return value


def _dims(given: Mapping[str, Any], name: str) -> tuple[int, ...] | None:
    value = given.get(name)
    if value is None:
        return None
    each = value if isinstance(value, list) else [value]
    if not each or not all(isinstance(item, int) for item in each):
        raise UsageError(f'"{name}" must be an integer or a list of them, such as [4, 2].')
    return tuple(each)
