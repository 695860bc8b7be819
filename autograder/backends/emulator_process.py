"""Runs one launch in a process of its own: starts the runner `emu-run`, or Node, and reads its answer."""

from __future__ import annotations

import math
import os
import resource
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from ..compiler.cache import cache_folder
from ..core.protocol import CONSTANTS, AnswerError, Record, Status, read_answer
from ..errors import GraderFault, UsageError

#: Real time after which we kill a runner that doesn't answer. It can't wait for anything, and its processor time has a
#: limit, so the machine has too much else to do: in that case the fault is ours.
WALL_SECONDS = 300
#: Set this to 1 to run kernels without a sandbox on a machine without seccomp, if you trust every kernel.
TRUSTED = "AUTOGRADER_TRUST_KERNELS"
#: Processor time that a launch gets even if nothing is left.
_LEAST_SECONDS = 0.5
#: Bytes that a runner may say on stderr, which it can only before it closes its sandbox.
_MAX_SAID = 1 << 16


_until: float | None = None


def limit_launches(seconds: float) -> None:
    """From now on, the launches of this process may together take so much processor time, compilers included."""
    global _until
    _until = _taken() + seconds


def seconds_left() -> float:
    """Processor time that the next launch may take; infinity if nobody has set a limit."""
    return math.inf if _until is None else max(_LEAST_SECONDS, _until - _taken())


def _taken() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


class File:
    """An anonymous file in memory, of `size` bytes."""

    def __init__(self, name: str, size: int) -> None:
        self.fd = os.memfd_create(name)
        os.ftruncate(self.fd, size)

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)


def ask(program: Sequence[str], module: Path, request: bytes, arena: int, events: int) -> Record | None:
    """Get the runner's answer to `request`; None if a screening run leaves the launch to a precise run.

    Args:
        program: the command that runs a module: emu-run, or Node with the host.
        module: the compiled kernel, a shared object or a WebAssembly module.
        request: from `protocol.pack_request`.
        arena, events: open files: the arrays, and room for the trace.

    Raises:
        UsageError: the arguments don't fit the kernel.
        AnswerError: there is no answer, or not one that matches protocol.json. So the kernel is to blame: the runner
            has closed its sandbox.
        GraderFault: this machine can't run the runner, or the runner failed before that.
    """
    with File("request", 0) as asked, File("result", 0) as result:
        os.write(asked.fd, request)
        files = (asked.fd, arena, events, result.fd)
        paths = (f"/dev/fd/{file}" for file in files) if module.suffix == ".wasm" else map(str, files)
        command = [*program, str(module), *paths]
        if os.environ.get(TRUSTED) == "1":
            command.append("trusted")
        try:
            status, said = _run(command, files)
        except PermissionError:  # the file system is mounted with "noexec"
            raise GraderFault(
                f"Programs may not run in {cache_folder()}, where the emulator is kept: "
                "set XDG_CACHE_HOME to a folder where they may."
            ) from None
        if status == Status["precise"]:
            return None
        if said.startswith("argument"):
            raise UsageError(f"The launch does not fit the kernel: {said}.")
        if said.startswith("no sandbox"):
            raise GraderFault(
                "This machine cannot close the emulator's sandbox (seccomp), and no kernel is run without it: use "
                f"another machine, or set {TRUSTED}=1 if you trust every kernel that is run here."
            )
        if said:
            raise GraderFault(f"The emulator ended with status {status}: {said[-500:]}")
        if status:
            raise AnswerError(f"the process ended with status {status}")
        return read_answer(os.pread(result.fd, CONSTANTS["MAX_ANSWER"], 0))


def _run(command: list[str], files: tuple[int, ...]) -> tuple[int, str]:
    """Run `command` with these open files; return its exit status and what it wrote to stderr."""
    with subprocess.Popen(
        command, pass_fds=files, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={}, cwd="/",
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            said = _read_to_end(process.stderr)
        except BaseException:  # including an interrupt
            process.kill()
            raise
    return process.returncode, said.decode(errors="replace").strip()


def _read_to_end(stderr: IO[bytes]) -> bytes:
    """Read a runner's output until it ends. (`subprocess.run` would sleep before checking again whether a process
    has ended, which takes longer than the process does.)"""
    said, deadline, waiting = b"", time.monotonic() + WALL_SECONDS, select.poll()
    waiting.register(stderr, select.POLLIN)  # also wakes when the runner closes the file
    while waiting.poll(max(0, deadline - time.monotonic()) * 1000):
        if not (part := os.read(stderr.fileno(), 1 << 16)):
            return said
        said = (said + part)[:_MAX_SAID]
    raise GraderFault(f"The emulator did not answer within {WALL_SECONDS} seconds: run this again.")
