"""Runs a program: starts it, answers its calls, and says how it ended."""

from __future__ import annotations

import math
import os
import resource
import signal
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..backends.processor_time import seconds_left
from ..compiler.engine import VARIABLE, Engine, engine, native_problem
from ..core.host_findings import NOWHERE, HostFinding, HostKind
from ..core.suppressed_writes import SuppressedWrites
from ..errors import GraderFault, MachineFault, UsageError, cannot_start
from ..nvrtc.occupancy import GPUS
from . import control
from .building.build import Program
from .building.program_lines import ProgramLines
from .building.runtime_build import sandbox
from .graphs import capture, graph_conditions, graph_launches, graph_memory, graph_nodes
from .launches import launches, modules
from .launches.grids import UncompiledError
from .launches.kernels import Kernels, Launched
from .libraries import calls as library_calls
from .memory import copies, memory, symbols
from .memory.heap import ADDRESS, LEAST, Heap, bearable, computable
from .progress import Progress
from .served import Limits, Served, StoppedError
from .state import FailedCall, State, Take
from .wire import Call, Reply

#: Most GPUs that a program sees: as many as there are in one machine.
MOST_DEVICES = 16
#: What answers each call of a program.
CALLS = {**memory.CALLS, **copies.CALLS, **symbols.CALLS, **launches.CALLS, **control.CALLS}
CALLS |= {**capture.CALLS, **graph_nodes.CALLS, **graph_launches.CALLS}
CALLS |= {**graph_memory.CALLS, **graph_conditions.CALLS, **library_calls.CALLS, **modules.CALLS}


@dataclass(frozen=True)
class ProgramRun:
    """What a program did: the user's `files`, its exit status (negative: the signal that ended it), its launches, and
    the mistakes of its host's half. `uncompiled` is the kernel at which the program was stopped, since it does not
    compile. `printed` is its standard output, if that was stored, and `errors` its standard error. Of
    `copied`, the bytes of copies between host and GPU, `overlapped` may go on beside a kernel. `waits` says how often
    the host has waited for the GPU by a call for that. It was `interrupted` if the user has ended it: what came later
    is then missing. `refusable` are the calls that allocate, copy or launch, each by its name and line, and `refused`
    is the one that was made to fail, if any was. What launches have written is `delivered`, uint8 of (n,) each: in the
    order of launches, and in that of places; of a program without limits, nothing is kept. It saw `devices` GPUs."""

    file: Path
    files: tuple[Path, ...]
    gpu: str
    status: int
    launches: tuple[Launched, ...]
    findings: tuple[HostFinding, ...]
    uncompiled: UncompiledError | None
    printed: str | None
    errors: str
    copied: int
    overlapped: int
    waits: int
    refusable: tuple[tuple[str, int], ...]
    refused: FailedCall | None
    delivered: tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]
    interrupted: bool = False
    devices: int = 1


def gpu_named(name: str) -> str:
    """Return the GPU of this name as `nvrtc.occupancy` writes it. Raises UsageError: none is known."""
    known = {known_name.lower(): known_name for known_name in GPUS}
    if name.lower() not in known:
        raise UsageError(f"--gpu {name} is not known: use {', '.join(GPUS)}.")
    return known[name.lower()]


