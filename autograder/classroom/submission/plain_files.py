"""Read and write single files below `submitted/`, where a student may be able to write, too.

No link is followed, neither in a file's place nor in that of the two folders around it, which are the student's and the
chapter's, whenever they are exchanged; and no pipe is waited for.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

MAX_FILE_BYTES = 20_000_000
#: Files that nbgrader's exchange writes beside a submission, and needs to return feedback; and more bytes than it
#: writes into one.
_NBGRADERS, _NBGRADERS_BYTES = ("timestamp.txt", "submission_secret.txt"), 1024


class UnreadableError(Exception):
    """The file cannot be read as a notebook; the message completes "... could not be read: "."""


def read_plain(path: Path, limit: int) -> bytes:
    """The bytes of a plain file.

    Raises:
        UnreadableError: no such file, not a plain file, one that may be another's by a second name, larger than `limit`
            bytes, or it cannot be opened.
    """
    try:
        with _folder_of(path) as place:
            status = os.stat(path.name, dir_fd=place, follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableError("it is a link or a folder, not a file")
            if status.st_nlink > 1 and _anybody_links():
                raise UnreadableError("it is a file that has a second name elsewhere (hand in a copy)")
            if status.st_size > limit:
                raise UnreadableError(
                    f"it has {status.st_size / 1e6:.0f} MB, more than {limit / 1e6:.0f} MB "
                    "(clear its outputs before saving)"
                )
            # It may have been exchanged since it was looked at.
            opened = os.open(path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
            with open(opened, "rb") as file:
                return file.read(limit)
    except FileNotFoundError:
        raise UnreadableError("there is no file of this name") from None
    except OSError as error:
        raise UnreadableError(f"the file cannot be opened ({error.strerror})") from None


def _anybody_links() -> bool:
    """Whether Linux lets anybody give a second name to a file that they may not read, such as a solution. (Elsewhere a
    second name is the owner's doing, such as a backup.)"""
    try:
        return Path("/proc/sys/fs/protected_hardlinks").read_text().strip() == "0"
    except OSError:
        return True


def write_plain(path: Path, content: bytes, modified: float) -> None:
    """Write the whole file or nothing; its time is `modified`, in seconds since 1970. Makes the two folders around it.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.parent.parent.mkdir(parents=True, exist_ok=True)
    with _folder_of(path, make=True) as place:
        staged = f".{secrets.token_hex(8)}.new"  # a name that nobody has put a link at
        opened = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=place)
        try:
            with open(opened, "wb") as file:
                file.write(content)
                file.flush()
                os.utime(file.fileno(), (modified, modified))
            os.replace(staged, path.name, src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(staged, dir_fd=place)
            raise


def modified_at(path: Path) -> float:
    """When a plain file was last modified, in seconds since 1970.

    Raises:
        OSError: there is none.
    """
    with _folder_of(path) as place:
        return os.stat(path.name, dir_fd=place, follow_symlinks=False).st_mtime


def remove_plain(path: Path, besides: Collection[str]) -> None:
    """Remove the file, and the two folders around it if they then hold no other files than `besides`.

    Raises:
        OSError: it cannot be removed.
    """
    with _folder_of(path) as place:
        os.unlink(path.name, dir_fd=place)
        with os.scandir(f"/proc/self/fd/{place}") as entries:
            left = [entry.name for entry in entries]
        if not set(left) <= set(besides):
            return
        for name in left:
            os.unlink(name, dir_fd=place)
    home, top = path.parent.parent, path.parents[2]
    with _opened(top) as above:
        with _opened(home.name, above) as place:
            os.rmdir(path.parent.name, dir_fd=place)
        with suppress(OSError):  # another chapter's folder may be there
            os.rmdir(home.name, dir_fd=above)


def copy_nbgraders_files(submission: Path, folder: Path) -> None:
    """Copy what nbgrader's exchange wrote beside a `submission` into `folder`.

    Raises:
        OSError: it cannot be written there.
    """
    for name in _NBGRADERS:
        with suppress(UnreadableError):
            (folder / name).write_bytes(read_plain(submission / name, _NBGRADERS_BYTES))


@contextmanager
def _opened(folder: str | Path, place: int | None = None) -> Iterator[int]:
    opened = os.open(folder, os.O_PATH | os.O_DIRECTORY | (0 if place is None else os.O_NOFOLLOW), dir_fd=place)
    try:
        yield opened
    finally:
        os.close(opened)


@contextmanager
def _folder_of(path: Path, make: bool = False) -> Iterator[int]:
    """The folder of the file at `path`, opened from two folders above it on, one by one."""
    above = path.parents[min(2, len(path.parents) - 1)]
    with ExitStack() as stack:
        place = stack.enter_context(_opened(above))
        for name in path.parent.relative_to(above).parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=place)
            place = stack.enter_context(_opened(name, place))
        yield place
