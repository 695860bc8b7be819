"""A limit on CPU time, for code that must never take long, on a machine that others use, too."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Far more than any of it takes, and far less than an endless loop.
SECONDS = 20


@contextmanager
def cpu_limit() -> Iterator[None]:
    """Run the block.

    Raises:
        TimeoutError: the block has used `SECONDS` seconds of this process's CPU time. (Waiting and other processes
            do not count.)
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {SECONDS} seconds of CPU time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
