"""Runs a program: starts it, answers its calls, and says how it ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..compiler.engine import VARIABLE, Engine, engine
from ..core.host_findings import NOWHERE, HostFinding, HostKind
from ..errors import GraderFault, UsageError
from ..nvrtc.occupancy import GPUS
from . import control, launches, memory, symbols
from .build import Program
from .heap import ADDRESS, SIZE
from .kernels import Kernels, Launched
from .launches import UncompiledError
from .program_lines import ProgramLines
from .state import State
from .wire import Line

#: What answers each call of a program.
CALLS = {**memory.CALLS, **symbols.CALLS, **launches.CALLS, **control.CALLS}


@dataclass(frozen=True)
class ProgramRun:
    """What a program did: its own `files`, its exit status (negative: the signal that ended it), its launches, and the
    mistakes of its host's half. `uncompiled` is the kernel at which the program was stopped, since it does not compile.
    `printed` is what the program wrote, if it was kept."""

    file: Path
    files: tuple[Path, ...]
    gpu: str
    status: int
    launches: tuple[Launched, ...]
    findings: tuple[HostFinding, ...]
    uncompiled: UncompiledError | None
    printed: str | None


def gpu_named(name: str) -> str:
    """The GPU of this name as `nvrtc.occupancy` writes it. Raises UsageError: none is known."""
    known = {one.lower(): one for one in GPUS}
    if name.lower() not in known:
        raise UsageError(f"--gpu {name} is not known: use {', '.join(GPUS)}.")
    return known[name.lower()]


def run_program(
    program: Program, file: Path, arguments: Sequence[str], gpu: str = "H200", *, keep: bool = False
) -> ProgramRun:
    """Run a program. It is the user's own, and runs with the user's rights: only its kernels run in the emulator's
    sandbox.

    Args:
        file: what the user calls it.
        gpu: the GPU that the program sees, by its name in `nvrtc.occupancy`.
        keep: keep what it writes to its standard output, in place of writing it to ours.

    Raises:
        UsageError: the program needs what the emulator does not have.
        GraderFault: the emulator itself failed.
    """
    if engine() is Engine.WEBASSEMBLY:
        raise UsageError(f"Whole programs run as native code alone: unset {VARIABLE}.")
    state = State(GPUS[gpu], Kernels(program.units), ProgramLines(program.lines, program.texts))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        told = f"{theirs.fileno()} {state.heap.fd} {ADDRESS} {SIZE}"
        with subprocess.Popen(
            [program.path, *arguments],
            pass_fds=(theirs.fileno(), state.heap.fd),
            env={**os.environ, "AUTOGRADER_HOST": told},
            stdout=subprocess.PIPE if keep else None,
        ) as process:
            theirs.close()
            uncompiled = None
            try:
                _serve(state, Line(ours))
            except UncompiledError as error:
                uncompiled = error
                process.kill()
            except BaseException:
                process.kill()
                raise
            printed = process.stdout.read().decode(errors="replace") if process.stdout else None
    if not uncompiled:
        _find_at_end(state, process.returncode)
    os.close(state.heap.fd)
    return ProgramRun(
        file, program.files, gpu, process.returncode, tuple(state.launches), tuple(state.findings), uncompiled, printed
    )


def _serve(state: State, line: Line) -> None:
    while call := line.read():
        if call.name not in CALLS:
            raise GraderFault(f"The program's runtime asks for {call.name}, which nobody answers.")
        line.write(state.answer(call, CALLS[call.name]))


def _find_at_end(state: State, status: int) -> None:
    """What is wrong once the program has ended."""
    crashed = any(f.kind in _CRASHES for f in state.findings)
    if status < 0 and not crashed:
        state.find(HostKind.HOST_CRASH, NOWHERE, signal=signal.Signals(-status).name, verb="", null=0)
    if status:
        return  # it has seen that something is wrong, and what else it leaves behind follows from that
    for failed in state.failed:
        state.find(HostKind.UNCHECKED_ERROR, failed.place, function=failed.name, error=failed.error)
    for operation in state.timeline.in_flight:
        if operation.is_kernel:
            state.find(HostKind.UNSYNCHRONIZED, operation.place, name="", verb="launches")
    if state.sticky:
        return  # freeing fails, too
    for allocation in state.heap.live():
        if not allocation.is_variable:
            state.find(HostKind.LEAK, allocation.place, name=allocation.name, bytes=allocation.size)


_CRASHES = (HostKind.HOST_CRASH, HostKind.DEVICE_POINTER, HostKind.USE_AFTER_FREE)
