"""Runs one launch in a process of its own: starts the runner `emu-run` and reads its answer. Linux alone has what it
takes; elsewhere `node_process` does it."""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Callable, Sequence
from io import FileIO
from pathlib import Path
from typing import IO

from ..compiler.cache import cache_folder
from ..core.protocol import CONSTANTS
from ..core.records import Answer
from ..errors import GraderFault, MachineFault, cannot_start
from .emulator_reply import TRUSTED, check_status, read_reply

#: Real time after which we kill a runner that doesn't answer. It can't wait for anything, and its processor time has a
#: limit, so the machine has too much else to do: in that case the fault is ours.
WALL_SECONDS = 300
#: Bytes that a runner may say on stderr, which it can only before it closes its sandbox.
_MAX_MESSAGE = 1 << 16
#: Bytes of the file by which a runner says how many blocks have begun: a number.
BEGUN = 8


class File:
    """An anonymous file in memory, of `size` bytes."""

    def __init__(self, name: str, size: int) -> None:
        try:
            self.fd = os.memfd_create(name)
        except OSError as error:
            raise cannot_start("The emulator", error) from None
        os.ftruncate(self.fd, size)

    @property
    def size(self) -> int:
        return os.fstat(self.fd).st_size

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)

    def read(self, start: int, size: int) -> bytearray:
        """The bytes from `start` on; fewer than `size` if the file ends before."""
        content, done = bytearray(max(0, min(size, self.size - start))), 0
        # (Where notebooks are graded, `os.preadv` is not allowed.)
        with FileIO(self.fd, closefd=False) as file:
            file.seek(start)
            while read := file.readinto(memoryview(content)[done:]):
                done += read
        return content if done == len(content) else content[:done]

    def write(self, start: int, content: bytes | memoryview) -> None:
        done, left = 0, memoryview(content)
        while done < len(left):
            done += os.pwrite(self.fd, left[done:], start + done)


#: Gets that file while a launch runs, and how many blocks it has.
Watch = Callable[[File, int], object]


def exchange(
    program: Sequence[str], module: Path, request: bytes, arena: File, events: File, patience: float = 1.0
) -> Answer | None:
    """Get the runner's answer to `request`; None if the fast path leaves the launch to the full check.

    Args:
        program: emu-run.
        module: the compiled kernel, a shared object.
        request: from `protocol.pack_request`.
        arena, events: the arrays, and room for the trace.
        patience: how many times as long as usual the runner may take.

    Raises:
        UsageError: the arguments don't fit the kernel.
        AnswerError: there is no answer, or not one that matches protocol.json. So the kernel is to blame: the runner
            has closed its sandbox.
        MachineFault: this machine can't run the runner, or has killed it. GraderFault: it failed before that.
    """
    with File("result", 0) as result:
        status, message = _exchange(program, module, request, (arena.fd, events.fd, result.fd), patience)
        return read_reply(status, message, lambda: bytes(result.read(0, CONSTANTS["MAX_ANSWER"])))


def exchange_each(program: Sequence[str], module: Path, requests: Sequence[bytes], file: File) -> bytes:
    """Get the `Status` of each of several launches of one kernel, whose arrays lie in `file`.

    Raises:
        MachineFault, GraderFault: as `exchange`.
    """
    with File("result", 0) as result:
        status, message = _exchange(program, module, b"".join(requests), (file.fd, file.fd, result.fd))
        check_status(status, message)
        statuses = bytes(result.read(0, len(requests)))
    if len(statuses) != len(requests):  # it runs nothing of the kernel itself
        raise GraderFault(f"The emulator ended with status {status} after {len(statuses)} launches.")
    return statuses


def _exchange(
    program: Sequence[str], module: Path, request: bytes, files: tuple[int, ...], patience: float = 1.0
) -> tuple[int, str]:
    """Start the runner with `request` and these open files; its exit status, and its messages."""
    with File("request", 0) as file:
        file.write(0, request)
        files = (file.fd, *files)
        command = [*program, str(module), *map(str, files)]
        if os.environ.get(TRUSTED) == "1":
            command.append("trusted")
        try:
            return _run(command, files, WALL_SECONDS * patience)
        except PermissionError:  # the file system is mounted with "noexec"
            raise MachineFault(
                f"Programs may not run in {cache_folder()}, where the emulator is kept: "
                "set XDG_CACHE_HOME to a folder where they may."
            ) from None
        except OSError as error:
            raise cannot_start("The emulator", error) from None


def _run(command: list[str], files: tuple[int, ...], seconds: float) -> tuple[int, str]:
    """Run `command` with these open files; return its exit status and what it wrote to stderr."""
    with subprocess.Popen(
        command, pass_fds=files, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={}, cwd="/",
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            message = _read_to_end(process.stderr, seconds)
        except BaseException:  # including an interrupt
            process.kill()
            raise
    return process.returncode, message.decode(errors="replace").strip()


def _read_to_end(stderr: IO[bytes], seconds: float) -> bytes:
    """Read a runner's output until it ends. (`subprocess.run` would sleep before checking again whether a process
    has ended, which takes longer than the process does.)"""
    message, deadline, waiting = b"", time.monotonic() + seconds, select.poll()
    waiting.register(stderr, select.POLLIN)  # also wakes when the runner closes the file
    while waiting.poll(max(0, deadline - time.monotonic()) * 1000):
        if not (part := os.read(stderr.fileno(), 1 << 16)):
            return message
        message = (message + part)[:_MAX_MESSAGE]
    raise MachineFault(f"The emulator did not answer within {seconds:g} seconds: run this again.")
