"""A running program, seen from outside: what it writes, and its calls, within limits of what it may take."""

from __future__ import annotations

import math
import os
import resource
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from ..backends.processor_time import count_waiting, seconds_left, taken
from .wire import Call, Reply, pack_reply, read_call

#: Bytes that are read at once.
_PART = 1 << 16


@dataclass(frozen=True)
class Limits:
    """What a program may take.

    Args:
        seconds: processor time of its own, and as much for answering its calls, launches included.
        silent: seconds by the clock in which we wait for it to call or to end, all together. Where a cell has a limit,
            all waiting for the programs of the cell counts as their running.
        printed: bytes that it writes to its standard output.
        calls: how many it makes.
        memory: bytes that this process takes to answer them, with the emulated GPU's memory and all copies of it.
    """

    seconds: int = 10
    silent: float = 15
    printed: int = 1 << 20
    calls: int = 20_000
    memory: int = 2 << 30


#: Bytes of one call; most have a few numbers, and variables on the GPU their content.
_CALL_BYTES = 1 << 28
#: Seconds that it may be silent in any case.
_LEAST_PATIENCE = 2
#: Bytes of what it writes to standard error that are stored.
_ERROR_BYTES = 2000


def _peak() -> int:
    """Most bytes of memory that this process has had at a time."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


class StoppedError(Exception):
    """A program took more than it may; the reason is one of the facts of `HostKind.STOPPED`: "silent", "printed",
    "calls", "seconds", "memory", "rounds", "ranks", or "broken" if it sent what is no call."""


class Served:
    """A program that runs.

    Args:
        process: its process; its standard output and error are stored where they are pipes.
        calls, replies: our ends of its two pipes.
        limits: what it may take; None for no limits.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], calls: int, replies: int, limits: Limits | None = None
    ) -> None:
        self._process, self._calls, self._replies, self._limits = process, calls, replies, limits
        self._out, self._errors = bytearray(), bytearray()
        pipes = ((process.stdout, self._out), (process.stderr, self._errors))
        self._outputs = {pipe.fileno(): stored for pipe, stored in pipes if pipe}
        self._unread, self._made = bytearray(), 0
        # Where a cell has a limit, the program has to be stopped before the cell is.
        self._patience = min(limits.silent, max(_LEAST_PATIENCE, seconds_left())) if limits else math.inf
        self._until = taken() + (min(limits.seconds, seconds_left()) if limits else math.inf)
        self._waiting = select.poll()
        for file in (calls, *self._outputs):
            self._waiting.register(file, select.POLLIN)
        self._open = {calls, *self._outputs}
        #: The processor time that it took, once it has ended of itself.
        self.seconds = 0.0

    @property
    def printed(self) -> str | None:
        """Return what it has written to standard output; None if that is not stored."""
        return self._out.decode(errors="replace") if self._process.stdout else None

    @property
    def errors(self) -> str:
        """Return the beginning of what it has written to standard error, if that is stored."""
        return self._errors.decode(errors="replace")

    def serve(self, answer: Callable[[Call], Reply]) -> None:
        """Answer its calls until it ends.

        Raises:
            StoppedError: it took more than it may. What `answer` raises goes on.
        """
        most = max(_peak(), self._limits.memory) if self._limits else 0  # what came before is not this program's
        while call := self._next_call():
            self._made += 1
            if self._limits and self._made > self._limits.calls:
                raise StoppedError("calls")
            self._send(pack_reply(answer(call)))
            if self._limits and taken() > self._until:
                raise StoppedError("seconds")
            if self._limits and _peak() > most:
                raise StoppedError("memory")
        while self._open:
            self._read()
        before = taken()
        with self._waited(), suppress(subprocess.TimeoutExpired):
            self._process.wait(None if self._patience == math.inf else max(0, self._patience))
            self.seconds = taken() - before  # a child's time counts from its end on
            return
        raise StoppedError("silent")

    def _next_call(self) -> Call | None:
        """Return the next call; None once it makes none any more."""
        while True:
            try:
                call = read_call(self._unread, _CALL_BYTES)
            except (ValueError, OverflowError):
                raise StoppedError("broken") from None
            if call or self._calls not in self._open:
                return call
            self._read()

    def _read(self) -> None:
        """Wait for something, and take it."""
        for file, _ in self._wait_for(self._waiting):
            part = os.read(file, _PART)
            if not part:
                self._waiting.unregister(file)
                self._open.remove(file)
            elif file == self._calls:
                self._unread += part
            else:
                self._keep(file, part)

    def _wait_for(self, files: select.poll) -> list[tuple[int, int]]:
        """Wait until one of the files is ready; all waiting together has a limit."""
        with self._waited():
            ready = files.poll(None if self._patience == math.inf else max(0, self._patience) * 1000)
        if not ready:
            raise StoppedError("silent")
        return ready

    @contextmanager
    def _waited(self) -> Iterator[None]:
        """Counts what happens in it as waiting."""
        began = time.monotonic()
        try:
            yield
        finally:
            waited = time.monotonic() - began
            self._patience -= waited
            count_waiting(waited)

    def _keep(self, file: int, part: bytes) -> None:
        self._outputs[file] += part
        del self._errors[_ERROR_BYTES:]
        if self._limits and len(self._out) > self._limits.printed:
            raise StoppedError("printed")

    def _send(self, content: bytes) -> None:
        """Send a reply, which a program that has ended does not read, and one that is stuck may never."""
        os.set_blocking(self._replies, False)
        ready = select.poll()
        ready.register(self._replies, select.POLLOUT)
        while content:
            self._wait_for(ready)
            try:
                content = content[os.write(self._replies, content) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                return
