"""Starts GPU workers for a sandboxed process: CUDA doesn't start inside `grading.execution.sandbox`.

Before it enters the sandbox, the process forks a starter, which stays outside. From then on, the starter starts, waits
for, and ends each `WorkerProcess`, while the worker talks to its owner over the usual pipes. The starter runs only the
one command that it was made for, one worker at a time, so code that breaks out of a notebook gets what every notebook
has, a worker for the GPU, and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import Any

#: Starts a command with a worker's four files: its end of the channel (read, write), its output, its errors.
Start = Callable[[Sequence[int]], "subprocess.Popen[bytes]"]


class Starter:
    """A process outside the sandbox, which ends with this one.

    Args:
        start: starts the worker; called outside the sandbox.
    """

    def __init__(self, start: Start) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        with theirs:
            if os.fork() == 0:
                try:
                    os.setsid()  # whoever ends the notebook's process leaves us to end the worker
                    self._socket.close()
                    _serve(theirs, start)
                finally:
                    os._exit(0)

    def start(self, files: Sequence[int]) -> Outside:
        """Start the worker; a running one is ended first.

        Args:
            files: as for `Start`.

        Raises:
            OSError: the worker can't be started.
        """
        return Outside(self, self.request(["start"], files))

    def request(self, message: list[Any], files: Sequence[int] = ()) -> Any:
        """The starter's answer.

        Raises:
            OSError: the starter is gone, or failed.
        """
        answer = b""
        with self._lock, contextlib.suppress(ConnectionError):
            socket.send_fds(self._socket, [json.dumps(message).encode()], list(files))
            answer = self._socket.recv(_LONGEST)
        if not answer:
            raise ConnectionError("the process that starts it is gone")
        reply = json.loads(answer)
        if "failed" in reply:
            raise OSError(reply["failed"])
        return reply["answer"]


class Outside:
    """A worker that a starter owns: the part of `subprocess.Popen` that `WorkerProcess` uses."""

    def __init__(self, starter: Starter, pid: int) -> None:
        self._starter, self.pid = starter, pid
        self.returncode: int | None = None

    def wait(self, timeout: float) -> int:
        """Wait for the worker to end, and return its exit status.

        Raises:
            subprocess.TimeoutExpired: it is still running after `timeout` seconds.
        """
        if self.returncode is None:
            try:
                self.returncode = self._starter.request(["wait", self.pid, timeout])
            except ConnectionError:  # the worker ends once its channel is closed
                self.returncode = -signal.SIGKILL
        if self.returncode is None:
            raise subprocess.TimeoutExpired("worker", timeout)
        return self.returncode

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def kill(self) -> None:
        self._starter.request(["kill", self.pid, 0])


_LONGEST = 4096


def _serve(connection: socket.socket, start: Start) -> None:
    """Answer until the other end is closed."""
    worker: subprocess.Popen[bytes] | None = None
    while True:
        message, files, _, _ = socket.recv_fds(connection, _LONGEST, 4)
        if not message:
            break
        try:
            what, *rest = json.loads(message)
            if what == "start":
                _end(worker)
                worker = start(files)
                answer: int | None = worker.pid
            else:
                assert worker is not None and worker.pid == rest[0], "there is no such worker"
                if what == "kill":
                    worker.kill()
                answer = _wait(worker, *rest[1:])
            reply: dict[str, Any] = {"answer": answer}
        except Exception as error:  # whatever the other end sends must not end this process
            reply = {"failed": str(error)[: _LONGEST // 2]}
        finally:
            for file in files:
                os.close(file)
        connection.send(json.dumps(reply).encode())
    _end(worker)


def _wait(worker: subprocess.Popen[bytes], seconds: float) -> int | None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        worker.wait(seconds)
    return worker.returncode


def _end(worker: subprocess.Popen[bytes] | None) -> None:
    if worker is not None:
        worker.kill()  # not waited for: if the driver hangs, so would we
