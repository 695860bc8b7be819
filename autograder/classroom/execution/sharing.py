"""Several runs that grade one folder at once, on this machine or on several, share its work: each result is made by one
of them and taken over by the others.

What a run works on is locked: a byte of one file for each notebook, which the system unlocks when the process ends,
however it ends, also where the folder is on a network drive. So nothing that a killed run left has to be cleaned up.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from ...cuda.compiler.cache import digest
from ...cuda.errors import UsageError
from .store import Store
from .task import TaskResult

#: What a drive says that has no locks: there, each run works for itself.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_RECORDING = "recording"


class Sharing:
    """One run's part in the work on a folder of results. A process has one at a time: closing the file would give up
    all locks of the process.

    Args:
        store: the folder's results.
    """

    def __init__(self, store: Store, file: int) -> None:
        self._store, self._file = store, file

    def take(self, key: str) -> bool:
        """Take the task `key`; False if another run works on it."""
        return self._lock(key, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def drop(self, key: str) -> None:
        """Let others have the task `key`: its result is kept, or this run does not make it."""
        self._lock(key, fcntl.LOCK_UN)

    def found(self, key: str) -> TaskResult | None:
        """The result that another run has kept."""
        return self._store.get(key)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Wait until no other run writes into the gradebook and the graded notebooks, and keep others waiting."""
        self._lock(_RECORDING, fcntl.LOCK_EX)
        try:
            yield
        finally:
            self._lock(_RECORDING, fcntl.LOCK_UN)

    def _lock(self, name: str, how: int) -> bool:
        byte = int(digest(name)[:15], 16)
        try:
            fcntl.lockf(self._file, how, 1, byte)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                return False
        return True


@contextmanager
def share(store: Store) -> Iterator[Sharing]:
    """Share the work on `store` with other runs.

    Raises:
        UsageError: its folder cannot be written.
    """
    path = store.folder / "locks"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written ({error.strerror}): fix that and run the same command again."
        ) from None
    try:
        yield Sharing(store, file)
    finally:
        os.close(file)
