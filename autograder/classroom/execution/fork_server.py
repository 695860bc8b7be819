"""Runs a notebook in a fork of the fork server, within limits of time and memory."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

from ...cuda.backends import gpu
from ...cuda.errors import GraderFault, MachineFault
from ...exercises.notebook.session import GPU_EXPECTED
from . import sandbox
from .task import Task, TaskResult
from .usage import Limits, exceeded

#: Seconds within which the fork server must be ready: it may have to build the emulator's runtime first.
START_SECONDS = 600
#: Seconds within which a fork must have begun: it needs some hundredths, or seconds where the machine is busy.
BEGIN_SECONDS = 120
#: A cell that cannot be interrupted is ended, with its process, this many seconds after its own limit.
GRACE_SECONDS = 10
#: Most bytes that a notebook's process may send as its results: printed text is cut off long before.
MAX_OUTPUT = 256 << 20
#: What the fork server sends when it has started; and most bytes of what it sends in place of it, a machine's fault.
READY, MAX_FAULT = b"ready", 1 << 14
#: What Python runs as the fork server.
PROGRAM = ("-m", "autograder.classroom.execution.fork_server_main")
#: Seconds between checks of these limits.
_LOOK_SECONDS = 1.0
#: What a notebook's process needs of the environment, which may hold passwords: where programs, libraries, caches and
#: the GPU are, and our own settings.
_RESUMABLE = re.compile(
    r"PATH|HOME|TZ|LANG|LC_\w+|LD_LIBRARY_PATH|XDG_CACHE_HOME|(PYTHON|CUDA_|NVIDIA_|AUTOGRADER_)\w+"
)


def passed_environment() -> dict[str, str]:
    """Of this process's environment, what a notebook's process gets."""
    inherited = {name: value for name, value in os.environ.items() if _RESUMABLE.fullmatch(name)}
    return {**inherited, "OPENBLAS_NUM_THREADS": "1"}  # each core runs another notebook


class ForkServer:
    """A process with everything imported, which forks once for each notebook.

    Args:
        limits: of one notebook; by default those that everybody gets.

    Raises:
        MachineFault: this machine is at fault that it does not start. GraderFault: it does not start.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        if why := sandbox.refusal():
            raise GraderFault(why)
        self._limits = limits or Limits()
        self.closed = False
        self._folder = TemporaryDirectory(prefix="autograder-")
        self._errors = TemporaryFile()  # noqa: SIM115 (`close` closes it)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {
            **passed_environment(),
            "TMPDIR": self._folder.name,  # so that nothing is left over
            "PYTHONWARNINGS": "ignore",
            GPU_EXPECTED: "" if gpu.problem() else "1",
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", *PROGRAM, str(theirs.fileno()), json.dumps(asdict(self._limits))],
                pass_fds=[theirs.fileno()],
                cwd=self._folder.name,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,  # Ctrl-C is for us alone; we end this process
            )
        self._socket.settimeout(START_SECONDS)
        try:
            reply = self._socket.recv(MAX_FAULT)
        except TimeoutError:
            reply = b""
        self._socket.settimeout(None)
        if reply != READY:
            words = self._last_words()
            self.close()
            if reply:
                raise MachineFault(reply.decode(errors="replace"))
            raise GraderFault(f"The process that runs notebooks does not start: {words}")

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def is_gone(self) -> bool:
        """Whether the process has ended, or does so within a moment: its forks may be gone first."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LOOK_SECONDS)
        return not self.alive

    def run(self, task: Task) -> TaskResult:
        """Run `task` in a fork. Whatever happens in it ends as a `TaskResult`."""
        start = time.monotonic()
        ours, theirs = os.pipe()
        request = os.memfd_create("task")
        try:
            os.write(request, task.to_json().encode())
            os.lseek(request, 0, os.SEEK_SET)
            with suppress(OSError):  # the fork server is gone, and so the pipe is closed at once
                socket.send_fds(self._socket, [b"."], [request, theirs])
        finally:
            os.close(request)
            os.close(theirs)
        with os.fdopen(ours, "rb", buffering=0) as pipe:
            reply, broken = self._listen(pipe.fileno(), task)
        cells = reply[1:]  # the first line is about the process
        if cells and cells[-1] == "end":
            cells, broken = cells[:-1], ""
        elif reply and self.is_gone():  # and no longer ends what outlives a notebook's process
            _end(reply[0][0])
        return TaskResult(tuple(cells), broken, time.monotonic() - start)

    def _listen(self, pipe: int, task: Task) -> tuple[list[Any], str]:
        """What the fork sends until it ends or is ended, and half a sentence on how it ended."""
        reply: list[Any] = []
        unread, size, patience = bytearray(), 0, task.cell_seconds + GRACE_SECONDS
        readable = select.poll()
        readable.register(pipe, select.POLLIN)
        silent_since = looked = time.monotonic()
        while True:
            if readable.poll(_LOOK_SECONDS * 1000):
                more = os.read(pipe, 1 << 16)
                if not more:
                    return reply, "its process ended, perhaps for lack of memory"
                unread += more
                size += len(more)
                *lines, unread = unread.split(b"\n") if b"\n" in more else [unread]
                try:
                    reply += map(json.loads, lines)
                except (ValueError, RecursionError):
                    size = MAX_OUTPUT + 1
                silent_since = time.monotonic() if lines else silent_since
            if not reply:  # its first line, before anything of a student's is run
                if time.monotonic() - looked > BEGIN_SECONDS:
                    self._process.kill()  # whoever waits for it, too, tries another one
                    return reply, f"its process did not begin within {BEGIN_SECONDS} seconds"
                continue
            (process, folder), now, why = reply[0], time.monotonic(), ""
            if size > MAX_OUTPUT or len(reply) > len(task.cells) + 2:
                reply, why = reply[:1], "what it said is not the result of a notebook"
            elif now - silent_since > patience:
                why = f"a cell could not be interrupted within {patience:g} seconds"
            elif now - looked > _LOOK_SECONDS:  # however much it says in between
                looked, what = now, exceeded(process, Path(folder), self._limits)
                why = f"it took more than {what}" if what else ""
            if why:
                _end(process)
                return reply, why

    def close(self) -> None:
        """End the fork server and everything that still runs in it."""
        self.closed = True
        self._socket.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        if self.alive:
            self._process.kill()
            self._process.wait()
        subprocess.run(["rm", "-rf", "--", self._folder.name])  # whatever lies there, and however deep
        self._folder.cleanup()
        self._errors.close()

    def _last_words(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().split("\n")
        return lines[-1] or f"it ended with status {self._process.returncode}"


def _end(process: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
