"""Manages a process that answers requests and can be killed at any time."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .channel import Channel, Header
from .starter import Outside, Starter

#: Seconds until a new process must have sent its hello (importing CuPy from a cold disk is slow), and
#: until a killed one is gone (the driver ends its kernel first).
START_LIMIT, END_LIMIT = 120.0, 10.0
#: Seconds that a process may take to exit after it closed its end of the channel.
GRACE = 1.0


class WorkerDied(Exception):
    """The process ended, or never sent its hello; the message is half a sentence that says how."""


def start(command: Sequence[str], files: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a worker.

    Args:
        command: its program and arguments; the numbers of its end of the channel (read, write) are appended.
        files: these two, its standard output, and its standard error.

    Raises:
        OSError: it can't be started.
    """
    theirs_in, theirs_out, output, errors = files
    root = str(Path(__file__).parents[3])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [*command, str(theirs_in), str(theirs_out)],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        pass_fds=(theirs_in, theirs_out),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        # An interrupt is for the notebook, which then ends the worker itself.
        start_new_session=True,
    )


_outside: tuple[Sequence[str], Starter] | None = None


def start_outside(command: Sequence[str], instead: Sequence[str]) -> None:
    """Make a process, forked here, start every worker of this process from now on: all must be of `command`, and
    `instead` is started in its place."""
    global _outside
    _outside = command, Starter(lambda files: start(instead, files))


def _start(command: Sequence[str], files: Sequence[int]) -> subprocess.Popen[bytes] | Outside:
    if _outside is None:
        return start(command, files)
    only, starter = _outside
    assert only == command, "the starter starts nothing else"
    return starter.start(files)


class WorkerProcess:
    """A running worker. `hello` is its first message; `channel` connects to it.

    Args:
        command: as for `start`. Its standard output and error are files.

    Raises:
        WorkerDied: it failed to start.
    """

    def __init__(self, command: Sequence[str]) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self.channel = Channel(ours_in, ours_out)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (`end` closes it)
        try:
            with tempfile.TemporaryFile() as output:
                files = theirs_in, theirs_out, output.fileno(), self._errors.fileno()
                self._process = _start(command, files)
        except OSError as error:
            self.channel.close()
            self._errors.close()
            raise WorkerDied(str(error)) from None
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        try:
            self.hello: Header = self.channel.receive(START_LIMIT)[0]
        except BaseException as error:
            how = self.end(GRACE)
            if isinstance(error, EOFError | TimeoutError):
                raise WorkerDied(how) from None
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self, grace: float = 0.0) -> str:
        """End the process, whatever it is doing; return half a sentence on how it ended.

        Args:
            grace: seconds to let it exit by itself.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        if self._process.poll() is None:
            self._process.kill()
            how = "it did not answer"
        else:
            how = _exit_words(self._process.wait(0))
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_LIMIT)
        self.channel.close()
        with self._errors as errors:
            errors.seek(0)
            lines = errors.read()[-4096:].decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{how}: {last}" if last else how

    def abandon(self) -> None:
        """Forget a process that belongs to the process this one was forked from."""
        self.channel.close()
        self._errors.close()
        self._process.returncode = 0  # otherwise Popen would complain that it is still running


def _exit_words(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    name = signal.Signals(-code).name
    return f"it was ended by {name}" + (", perhaps for lack of memory" if name == "SIGKILL" else "")
