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
from ..core.protocol import CONSTANTS, Record
from ..errors import GraderFault
from .emulator_reply import TRUSTED, read_reply

#: Real time after which we kill a runner that doesn't answer. It can't wait for anything, and its processor time has a
#: limit, so the machine has too much else to do: in that case the fault is ours.
WALL_SECONDS = 300
#: Processor time that a launch gets even if nothing is left.
_LEAST_SECONDS = 0.5
#: Processor time between the end of a launch and a limit of the shell (`ulimit -t`), for what is left to do then.
_GRACE_SECONDS = 1
#: Bytes that a runner may say on stderr, which it can only before it closes its sandbox.
_MAX_SAID = 1 << 16


_until: float | None = None
_waited = 0.0


def limit_launches(seconds: float) -> None:
    """From now on, the launches of this process may together take so much processor time, compilers and our own work
    on their texts included, and what it waits for programs."""
    global _until
    _until = taken() + _waited + seconds


def count_waiting(seconds: float) -> None:
    """This process has waited so long for a program, which may have slept: that counts as running."""
    global _waited
    _waited += seconds


def seconds_left() -> float:
    """Processor time that the next launch may take; infinity if nobody has set a limit. One of the shell's holds for
    each process: it would kill the runner, which would look like the kernel's crash."""
    of_process, _ = resource.getrlimit(resource.RLIMIT_CPU)
    given = math.inf if of_process == resource.RLIM_INFINITY else of_process - _GRACE_SECONDS
    return max(_LEAST_SECONDS, given if _until is None else min(given, _until - taken() - _waited))


def is_limited() -> bool:
    """Whether somebody has set a limit."""
    return _until is not None


def is_used_up() -> bool:
    """Whether no processor time is left."""
    return _until is not None and taken() + _waited >= _until


def taken() -> float:
    """Processor time of this process, and of those that it has started and that have ended."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


class File:
    """An anonymous file in memory, of `size` bytes."""

    def __init__(self, name: str, size: int) -> None:
        self.fd = os.memfd_create(name)
        os.ftruncate(self.fd, size)

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def read(self, start: int, size: int) -> bytes:
        """The bytes from `start` on; fewer than `size` if the file ends before."""
        parts = []
        while size > 0 and (part := os.pread(self.fd, size, start)):
            parts.append(part)
            start, size = start + len(part), size - len(part)
        return b"".join(parts)

    def write(self, start: int, content: bytes) -> None:
        while content:
            written = os.pwrite(self.fd, content, start)
            start, content = start + written, content[written:]


def ask(program: Sequence[str], module: Path, request: bytes, arena: File, events: File) -> Record | None:
    """Get the runner's answer to `request`; None if a screening run leaves the launch to a precise run.

    Args:
        program: the command that runs a module: emu-run, or Node with the host.
        module: the compiled kernel, a shared object or a WebAssembly module.
        request: from `protocol.pack_request`.
        arena, events: the arrays, and room for the trace.

    Raises:
        UsageError: the arguments don't fit the kernel.
        AnswerError: there is no answer, or not one that matches protocol.json. So the kernel is to blame: the runner
            has closed its sandbox.
        GraderFault: this machine can't run the runner, or the runner failed before that.
    """
    with File("request", 0) as asked, File("result", 0) as result:
        asked.write(0, request)
        files = (asked.fd, arena.fd, events.fd, result.fd)
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
        return read_reply(status, said, lambda: result.read(0, CONSTANTS["MAX_ANSWER"]))


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