def run_program(
    program: Program,
    file: Path,
    arguments: Sequence[str],
    gpu: str = "H200",
    devices: int = 1,
    *,
    keep: bool = False,
    limits: Limits | None = None,
    suppressed: SuppressedWrites = SuppressedWrites.NOTHING,
    refuse: int = 0,
    checked: int | None = None,
    progress: Progress | None = None,
    take: Take | None = None,
) -> ProgramRun:
    """Run a program. Only its kernels run in the emulator's sandbox. Without `limits` it is the user's own, and runs
    with the user's rights.

    Args:
        file: what the user calls it.
        gpu: the GPU that the program sees, by its name in `nvrtc.occupancy`.
        devices: how many of them it sees.
        keep: keep what it writes to its standard output, in place of writing it to ours.
        limits: what it may take; the program is in a sandbox then, where it reaches nothing but its pipes.
        suppressed: what does not arrive in the GPU's memory of what launches write.
        refuse: the number, from 1, of the call that fails, among those that allocate, copy or launch; 0: none.
        checked: how many accesses are checked, see `budget.Budget`; None: all, as in a program with `limits`.
        progress: says how far it is, in a program without `limits`; such a program may also be interrupted.
        take: gets each launch before it is made. What it raises ends the program, which reads and writes nothing then.

    Raises:
        UsageError: the program needs what the emulator does not have.
        MachineFault: this machine runs no programs, or has killed this one. GraderFault: the emulator itself failed.
    """
    if engine() is Engine.WEBASSEMBLY:
        instead = f"here {why}: use Colab, WSL or another machine" if (why := native_problem()) else f"unset {VARIABLE}"
        raise MachineFault(f"Whole programs run as native code alone, on Linux with x86-64; {instead}.")
    memory = LEAST if limits else bearable() if checked is None else computable()
    lines = ProgramLines(program.lines, program.texts)
    state = State(
        GPUS[gpu], Kernels(program.units), lines, memory, suppressed, refuse,
        devices=devices, limited=limits is not None, checked=checked, progress=progress, take=take,
    )  # fmt: skip
    calls, calling = os.pipe()
    replied, replies = os.pipe()
    uncompiled, interrupted = None, False
    seconds = math.ceil(min(limits.seconds, seconds_left())) if limits else 0
    try:
        out = subprocess.PIPE if keep else subprocess.DEVNULL if take else None
        with _start(program, arguments, (calling, replied), state.heap, out, seconds) as process:
            os.close(calling)
            os.close(replied)
            state.process = process.pid
            served = Served(process, calls, replies, limits)
            try:
                served.serve(_trusted(state) if limits is None else _untrusted(state))
                if limits and process.returncode == -signal.SIGKILL and served.seconds < seconds:
                    raise MachineFault("The system killed the program, perhaps for lack of memory: run this again.")
            except UncompiledError as error:
                uncompiled = error.with_traceback(None)  # which would keep the GPU's memory
                process.kill()
            except StoppedError as error:
                process.kill()
                state.find(HostKind.STOPPED, state.place, why=str(error))
            except BaseException as error:
                process.kill()
                if limits or not isinstance(error, KeyboardInterrupt):
                    raise
                interrupted = True
    finally:
        os.close(calls)
        os.close(replies)
        os.close(state.heap.fd)
    # In its sandbox, abort() ends a program by a system call that is not allowed.
    status = -signal.SIGABRT if limits and process.returncode == -signal.SIGSYS else process.returncode
    if not uncompiled and not interrupted:
        _find_at_end(state, status)
    timeline = state.timeline
    return ProgramRun(
        file, program.files, gpu, status, tuple(state.launches), tuple(state.findings), uncompiled,
        served.printed, served.errors, timeline.copied, timeline.overlapped, timeline.waits, tuple(state.refusable),
        state.refused, state.delivered.arrays() if state.delivered else ((), ()), interrupted, devices,
    )  # fmt: skip


