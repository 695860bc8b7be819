"""Several processes on one GPU: launches run beside each other, and what is timed runs alone.

Each process has a worker of its own, so one launch never sees another's memory. But they share the GPU's time: a launch
that is timed while others run is slower by whatever they take. So every use of a GPU holds a lock on it, ordinary ones
together, a timed one alone. The locks are of the kernel's `flock`: they go when their process does, however it ends.

A second lock, the turn, keeps the order fair: whoever wants the GPU takes the turn first. An ordinary launch gives it
back as soon as it has the GPU; a timed one keeps it, so that nobody starts while it waits for those that run.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import GraderFault

#: In memory, so it is of this machine also where home folders are not. Each user has a folder of their own.
LOCKS = Path("/dev/shm") / f"autograder-{os.getuid()}"


@contextmanager
def use(gpu: str, *, alone: bool) -> Iterator[None]:
    """Wait until the GPU may be used, and hold it.

    Args:
        gpu: its address on the bus, which is the same for every process.
        alone: with nobody else, for a launch that is timed.

    Raises:
        GraderFault: there can be no lock here.
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


def visible() -> tuple[str, ...]:
    """The GPUs that CUDA may show here, as CUDA_VISIBLE_DEVICES names them; seen without starting CUDA."""
    said = os.environ.get("CUDA_VISIBLE_DEVICES")
    if said is not None:
        return tuple(name.strip() for name in said.split(",") if name.strip())
    return tuple(str(number) for number, _ in enumerate(Path("/dev").glob("nvidia[0-9]*")))


def _open(gpu: str, what: str) -> int:
    path = LOCKS / f"{re.sub(r'[^0-9A-Za-z]', '-', gpu)}.{what}"
    try:
        LOCKS.mkdir(mode=0o700, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise GraderFault(f"The GPU cannot be shared: {path} cannot be opened ({error.strerror}).") from None
