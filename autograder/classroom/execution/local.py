"""`execute(task) -> TaskResult` on this machine, once it has shown that it keeps in what it runs.

This is all that a worker does, on this machine or on another one: it needs the package, and neither
the gradebook nor the solutions.
"""

from __future__ import annotations

import atexit
import threading

from ...cuda.errors import UsageError
from ...cuda.programs.building.build import build_parts
from . import preflight, sandbox
from .fork_server import ForkServer
from .task import Task, TaskResult

_lock = threading.Lock()
_server: ForkServer | None = None


def execute(task: Task) -> TaskResult:
    """Run `task` on this machine; may be called from several threads at a time.

    Raises:
        UsageError: this machine cannot keep in what runs in a notebook; the message says what to do.
        GraderFault: the fork server does not start, or what programs need does not compile.
    """
    server = _shared()
    if task.has_program:
        build_parts()
        if why := preflight.refusal_of_programs():
            raise UsageError(why)
    result = server.run(task)
    # If the fork server itself was killed (by the system, for lack of memory), try once more.
    return _shared().run(task) if result.broken and server.is_gone() and not server.closed else result


def stop() -> None:
    """End what `execute` is running; later calls run as usual."""
    with _lock:
        if _server:
            _server.close()


def _shared() -> ForkServer:
    """The fork server of this process; a new one if there is none or it died."""
    global _server
    with _lock:
        if _server is None or not _server.alive:
            if why := sandbox.refusal():
                raise UsageError(why)
            server = ForkServer()
            if why := preflight.refusal(server):
                server.close()
                raise UsageError(why)
            _server = server
            atexit.register(_server.close)
        return _server
