"""Checks what an answer says of its launch: whether it names only threads, arrays and code that there are.

`cuda/core/protocol.py` checks its form. Beyond both, an answer is believed: see docs/emulator.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from ..compiler.module_info import ModuleInfo
from ..core.answer import AnswerError
from ..core.enumerations import Event
from ..core.launch import Launch
from ..core.records import Answer

#: A local array, or a variable, or a member of one: its name, extents (none: it is no array), and bytes of an element.
#: See `cuda/compiler/passes/local_arrays.py`.
LOCAL = re.compile(r"(\w+(?:\.\w+)*):((?:[1-9]\d{0,17}(?:,[1-9]\d{0,17})*)?):([1-9]\d{0,17})")


def check_answer(answer: Answer, events: np.ndarray, launch: Launch, info: ModuleInfo, arrays: int) -> None:
    """Raise `AnswerError` if `answer`, or a trace's `events`, cannot be about `launch`, with this many `arrays`."""
    blocks, threads = math.prod(launch.grid), math.prod(launch.block)
    ends = {"block": blocks, "owner": blocks, "thread": threads, "variable": arrays, "site": info.image}
    for name, value in _fields(answer):
        if name in ends and value >= ends[name]:
            raise AnswerError(f"there is no {name} {value}")
        if name == "local" and not LOCAL.fullmatch(value):
            raise AnswerError(f"there is no local array {value:.40}")
    if answer.maximum_work and not answer.maximum_work.sites:
        raise AnswerError("a thread that uses memory does so nowhere")
    if len(events) != answer.traced:
        raise AnswerError(f"there are {len(events)} events, not {answer.traced}")
    action, array = events["action"], events["array"]
    is_of_debugger = action >= Event["line"]
    known = (
        (events["block"] < blocks)
        & (events["thread"] < threads)
        & (
            is_of_debugger
            | ((events["owner"] < math.prod(info.cluster or (1, 1, 1))) & (array >= -1) & (array < arrays))
        )
        & (action < (len(Event) if info.debug else Event["line"]))
    )
    if info.debug:
        lines, functions, variables = map(len, (info.debug.lines, info.debug.functions, info.debug.variables))
        numbers = {"line": lines, "enter": functions, "leave": functions, "declare": variables, "set": variables}
        for what, end in (numbers | {"place": arrays}).items():
            known &= (action != Event[what]) | ((array >= 0) & (array < end))
    if not known.all():
        raise AnswerError(f"there is no event such as {np.flatnonzero(~known)[0]}")


def _fields(record: object) -> Iterator[tuple[str, Any]]:
    """The fields of a record, and of all records in it, that are neither records nor lists."""
    for name, value in vars(record).items():
        for item in value if isinstance(value, list) else [value]:
            if is_dataclass(item):
                yield from _fields(item)
            else:
                yield name, item
