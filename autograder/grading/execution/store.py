"""Results on disk, by the key of their task: each complete or absent, and never changed."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from ...errors import UsageError
from .task import TaskResult


class Store:
    """A folder of results. One that cannot be read counts as absent, and is made again.

    Args:
        folder: created with the first result.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> TaskResult | None:
        """The result kept under `key`; None if there is none."""
        try:
            return TaskResult.from_json(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def __contains__(self, key: str) -> bool:
        return self._path(key).exists()

    def put(self, key: str, result: TaskResult) -> None:
        """Keep `result`; when this returns, it is on the disk.

        Raises:
            UsageError: it cannot be written; nothing that was kept before is lost.
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