def _start(
    program: Program, arguments: Sequence[str], pipes: Sequence[int], heap: Heap, out: int | None, seconds: int
) -> subprocess.Popen[bytes]:
    """Start a program: in a sandbox that allows `seconds` of processor time, or outside of it if they are 0; then it
    writes to `out`."""
    files = (*pipes, heap.fd)
    variables = {"AUTOGRADER_HOST": " ".join(map(str, (*files, ADDRESS, heap.size)))}
    if not os.access(program.path, os.X_OK):
        raise MachineFault(
            f"Programs may not run in {program.path.parent}: set XDG_CACHE_HOME to a folder where they may."
        )
    if not seconds:
        read = subprocess.DEVNULL if out == subprocess.DEVNULL else None
        return _started([program.path, *arguments], pass_fds=files, env=os.environ | variables, stdin=read, stdout=out)
    for what, (least, option) in _LEAST.items():
        _, most = resource.getrlimit(what)
        if most != resource.RLIM_INFINITY and most < least:
            raise MachineFault(f"A limit of this machine is too low for programs: raise it by `ulimit {option}`.")
    return _started(
        [sandbox(), str(seconds), program.path, *arguments], pass_fds=files, cwd="/",
        env={**{name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}, **variables,
             "AUTOGRADER_SANDBOX": "1"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _started(command: Sequence[str | Path], **options: Any) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(command, **options)
    except OSError as error:
        raise cannot_start("The program", error) from None


def _trusted(state: State) -> Callable[[Call], Reply]:
    def answer(call: Call) -> Reply:
        if call.name not in CALLS:
            raise GraderFault(f"The program's runtime asks for {call.name}, which nobody answers.")
        return state.answer(call, capture.answer(state, call, CALLS[call.name]))

    return answer


def _untrusted(state: State) -> Callable[[Call], Reply]:
    """What cannot be read as a call of the runtime's is the program's own mistake. What fails after that is ours: a
    machine that is too busy, say."""
    answer = _trusted(state)

    def guarded(call: Call) -> Reply:
        if call.name not in CALLS or (len(call.content) > _MOST_CONTENT and call.name != "fill symbol"):
            raise StoppedError("broken")
        if unwatched := next((what for part, what in _UNWATCHED.items() if part in call.name), None):
            place = state.lines.place(call.site)
            raise UsageError(f"{place.file} line {place.line} {unwatched}, which an answer may not.")
        try:
            return answer(call)
        except UsageError:
            raise
        except MemoryError as error:
            raise StoppedError("memory") from error
        except _UNREADABLE as error:
            raise StoppedError("broken") from error

    return guarded


def _find_at_end(state: State, status: int) -> None:
    """What is wrong once the program has ended."""
    crashed = any(f.kind in _CRASHES for f in state.findings)
    if -status in ((signal.SIGXCPU, signal.SIGKILL) if state.limited else (signal.SIGXCPU,)) and not crashed:
        state.find(HostKind.STOPPED, state.place, why="seconds")
    elif status < 0 and not crashed:
        state.find(HostKind.HOST_CRASH, NOWHERE, signal=control.signal_name(-status), verb="", null=0)
    if status > 0 or -status in _NOTICED:
        return  # it has seen that something is wrong, and the rest of its state follows from that
    for failed in state.failed:
        state.find(HostKind.UNCHECKED_ERROR, failed.place, function=failed.name, error=failed.error)
    if status:
        return
    for operation in state.timeline.in_flight:
        if operation.is_kernel and not operation.launchers and not state.sticky:  # after which no call waits
            _, *others = operation.lines("launches")
            state.find(HostKind.UNSYNCHRONIZED, operation.place, others, name="", verb="launches")
    for why, leaks in (("reset", state.reset), ("end", state.unfreed())):
        for leak in leaks:
            state.find(HostKind.LEAK, leak.place, name=leak.name, bytes=leak.size, why=why)


#: Bytes of a call's content, which is a name or a kernel's arguments, but where it is what a variable holds.
_MOST_CONTENT = 1 << 14
#: What reading a call raises that the runtime has not made: numbers that are missing, names of nothing, bytes that are
#: no text. (`kernels` tells from it what the emulator raises.)
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, AssertionError, ArithmeticError, struct.error)
#: Of the names of calls after which the host could use results early, unseen, or work would not be counted, a part, and
#: what they do.
_UNWATCHED = {
    "cudaHostRegister": "registers memory of the host's own",
    "cudaLaunchHostFunc": "lets a stream call a function of the host's",
    "cudaStreamAddCallback": "lets a stream call a function of the host's",
    "BeginCapture": "captures a stream",
    "Graph": "uses graphs",
}
#: The limits that `sandbox/sandbox.cpp` sets, and the shell's option for them: one that is lower cannot be raised.
_LEAST = {
    resource.RLIMIT_AS: (4 << 30, "-v 4194304"),
    resource.RLIMIT_FSIZE: (1 << 30, "-f 2097152"),
    resource.RLIMIT_NOFILE: (64, "-n 1024"),
}
#: Signals by which a program ends of itself, or because it takes too much.
_NOTICED = (signal.SIGABRT, signal.SIGXCPU, signal.SIGKILL)
_CRASHES = (HostKind.HOST_CRASH, HostKind.STOPPED, HostKind.DEVICE_POINTER, HostKind.USE_AFTER_FREE)
