"""Results on disk, by the key of their task: each complete or absent, and never changed."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from ...cuda.errors import UsageError
from .task import TaskResult


class Store:
    """A folder of results. One that cannot be read counts as absent, and is made again.

    Args:
        folder: created with the first result.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> TaskResult | None:
        """Return the result stored under `key`; None if there is none, or if somebody else may have put it there.

        Raises:
            UsageError: others may put results into the folder, or into the one within it.
        """
        path = self._path(key)
        for folder in (self.folder, path.parent):
            # A group may write: on systems where each user has a separate group, it may write to all files of the user.
            if folder.exists() and not _is_ours(folder.stat(), stat.S_IWOTH):
                raise UsageError(
                    f"Others may put results into {folder}: remove that folder, or move the course to a place that is "
                    "yours alone, and grade again."
                )
        try:
            with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="utf-8") as file:
                ours = _is_ours(os.fstat(file.fileno()), stat.S_IWGRP | stat.S_IWOTH)
                return TaskResult.from_json(file.read()) if ours else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def __contains__(self, key: str) -> bool:
        return self._path(key).exists()

    def put(self, key: str, result: TaskResult) -> None:
        """Store `result`; when this returns, it is on the disk.

        Raises:
            UsageError: it cannot be written; nothing that was stored before is lost.
        """
        path = self._path(key)
        staged = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
            staged = Path(name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(result.to_json())
                file.flush()
                os.fsync(file.fileno())
            staged.replace(path)
        except OSError as error:
            raise UsageError(
                f"A result cannot be kept in {self.folder} ({error.strerror}): make room there and run the same "
                "command again. Nothing that was graded so far is lost."
            ) from None
        finally:  # also where a person stopped it
            with suppress(OSError):
                if staged:
                    staged.unlink()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _is_ours(status: os.stat_result, others: int) -> bool:
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & others
