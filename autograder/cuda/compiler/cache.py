"""Keeps compiled kernels by content for a term; each entry is there completely or not at all.

What lies in the cache was made by a process that runs nothing of a student's: one that may come under a student's
control keeps what it compiles for itself (`keep_apart`). And it was made by this user, or by root: in a folder that
somebody else may write to, nothing is believed (`open_cache`).
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shlex
import shutil
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO

from ..errors import GraderFault, MachineFault, UsageError, lacking

if sys.platform == "win32":
    import msvcrt

    def _wait_for(file: IO[str]) -> None:
        while True:
            with suppress(OSError):  # Windows itself gives up after ten seconds
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _wait_for(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)


#: The file that marks a folder of the cache as finished.
SEAL = "ready"
_DAY = 24 * 60 * 60
#: Days after which we recompile a kernel, and remove what an older version made.
RETENTION_DAYS = 120


def cache_folder() -> Path:
    """Return where compiled kernels are cached: $XDG_CACHE_HOME/autograder, or ~/.cache/autograder.

    Raises:
        UsageError: neither the environment nor the system names a home folder.
    """
    return _folder_for(os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", ""))


@cache  # each launch asks several times
def _folder_for(given: str, home: str) -> Path:
    if os.path.isabs(given):  # as the standard has it, another one counts as none
        return Path(given) / "autograder"
    if home and not os.path.isabs(home):
        raise UsageError(f"HOME is {home}, which is no absolute path: set XDG_CACHE_HOME to a folder.")
    return (Path(home) if home else _home_of_user()) / ".cache/autograder"


def _home_of_user() -> Path:
    """Return the home folder as the system names it, where HOME is empty or not set."""
    if sys.platform == "win32":
        return Path.home()
    import pwd  # which a page's Python lacks

    try:
        return Path(pwd.getpwuid(os.geteuid()).pw_dir)
    except KeyError:
        raise UsageError("There is no home folder for a cache: set XDG_CACHE_HOME to a folder.") from None


def open_cache(cache: Path) -> None:
    """Make the folder `cache`, unless it is there, for this user alone.

    Raises:
        GraderFault: another user owns it, or may write to it or to a folder in it that they can reach, and could have
            put anything there. Or it cannot be made.
    """
    with keeping():
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform == "win32":  # where a home folder is its user's, and files have no such rights
            return
        # What is in a folder that nobody else can enter is safe, whatever modes the umask gave it.
        closed = not cache.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        for folder in (cache, *(() if closed else filter(Path.is_dir, cache.iterdir()))):
            status = folder.stat()
            if status.st_uid not in (0, os.geteuid()):
                raise GraderFault(
                    f"{folder}, where compiled kernels are kept, is not yours: "
                    "set XDG_CACHE_HOME to a folder of your own."
                )
            if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise GraderFault(
                    f"Others may write to {folder}, where compiled kernels are kept, and could have put anything "
                    f"there: run `rm -rf {shlex.quote(str(folder))}`, or set XDG_CACHE_HOME to a folder of your own."
                )


_apart: Path | None = None


def keep_apart(folder: Path) -> None:
    """From now on, this process and its children only read the cache; what they compile goes into `folder`."""
    global _apart
    _apart = folder


def place_of(kind: str, name: str) -> Path:
    """Return where the entry `name` of `kind` is, or is to be put if there is none."""
    shared = cache_folder() / kind / name
    return shared if _apart is None or shared.is_file() or is_whole(shared) else _apart / kind / name


def private_place_of(kind: str, name: str) -> Path:
    """As `place_of`, for entries that a process which only reads the cache must not see: they hold others' texts."""
    return (cache_folder() if _apart is None else _apart) / kind / name


def digest(*parts: str | bytes) -> str:
    """Return a name derived from `parts`, 32 hexadecimal digits: another one for other parts, whatever they hold."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(content))
        digest.update(content)
    return digest.hexdigest()[:32]


@contextmanager
def keeping() -> Iterator[None]:
    """Wraps each write into the cache.

    Raises:
        MachineFault: the cache isn't writable; the message says what to do.
    """
    try:
        yield
    except OSError as error:
        what = f"Compiled kernels cannot be cached in {cache_folder()}"
        raise lacking(what, error, "XDG_CACHE_HOME") or MachineFault(
            f"{what} ({error.strerror}): set XDG_CACHE_HOME to another folder."
        ) from None


@keeping()
def publish(folder: Path, target: Path) -> None:
    """Move a finished folder into the cache atomically, in place of a damaged one; if another process was first,
    nothing is lost."""
    target.parent.mkdir(parents=True, exist_ok=True)
    staged = target.with_name(f"{target.name}.{secrets.token_hex(8)}")
    staged.mkdir()
    for file in folder.iterdir():
        _copy(file, staged / file.name)
    seal(staged)
    try:
        staged.rename(target)
    except OSError:
        if not target.exists():
            raise
        if not is_whole(target):
            shutil.rmtree(target)
            staged.rename(target)
        else:
            shutil.rmtree(staged)


def copy_tree(source: Path, target: Path) -> None:
    """Copy the files of a folder. (shutil's function goes on after errors, and raises one without their numbers.)"""
    for file in source.rglob("*"):
        if file.is_file():
            copy = target / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())


