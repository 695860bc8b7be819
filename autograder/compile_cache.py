"""Where compiled kernels are kept, by content: each entry whole or not there at all."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import GraderFault


def cache_folder() -> Path:
    """Where compiled kernels are kept: $XDG_CACHE_HOME/autograder, or ~/.cache/autograder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "autograder"


def digest(*texts: str) -> str:
    """A name for what `texts` hold, 32 hexadecimal digits."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


@contextmanager
def keeping() -> Iterator[None]:
    """Around each write into the cache.

    Raises:
        GraderFault: it cannot be written; one sentence on what to do.
    """
    try:
        yield
    except OSError as error:
        raise GraderFault(
            f"Compiled kernels cannot be kept in {cache_folder()} ({error.strerror}): "
            "set XDG_CACHE_HOME to a folder that can be written."
        ) from None


@keeping()
def publish(folder: Path, target: Path) -> None:
    """Move a finished folder into the cache, whole or not at all; who comes second loses nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(dir=target.parent))
    shutil.copytree(folder, staged, dirs_exist_ok=True)
    try:
        staged.rename(target)
    except OSError:
        if not target.exists():
            raise
        shutil.rmtree(staged)


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="autograder-") as name:
        yield Path(name)


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Only one process at a time goes on behind the same `path`."""
    with keeping():
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
