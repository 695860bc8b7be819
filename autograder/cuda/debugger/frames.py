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


def has_ended(thread: ThreadEvents, at: int) -> bool:
    """Return whether a thread has ended before position `at`, or is about to."""
    n = thread.before(at)
    return n >= len(thread.actions) - 1 and bool(len(thread.actions)) and thread.actions[-1] == EXIT


def frames(thread: ThreadEvents, at: int, info: DebugInfo) -> list[Frame]:
    """Return the calls that a thread is in before position `at`, the latest first; the kernel's own if it has not
    begun. None if it has ended, or nothing of it is known."""
    n = thread.before(at)
    if not len(np.flatnonzero(thread.actions == ENTER)) or has_ended(thread, at):
        return []
    if n == 0:  # it has not begun: it is where it will
        n = thread.before(int(thread.begun_lines()[0]))
    depth = (
        int(thread.depths[n])
        if n < len(thread.depths)
        else int(thread.depths[-1]) + int(thread.actions[-1] == ENTER) - int(thread.actions[-1] == LEAVE)
    )
    found = []
    for each in range(max(depth, 1), 0, -1):
        entered = np.flatnonzero((thread.actions[:n] == ENTER) & (thread.depths[:n] == each - 1))
        if not len(entered):
            continue
        begin = int(entered[-1])
        end = n + 1 if each == depth and n < len(thread.actions) else n
        lines = np.flatnonzero((thread.actions[begin:end] == LINE) & (thread.depths[begin:end] == each))
        last = begin + int(lines[-1]) if len(lines) else begin
        line, scope = int(thread.events["line"][last]), -1
        if thread.actions[last] == LINE:
            line, scope = info.lines[thread.events["array"][last]]
        elif len(following := np.flatnonzero((thread.actions[n:] == LINE) & (thread.depths[n:] == each))):
            line, scope = info.lines[thread.events["array"][n + int(following[0])]]  # its parameters are being set
        found.append(Frame(info.functions[thread.events["array"][begin]], each, line, scope, begin))
    return found


def variables(thread: ThreadEvents, at: int, frame: Frame, info: DebugInfo) -> list[Held]:
    """Return the variables that are in scope in a call, in the order of the text."""
    n = thread.before(at)
    e = thread.events[frame.entered : n]
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
    for write in e[declared[-1] + 1 :]:
        begin, length = int(write["offset"]), int(write["size"])
        raw[begin : begin + length], known[begin : begin + length] = write["value"][:length], True
    return Held(variable, raw, known, int(e["offset"][declared[-1]]))
