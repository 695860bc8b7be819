"""Runs the ziglang wheel's programs in a process with limits, because their input is a student's."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import mmap
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ..errors import GraderFault, MachineFault, UsageError, cannot_start
from .cache import cache_folder
from .engine import VARIABLE, Engine, engine, host_command, native_problem

#: The wheel, pinned as in pyproject.toml: messages and counts depend on the compiler's version. (0.17.0 itself has no
#: wheels for Windows; its files for Linux are the same.)
WHEEL = "ziglang==0.17.0.post0"
#: Processor time for one step of the compiler, in seconds. (By the clock, a busy machine would refuse a text.)
COMPILE_SECONDS = 15
#: How many times as long the step may take by the clock.
PATIENCE = 20
#: Most address space for the compiler, and the largest file that it may write, in bytes.
COMPILE_MEMORY = 4 << 30
COMPILE_OUTPUT = 64 << 20
#: Processor time for one step of building what is ours, in seconds.
_BUILD_SECONDS = 600
#: The first of a failed build's messages that is an error.
_ERROR = re.compile(r"^.*\berror: .*$", re.M)
#: For `zig build-obj`, each of whose threads reserves address space: one for each of 128 cores took more than that.
FEW_THREADS = "-j2"
#: By a shell, from the first instruction on; a process may not set another one's limits where notebooks are graded.
#: macOS limits no address space.
_MEMORY = f"ulimit -v {COMPILE_MEMORY >> 10}; " if sys.platform == "linux" else ""
_LIMITED = f"{_MEMORY}ulimit -f {COMPILE_OUTPUT >> 9}; ulimit -S -t"
#: The exit statuses of a program that took too long, and of one that wrote too much, or whose shell tells of it.
TOOK_TOO_LONG: tuple[int, ...] = ()
WROTE_TOO_MUCH: tuple[int, ...] = ()
#: Those of a compiler that broke down on its input: LLVM's own, a memory access or stack overflow on Windows, signals.
BROKE_DOWN: tuple[int, ...] = (70, 0xC0000005, 0xC00000FD)
#: Those of a program that the system has killed.
_KILLED: tuple[int, ...] = ()
if sys.platform != "win32":  # where only the clock ends it
    TOOK_TOO_LONG = (-signal.SIGXCPU,)
    WROTE_TOO_MUCH = (-signal.SIGXFSZ, 128 + signal.SIGXFSZ)
    BROKE_DOWN = (70, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGILL, -signal.SIGFPE)
    _KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)

_MISSING = f"The emulator's compiler is missing: run `pip install {WHEEL}`."


def problem() -> str | None:
    """Why nothing can be emulated on this machine, in one sentence; None if it can."""
    if importlib.util.find_spec("ziglang") is None:
        return _MISSING
    if why := _wheel_problem(executable()):
        return why
    try:
        if engine() is Engine.WEBASSEMBLY:
            host_command()
        elif why := native_problem():
            return f"The native engine needs Linux on x86-64 with glibc 2.28 or later, and {why}: unset {VARIABLE}."
    except UsageError as error:
        return str(error)
    return None


@cache  # each launch asks
def _wheel_problem(compiler: Path) -> str | None:
    """Why this compiler cannot be used, in one sentence; None if it can."""
    needed = WHEEL.partition("==")[2]
    if (found := importlib.metadata.version("ziglang")) != needed:
        return f"The emulator's compiler is of version {found}, and {needed} is needed: run `pip install {WHEEL}`."
    return None if os.access(compiler, os.X_OK) else _damaged(compiler)


def _damaged(compiler: Path) -> str:
    again = f"`pip install --force-reinstall {WHEEL}`"
    return f"The emulator's compiler, {compiler}, is damaged or may not be started: run {again}."


def run(
    command: Sequence[str | Path],
    folder: Path,
    env: dict[str, str] | None = None,
    seconds: int = COMPILE_SECONDS,
    *,
    first: Sequence[str | Path] = (),
) -> subprocess.CompletedProcess[str]:
    """Run a program of the compiler in `folder`, with at most `seconds` of processor time; and before it, if it is
    given, `first`, which must succeed. (Windows has no such limit, and no shell for `first`, which is native code's.)

    Raises:
        MachineFault: the program cannot be started, or the machine is so busy that it did not get them.
    """
    system: dict[str, str] = {}
    if sys.platform == "win32":
        whole, system = list(map(str, command)), {"SYSTEMROOT": os.environ["SYSTEMROOT"]}
    else:
        before = f"{shlex.join(map(str, first))} && " if first else ""
        whole = ["/bin/sh", "-c", f'{_LIMITED} {seconds}; {before}exec "$@"', "sh", *map(str, command)]
    try:
        started = subprocess.Popen(
            whole,
            cwd=folder,
            env={**system, **(env or {})},  # nothing of the user's environment decides what is compiled
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise cannot_start("The compiler", error) from None
    with started as process:
        try:
            out, log = process.communicate(timeout=PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise MachineFault(
                f"The machine is too busy: the compiler did not get {seconds} seconds of a processor in "
                f"{PATIENCE * seconds} seconds. Try again when less is running."
            ) from None
        except BaseException:  # including an interrupt
            process.kill()
            raise
    if process.returncode in _NOT_STARTED and not os.access(command[0], os.X_OK):
        raise MachineFault(_damaged(Path(command[0])))
    return subprocess.CompletedProcess(command, process.returncode, out, log)


#: How a shell ends that cannot start a program.
_NOT_STARTED = (126, 127)


def require_share(status: int, folder: Path) -> None:
    """Check that a program of the compiler, which failed in `folder` with this exit status, had what each one may take.
    Only where the machine gives that much is a text to blame for taking too much.

    Raises:
        MachineFault: the system killed the program, or has too little memory or disk space for it.
    """
    if status in _KILLED:
        raise MachineFault(
            "The system killed the compiler, perhaps for lack of memory: try again when less is running."
        )
    if sys.platform != "linux":
        return
    try:
        mmap.mmap(-1, COMPILE_MEMORY, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()  # reserved, not used
    except OSError:
        raise MachineFault(
            f"This machine does not give the compiler the {COMPILE_MEMORY >> 30} GB of memory that it may take: "
            "try again when less is running, or with a higher limit (`ulimit -v`)."
        ) from None
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, COMPILE_OUTPUT)
    except OSError as error:
        variable = "XDG_CACHE_HOME" if folder.is_relative_to(cache_folder()) else "TMPDIR"
        raise MachineFault(
            f"{folder.parent} has no room for the {COMPILE_OUTPUT >> 20} MB that the compiler may write "
            f"({error.strerror}): delete files there, or set {variable} to another folder."
        ) from None


def build(command: Sequence[str | Path], folder: Path, what: str) -> None:
    """Run the compiler in `folder` on sources of ours; its caches are there, too.

    Args:
        what: what is built, as an error says it.

    Raises:
        MachineFault: the machine has too little memory or disk space. GraderFault: it does not build.
    """
    caches = {f"ZIG_{which}_CACHE_DIR": str(folder / "zig") for which in ("GLOBAL", "LOCAL")}
    done = run([executable(), *command], folder, caches, seconds=_BUILD_SECONDS)
    if done.returncode:
        require_share(done.returncode, folder)
        error = _ERROR.search(done.stderr)
        raise GraderFault(f"{what} does not build: {error[0] if error else done.stderr.strip()[-2000:]}")


@cache
def executable() -> Path:
    """Path of the wheel's program.

    Raises:
        MachineFault: it is not installed.
    """
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise MachineFault(_MISSING)
    return Path(spec.origin).parent / ("zig.exe" if sys.platform == "win32" else "zig")
