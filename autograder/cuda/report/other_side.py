"""Messages about code for the GPU that uses the host's, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core.diagnostics import Diagnostic
from .clang_rules import STREAMS

#: A candidate of the host, in a note; its name is in the message, if that names a function and not its arguments.
_HOST_CANDIDATE = re.compile(r"^candidate .* not viable: call to __host__ function from (__\w+__) function$")
_CALLED = re.compile(
    r"^no (?:matching|viable) (?:(?:member )?function for call to|constructor for initialization of|overloaded "
    r"operator\[\] for type) '([^']*)'|^no viable conversion from '.*' to '([^']*)'"
)
_DEVICE_REFERENCE = re.compile(r"^reference to __device__ function '((?!emu_)[^']*)' in __host__ function")
_HOST_REFERENCE = re.compile(
    r"^reference to __host__ (function|variable) '([^']*)' in (?:(__\w+__) function|device code)"
)


def host_call(name: str, mark: str, caller: str) -> str:
    """The function `caller` ("": not known), which is marked `mark`, calls a function of the host."""
    where = f'a {mark} function("{caller}")' if caller else f"a {mark} function" if mark else "device code"
    return f'calling a __host__ function("{name}") from {where} is not allowed'


def of_other_side(text: str, notes: Sequence[Diagnostic]) -> str:
    """What to say where code on the GPU uses a function or variable of the host, or the host calls a function of the
    GPU; empty if the message is another."""
    device = [note for note in notes if note.text.endswith("call to __device__ function from __host__ function")]
    if (called := _DEVICE_REFERENCE.match(text)) or (device and (called := _CALLED.match(text))):
        declared = next((n.line for n in notes if n in device or n.text.endswith("declared here")), 0)
        is_barrier = called[1] == "__syncthreads"
        return (
            f'calling a __device__ function("{called[1]}") from a __host__ function is not allowed: '
            + (f"mark the function in line {declared} as __host__ as well, or " if declared else "")
            + ("wait for kernels with cudaDeviceSynchronize()" if is_barrier else "let a kernel call it")
        )
    if used := _HOST_REFERENCE.match(text):
        declared = next((note.line for note in notes if note.text.endswith("declared here")), 0)
        if used[1] == "function":
            return host_call(used[2], used[3] or "", "") + _instead(used[2], declared)
        return f'identifier "{used[2]}" is undefined in device code' + (
            f": it is the host's, from line {declared}; pass it to the kernel as an argument"
            if declared
            else _instead(used[2], 0)
        )
    found = [(candidate, note.line) for note in notes if (candidate := _HOST_CANDIDATE.match(note.text))]
    if not found:
        return ""
    (candidate, declared), *_ = found
    called = _CALLED.match(text)
    name = called[1] or called[2] if called else "operator"
    return host_call(name, candidate[1], "") + _instead(name, declared)


def _instead(name: str, declared: int) -> str:
    """What to do about code on the GPU that uses the host's `name`, from line `declared` (0: a library's)."""
    if declared:
        return f": mark the function in line {declared} as __device__ as well"
    if name in STREAMS:
        return ": a kernel prints with printf"
    if name.startswith("std::"):
        return f": a kernel has no {name.partition('<')[0]}, it works on arrays"
    return ": the GPU does not have the host's library"
