"""Where compiled kernels are kept, by content, for a term: each entry whole or not there at all."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import GraderFault

_DAY = 24 * 60 * 60
#: Days after which a compiled kernel is made anew, and what an older version has made is gone.
KEPT_DAYS = 120


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


def forget_old(cache: Path) -> None:
    """Remove, once a day, the compiled kernels in `cache` that are older than `KEPT_DAYS`, and the emulator's own parts
    that were not asked for as long; of a class of hundreds and of many versions, they would fill a disk. What another
    process removes at the same time, or may not be removed, is passed over."""
    asked = cache / "forgotten"
    with suppress(OSError):
        if asked.exists() and time.time() - asked.stat().st_mtime < _DAY:
            return
        asked.touch()
        for folder in ("modules", "warnings"):
            for entry in _older(cache / folder):
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)
        for ready in _older(cache / "runtime", "*/ready"):
            shutil.rmtree(ready.parent, ignore_errors=True)


def _older(folder: Path, pattern: str = "*") -> list[Path]:
    limit = time.time() - KEPT_DAYS * _DAY
    return [entry for entry in folder.glob(pattern) if entry.stat().st_mtime < limit]
