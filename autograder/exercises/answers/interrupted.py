"""Work on an answer that a cell's limit of time has interrupted: the next cell does not begin it again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...cuda.backends import processor_time
from ...cuda.errors import GraderFault, UsageError


class Interrupted:
    """Whether work was interrupted, and whose fault that is: the answer's, if it has used up the processor time that it
    may take, and else ours. (A person who interrupts a cell may begin it again.)"""

    def __init__(self) -> None:
        self._error: Exception | None = None

    @contextmanager
    def once(self, why: str) -> Iterator[None]:
        """Do work, unless it was interrupted before.

        Args:
            why: one sentence on what takes the answer too long.

        Raises:
            UsageError: `why`. GraderFault: it was the machine.
        """
        if self._error:
            raise self._error.with_traceback(None)
        try:
            yield
        except KeyboardInterrupt:
            if processor_time.is_used_up():
                self._error = UsageError(why)
            elif processor_time.is_limited():
                self._error = GraderFault("The machine is too busy for this cell: run it again when less else runs.")
            raise
