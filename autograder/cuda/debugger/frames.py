"""The calls that a thread is in at a moment, and its variables there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.debug_info import DebugInfo, Variable
from .recording import DECLARE, ENTER, EXIT, LEAVE, LINE, SET, ThreadEvents


@dataclass(frozen=True)
class Frame:
    """A call of a function, the `depth`-th: it is at `line` (0: the kernel's end), in `scope`. Its events begin after
    the thread's event `entered`."""

    function: str
    depth: int
    line: int
    scope: int
    entered: int


@dataclass(frozen=True)
class Held:
    """A variable and what it holds: its bytes, and which of them were written. Before its declaration, `address` is
    0."""

    variable: Variable
    raw: np.ndarray
    known: np.ndarray
    address: int


def has_ended(own: ThreadEvents, at: int) -> bool:
    """Whether a thread has ended before position `at`, or is about to."""
    n = own.before(at)
    return n >= len(own.actions) - 1 and bool(len(own.actions)) and own.actions[-1] == EXIT


def frames(own: ThreadEvents, at: int, info: DebugInfo) -> list[Frame]:
    """The calls that a thread is in before position `at`, the latest first; the kernel's own if it has not begun. None
    if it has ended, or nothing of it is known."""
    n = own.before(at)
    if not len(np.flatnonzero(own.actions == ENTER)) or has_ended(own, at):
        return []
    if n == 0:  # it has not begun: it is where it will
        n = own.before(int(own.begun_lines()[0]))
    depth = (
        int(own.depths[n])
        if n < len(own.depths)
        else int(own.depths[-1]) + int(own.actions[-1] == ENTER) - int(own.actions[-1] == LEAVE)
    )
    found = []
    for each in range(max(depth, 1), 0, -1):
        entered = np.flatnonzero((own.actions[:n] == ENTER) & (own.depths[:n] == each - 1))
        if not len(entered):
            continue
        begin = int(entered[-1])
        end = n + 1 if each == depth and n < len(own.actions) else n
        lines = np.flatnonzero((own.actions[begin:end] == LINE) & (own.depths[begin:end] == each))
        last = begin + int(lines[-1]) if len(lines) else begin
        line, scope = int(own.events["line"][last]), -1
        if own.actions[last] == LINE:
            line, scope = info.lines[own.events["array"][last]]
        elif len(following := np.flatnonzero((own.actions[n:] == LINE) & (own.depths[n:] == each))):
            line, scope = info.lines[own.events["array"][n + int(following[0])]]  # its parameters are being set
        found.append(Frame(info.functions[own.events["array"][begin]], each, line, scope, begin))
    return found


def variables(own: ThreadEvents, at: int, frame: Frame, info: DebugInfo) -> list[Held]:
    """The variables that are in scope in a call, in the order of the text."""
    n = own.before(at)
    e = own.events[frame.entered : n]
    e = e[(e["owner"] == frame.depth) & np.isin(e["action"], (DECLARE, SET))]
    found: dict[str, Held] = {}
    for number, variable in enumerate(info.variables):
        if frame.scope >= 0 and info.encloses(variable.scope, frame.scope):
            found.pop(variable.name, None)  # that of a scope around it is hidden
            found[variable.name] = _held(e[e["array"] == number], variable, info.types[variable.type].bytes)
    return list(found.values())


def _held(e: np.ndarray, variable: Variable, size: int) -> Held:
    raw, known = np.zeros(size, np.uint8), np.zeros(size, bool)
    declared = np.flatnonzero(e["action"] == DECLARE)
    if not len(declared):
        return Held(variable, raw, known, 0)
    for one in e[declared[-1] + 1 :]:
        begin, length = int(one["offset"]), int(one["size"])
        raw[begin : begin + length], known[begin : begin + length] = one["value"][:length], True
    return Held(variable, raw, known, int(e["offset"][declared[-1]]))