def _copy(file: Path, target: Path) -> None:
    """Copy a file with its mode, from the beginning: where notebooks are graded, nobody may change that later."""
    mode = file.stat().st_mode
    with file.open("rb") as given, open(target, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as out:
        shutil.copyfileobj(given, out)


def build_once(folder: Path, build: Callable[[Path], object]) -> Path:
    """Let `build` fill `folder`, below a folder of the cache, and seal it, unless it is there and undamaged. Processes
    that need the same kind of folder wait for each other. Returns `folder`. Raises as `lock`, and as `build`."""
    if not is_whole(folder):
        cache = cache_folder()
        kind = folder.relative_to(cache).parts[0]
        with keeping(), lock(cache / f"{kind}.lock"):
            if not is_whole(folder):
                folder.mkdir(parents=True, exist_ok=True)
                build(folder)
                seal(folder)
    return folder


def seal(folder: Path) -> None:
    """Mark a folder as finished, and record what it holds."""
    files = (path for path in folder.rglob("*") if path.name != SEAL and path.is_file())
    checksums = {str(path.relative_to(folder)): _checksum(path) for path in files}
    (folder / SEAL).write_text(json.dumps(checksums), encoding="utf-8")


def is_whole(folder: Path) -> bool:
    """Return whether a folder is finished, and holds what it held then: a full disk or a crash of the machine may have
    left files that are too short."""
    try:
        sealed = json.loads((folder / SEAL).read_text(encoding="utf-8"))
        # Not what has come later: another process may be writing it.
        return isinstance(sealed, dict) and all(_checksum(folder / name) == sum_ for name, sum_ in sealed.items())
    except (OSError, ValueError):
        return False


def _checksum(file: Path) -> int:
    checksum = 0
    with file.open("rb") as content:
        while part := content.read(1 << 18):  # new memory for all of a large file takes longer
            checksum = zlib.crc32(part, checksum)
    return checksum


@contextmanager
def workplace() -> Iterator[Path]:
    """Yield a temporary folder.

    Raises:
        MachineFault: there can be none, or the machine lacks something while it is in use.
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="autograder-")
    except OSError as error:
        raise MachineFault(
            f"No temporary folder can be made ({error.strerror}): delete files, or set TMPDIR to another folder."
        ) from None
    with folder as name:
        try:
            yield Path(name)
        except OSError as error:
            fault = lacking(f"Temporary files cannot be used in {Path(name).parent}", error, "TMPDIR")
            if fault is None:
                raise
            raise fault from None


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Let only one process at a time run the code inside, for the same `path` in the cache. Raises as `open_cache`."""
    open_cache(path.parent)
    with keeping():
        file = path.open("w")
    with file:
        _wait_for(file)
        yield


def forget_old(cache: Path) -> None:
    """Once a day, remove kernels, programs, counts of registers, verdicts on mutants and parts of the book older than
    `RETENTION_DAYS`, and parts of the emulator unused for that long: for a class of hundreds and many versions, they
    would fill a disk. Skips what another process removes at the same time, and what we may not remove."""
    last_time = cache / "forgotten"
    with suppress(OSError):
        if last_time.exists() and time.time() - last_time.stat().st_mtime < _DAY:
            return
        last_time.touch()
        for folder in "modules signatures programs linked registers mutants page page-packages".split():
            for entry in _older(cache / folder):
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)
        for folder in ("runtime", "host", "host-library"):
            for ready in _older(cache / folder, f"*/{SEAL}"):
                shutil.rmtree(ready.parent, ignore_errors=True)


def mark_used(folder: Path) -> None:
    """Tell `forget_old` that a folder with parts of the emulator is in use, unless the cache is read-only."""
    with suppress(OSError):
        (folder / SEAL).touch()


def _older(folder: Path, pattern: str = "*") -> list[Path]:
    limit = time.time() - RETENTION_DAYS * _DAY
    return [entry for entry in folder.glob(pattern) if entry.stat().st_mtime < limit]
