"""A bound on CPU time: for what must not take long in any case, on a machine that others use, too."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: Far more than any of it takes, and far less than what goes on without end.
SECONDS = 20


@contextmanager
def cpu_limit() -> Iterator[None]:
    """Run the block.

    Raises:
        TimeoutError: this process has computed for `SECONDS` seconds in it. (Waiting, and what other processes do,
            is not counted.)
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
