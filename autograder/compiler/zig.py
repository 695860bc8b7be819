"""Runs the ziglang wheel's programs in a process with limits, because their input is a student's."""

from __future__ import annotations

import importlib.util
import platform
import shlex
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..errors import GraderFault, UsageError

#: The wheel, pinned as in pyproject.toml: messages and counts depend on the compiler's version.
WHEEL = "ziglang==0.17.0"
#: Processor time for one step of the compiler, in seconds. (By the clock, a busy machine would refuse a text.)
COMPILE_SECONDS = 15
#: How many times as long the step may take by the clock.
PATIENCE = 20
#: Most address space for the compiler, and the largest file that it may write, in bytes.
COMPILE_MEMORY = 4 << 30
COMPILE_OUTPUT = 64 << 20
#: By a shell, from the first instruction on; a process may not set another one's limits where notebooks are graded.
_LIMITED = f"ulimit -v {COMPILE_MEMORY >> 10}; ulimit -f {COMPILE_OUTPUT >> 9}; ulimit -S -t"

_MISSING = f"The emulator's compiler is missing: run `pip install {WHEEL}`."


def problem() -> str | None:
    """Why nothing can be emulated on this machine, in one sentence; None if it can."""
    if why := system_problem():
        return why
    if importlib.util.find_spec("ziglang") is None:
        return _MISSING
    return None


def system_problem() -> str | None:
    """What makes the system itself unusable, in one sentence; None if nothing does."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return (
            f"The emulator needs Linux on x86-64, and this is {platform.system()} on "
            f"{platform.machine()}: use Colab, WSL or a Linux machine."
        )
    if _libc() != "glibc":
        return "The emulator needs the GNU C library, which this Linux or its Python is without: use Colab or Debian."
    return None


@cache  # it reads Python's executable
def _libc() -> str:
    return platform.libc_ver()[0]


def run(
    command: Sequence[str | Path],
    folder: Path,
    env: dict[str, str] | None = None,
    seconds: int = COMPILE_SECONDS,
    *,
    first: Sequence[str | Path] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a program of the compiler in `folder`, with at most `seconds` of processor time; and before it, if it is
    given, `first`, which must succeed.

    Raises:
        GraderFault: the machine is so busy that the program did not get them.
    """
    before = f"{shlex.join(map(str, first))} && " if first else ""
    with subprocess.Popen(
        ["/bin/sh", "-c", f'{_LIMITED} {seconds}; {before}exec "$@"', "sh", *map(str, command)],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    ) as process:
        try:
            out, log = process.communicate(timeout=PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise GraderFault(
                f"The machine is too busy: the compiler did not get {seconds} seconds of a processor in "
                f"{PATIENCE * seconds} seconds. Try again when less is running."
            ) from None
        except BaseException:  # including an interrupt
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, log)


@cache
def executable() -> Path:
    """Path of the wheel's program.

    Raises:
        UsageError: it is not installed.
    """
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise UsageError(_MISSING)
    return Path(spec.origin).parent / "zig"
