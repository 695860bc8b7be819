"""Shares one GPU between processes: ordinary launches run side by side, and timed launches run alone.

Each process has its own worker, so one launch never sees another's memory. But they share the GPU's time, and other
launches would slow down a timed one. So every use of a GPU holds a lock on it: shared for ordinary launches, exclusive
for timed ones. The locks use the kernel's `flock`, so they disappear with their process, however it ends.

A second lock, the turn, keeps the order fair: whoever wants the GPU takes the turn first. An ordinary launch gives it
back as soon as it has the GPU; a timed one keeps it, so that nobody else starts while it waits for running launches.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import GraderFault

if sys.platform != "win32":  # where no GPU is used
    import fcntl

    #: In memory, so the locks belong to this machine even if home folders are shared. Each user has a separate folder.
    LOCKS = Path("/dev/shm") / f"autograder-{os.getuid()}"


@contextmanager
def use(gpu: str, *, alone: bool) -> Iterator[None]:
    """Wait until the GPU may be used, and lock it.

    Args:
        gpu: its bus address, which is the same in every process.
        alone: exclude everyone else, for a timed launch.

    Raises:
        GraderFault: the lock can't be created.
    """
    turn, held = _open(gpu, "turn"), _open(gpu, "held")
    try:
        fcntl.flock(turn, fcntl.LOCK_EX)
        fcntl.flock(held, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        if not alone:
            fcntl.flock(turn, fcntl.LOCK_UN)
        yield
    finally:
        os.close(held)
        os.close(turn)


def lock_folder() -> Path:
    """`LOCKS`, made if it is missing, for this user alone.

    Raises:
        GraderFault: it is another user's, who could hold the locks, or have a notebook's process see other files; or it
            cannot be made.
    """
    try:
        with suppress(FileExistsError):
            LOCKS.mkdir(mode=0o700)
        status = LOCKS.lstat()
    except OSError as error:
        raise GraderFault(
            f"The GPU cannot be shared: {LOCKS} cannot be made ({error.strerror}): make room for "
            "it, or hide the GPU (CUDA_VISIBLE_DEVICES= in the environment)."
        ) from None
    if (
        not stat.S_ISDIR(status.st_mode)
        or status.st_uid != os.getuid()
        or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        raise GraderFault(
            f"The GPU cannot be shared: {LOCKS} is not a folder of yours alone. Have it removed, or hide the GPU "
            "(CUDA_VISIBLE_DEVICES= in the environment)."
        )
    return LOCKS


def visible() -> tuple[str, ...]:
    """The GPUs that CUDA may show here, in CUDA_VISIBLE_DEVICES syntax; found without starting CUDA."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return tuple(name.strip() for name in visible.split(",") if name.strip())
    return tuple(str(number) for number, _ in enumerate(Path("/dev").glob("nvidia[0-9]*")))


def _open(gpu: str, what: str) -> int:
    path = lock_folder() / f"{re.sub(r'[^0-9A-Za-z]', '-', gpu)}.{what}"
    try:
        # Only to read: what is graded must not be able to leave anything there for others.
        return os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise GraderFault(f"The GPU cannot be shared: {path} cannot be opened ({error.strerror}).") from None
