"""Reads the worker's reply to a launch on the GPU: outputs, or why there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..core.diagnostics import Diagnostic, Problem
from ..core.findings import Access, CompileError, DamagedGuard, Finding, GpuCrash, StepLimit
from ..core.launch import Launch
from ..core.run import Run
from ..errors import GraderFault, UsageError
from .channel import Header

_WATCHDOG = 702  # cudaErrorLaunchTimeout: a GPU that also drives a display kills long kernels itself
_ASSERTION = re.compile(r":(\d+): .*block: \[(\d+),(\d+),(\d+)\], thread: \[(\d+),(\d+),(\d+)\] Assertion `")


def as_run(launch: Launch, name: str, reply: Header, blobs: Sequence[bytearray]) -> Run:
    """Turn the reply of the worker on the GPU `name`, with the arrays and texts that it sent, into a run.

    Raises:
        UsageError: this GPU can't run the launch.
        GraderFault: the worker failed.
    """
    match reply["outcome"]:
        case "completed":
            outputs = tuple(
                np.frombuffer(blob, array.dtype).reshape(array.shape)
                for array, blob in zip(launch.arrays, blobs, strict=False)
            )
            found = tuple(_outside(launch, array, far) for array, far in reply["damage"])
            return Run(outputs, found, None, not found, _text(blobs[-1]), name)
        case "crash":
            crash = _crash(launch, reply["status"], reply["text"], _text(blobs[1]))
            return stopped(launch, name, [crash], _text(blobs[0]))
        case "compile_error":
            messages = tuple(Diagnostic(*message) for message in reply["messages"])
            return stopped(launch, name, [CompileError(messages=messages, log=reply["log"])])
        case "unfit":
            raise UsageError(reply["text"])
        case "timeout" if reply["phase"] == "running":
            return stopped(launch, name, [StepLimit(reason="time")])
        case "timeout" if reply["phase"] == "compiling":
            endless = Diagnostic(0, 0, problem=Problem.ENDLESS)
            return stopped(launch, name, [CompileError(messages=(endless,))])
        case "fault":
            raise GraderFault(f"The GPU's worker process failed ({reply['text']}).")
        case _:
            raise GraderFault(f"The GPU's worker process stood still while {reply.get('phase', 'answering')}.")


def stopped(launch: Launch, name: str, found: Sequence[Finding], printed: str = "") -> Run:
    """The run of a launch that returned nothing: its arrays are as they were."""
    return Run(tuple(array.copy() for array in launch.arrays), tuple(found), None, False, printed, name)


def _outside(launch: Launch, array: int, far: int) -> Finding:
    """A write outside array number `array`; `far` is as in `Layout.damage`."""
    pairs = zip(launch.signature.parameters, launch.args, strict=True)
    parameter, given = [(p, a) for p, a in pairs if isinstance(a, np.ndarray)][array]
    item = parameter.dtype.itemsize if parameter.dtype is not None else given.itemsize
    size = given.nbytes // item
    index = size + (far - 1) // item if far > 0 else far // item
    return DamagedGuard(array=parameter.name, index=index, size=size)


def _crash(launch: Launch, status: int, text: str, errors: str) -> Finding:
    if status == _WATCHDOG:
        return StepLimit(reason="time")
    return GpuCrash(accesses=_assertion(launch, errors), status=status, text=text)


def _assertion(launch: Launch, errors: str) -> tuple[Access, ...]:
    """The thread and line of a failed assert(), from the CUDA runtime's error output."""
    match = _ASSERTION.search(errors)
    if not match:
        return ()
    line, bx, by, bz, tx, ty, tz = (int(number) for number in match.groups())
    text = launch.source.splitlines()[line - 1].strip()
    return (Access((bx, by, bz), (tx, ty, tz), line, text),)


def _text(blob: bytearray) -> str:
    return blob.decode(errors="replace")
