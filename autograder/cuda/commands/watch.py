"""Runs a command again whenever one of its files changes.

It compares what `stat` returns, five times a second. A library that waits for the system's events would be one more
package to install, and hears nothing of changes on network drives and in some containers; there are few files to
look at.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from ..errors import UsageError

_SECONDS = 0.2


def watch(file: Path, folders: Sequence[Path], run: Callable[[], Sequence[Path]]) -> NoReturn:
    """Run until Ctrl-C: once, and again after each change of one of the files that `run` returns.

    Args:
        file: what is run.
        folders: where its headers may be, besides beside it. After a run that raises UsageError, any file there may be
            the one whose change fixes it.
    """
    while True:
        print(f"autograder: running {file}", file=sys.stderr, flush=True)
        before = _state([file, *_inside(file, folders)])
        try:
            files: Iterable[Path] = {file, *run()}
        except UsageError as error:
            print(f"autograder: {error}", file=sys.stderr)
            files = before.keys()
        sys.stdout.flush()
        print(f"autograder: waiting for a change of {file} or its headers (Ctrl-C ends)", file=sys.stderr, flush=True)
        _wait({path: before[path] if path in before else _state([path])[path] for path in files})


def _wait(known: dict[Path, tuple[int, ...]]) -> None:
    """Return once something has changed, and nothing more changes: an editor writes in several steps."""
    while (now := _state(known)) == known:
        time.sleep(_SECONDS)
    while True:
        time.sleep(_SECONDS)
        before, now = now, _state(known)
        if before == now:
            return


def _inside(file: Path, folders: Sequence[Path]) -> list[Path]:
    return [path for folder in (file.resolve().parent, *folders) if folder.is_dir() for path in folder.iterdir()]


def _state(files: Iterable[Path]) -> dict[Path, tuple[int, ...]]:
    """Return what differs between the versions of a file: an editor may write it in place, or put another one there."""
    found: dict[Path, tuple[int, ...]] = {}
    for file in files:
        try:
            status = file.stat()
            found[file] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            found[file] = ()
    return found
