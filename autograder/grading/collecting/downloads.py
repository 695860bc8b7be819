"""Read an LMS's downloads: folders, archives and nested archives, full of names that others chose.

Nothing is unpacked under its own name: the bytes of each notebook go into a folder of ours, and where they came from
is kept as data. So no name can lead out of that folder, no link is followed, and only notebooks are read.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ...errors import UsageError
from ..submission.handin import MAX_FILE_BYTES

#: Limits on unpacked bytes: of all notebooks and archives in a download, and of those in a nested archive.
DOWNLOAD_BYTES, INNER_BYTES = 4 << 30, 100 << 20
MAX_ENTRIES = 100_000
#: How deep archives may be nested.
MAX_DEPTH = 3

_NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.I)  # some browsers append the type they guess
_OTHER_ARCHIVE = re.compile(r"\.(7z|rar|tar|gz|tgz|bz2|xz)$", re.I)
#: Files that operating systems and Jupyter put beside a student's.
_NOT_HANDED_IN = re.compile(r"__MACOSX|\.ipynb_checkpoints|\.DS_Store|\._.*")


@dataclass(frozen=True)
class Found:
    """A file of a download.

    Args:
        parts: the folders and archives that contain it, outermost first, and its own name.
        content: its bytes, in a file of ours; None if it is not a notebook.
        modified: when it was last modified, in seconds since 1970.
    """

    parts: tuple[str, ...]
    content: Path | None
    modified: float

    @property
    def name(self) -> str:
        return "/".join(self.parts)


@dataclass(frozen=True)
class Unread:
    """A file that could not be read: `parts` as in `Found`, and why not and what to do, in one or two sentences."""

    parts: tuple[str, ...]
    why: str

    @property
    def name(self) -> str:
        return "/".join(self.parts)


def read_download(source: Path, folder: Path) -> Iterator[Found | Unread]:
    """All files of `source` (a folder, a zip archive or a notebook); notebooks are copied into `folder`.

    Raises:
        UsageError: `source` does not exist.
    """
    if not source.exists():
        raise UsageError(f"{source} does not exist: name the folder or the archive that the LMS gave.")
    for path, parts in _files(source):
        yield from _read_file(path, parts, folder)


def _files(source: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    if not source.is_dir():
        yield source, (source.name,)
        return
    for home, folders, names in os.walk(source):
        links = [name for name in folders if Path(home, name).is_symlink()]
        folders[:] = sorted(name for name in folders if _is_handed_in(name) and name not in links)
        for name in sorted([*names, *links]):
            path = Path(home, name)
            if _is_handed_in(name):
                yield path, path.relative_to(source).parts


def _read_file(path: Path, parts: tuple[str, ...], folder: Path) -> Iterator[Found | Unread]:
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            yield Unread(parts, "it is a link or no file at all, and is not followed. Put the file itself there.")
        elif parts[-1].lower().endswith(".zip"):
            with path.open("rb") as file:
                yield from _Archive(file, parts, folder, DOWNLOAD_BYTES, 1).read()
        elif _OTHER_ARCHIVE.search(parts[-1]):
            yield Unread(parts, _UNPACK)
        elif not _NOTEBOOK.search(parts[-1]):
            yield Found(parts, None, status.st_mtime)
        elif status.st_size > MAX_FILE_BYTES:
            yield Unread(parts, _too_large(status.st_size))
        else:
            with path.open("rb") as file:
                yield Found(parts, _keep(file, folder), status.st_mtime)
    except OSError as error:
        yield Unread(parts, f"it cannot be read ({error.strerror}).")


class _Archive:
    """A zip archive, read within limits: it may unpack to at most `budget` bytes."""

    def __init__(self, file: IO[bytes], parts: tuple[str, ...], folder: Path, budget: int, depth: int) -> None:
        self._file, self._parts, self._folder, self._budget, self._depth = file, parts, folder, budget, depth

    def read(self) -> Iterator[Found | Unread]:
        try:
            with zipfile.ZipFile(self._file) as archive:
                entries = archive.infolist()
                if len(entries) > MAX_ENTRIES:
                    yield Unread(self._parts, f"it holds {len(entries)} files, more than {MAX_ENTRIES}. {_BOMB}")
                    return
                for entry in entries:
                    if not entry.is_dir():
                        yield from self._read_entry(archive, entry)
                    if self._budget < 0:
                        yield Unread(self._parts, f"it unpacks to far more than a submission needs. {_BOMB}")
                        return
        except (*_BROKEN, OSError) as error:
            yield Unread(self._parts, f"it is no archive that can be read ({error}). Ask for it again.")

    def _read_entry(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[Found | Unread]:
        inside = re.split(r"[/\\]+", entry.filename)  # archives made on Windows may part names by \
        parts = (*self._parts, *inside)
        if not all(map(_is_handed_in, inside)):
            return
        if ".." in inside or "" in inside or re.match(r"[A-Za-z]:", inside[0]):
            yield Unread(parts, "its name leads out of the archive. No ordinary program makes such names: ask.")
        elif stat.S_ISLNK(entry.external_attr >> 16):
            yield Unread(parts, "it is a link, and is not followed. Ask for the file itself.")
        elif inside[-1].lower().endswith(".zip"):
            yield from self._read_inner(archive, entry, parts)
        elif _OTHER_ARCHIVE.search(inside[-1]):
            yield Unread(parts, _UNPACK)
        elif not _NOTEBOOK.search(inside[-1]):
            yield Found(parts, None, _modified(entry))
        else:
            yield self._read_notebook(archive, entry, parts)

    def _read_notebook(
        self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...]
    ) -> Found | Unread:
        try:
            with archive.open(entry) as file:  # what an entry says of its size may be wrong
                kept = _keep(file, self._folder)
        except _BROKEN as error:
            return Unread(parts, f"it cannot be unpacked ({error}). Ask for it again.")
        size = kept.stat().st_size
        self._budget -= size
        if size > MAX_FILE_BYTES:
            kept.unlink()
            return Unread(parts, _too_large(entry.file_size))
        return Found(parts, kept, _modified(entry))

    def _read_inner(
        self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...]
    ) -> Iterator[Found | Unread]:
        if self._depth == MAX_DEPTH:
            yield Unread(parts, f"it lies in archives in archives. {_UNPACK}")
            return
        limit = min(self._budget, INNER_BYTES)
        with tempfile.TemporaryFile() as file:
            try:
                with archive.open(entry) as packed:
                    size = _copy(packed, file, limit)
            except _BROKEN as error:
                yield Unread(parts, f"it cannot be unpacked ({error}). Ask for it again.")
                return
            self._budget -= size
            if size > limit:
                yield Unread(parts, f"it unpacks to far more than a submission needs. {_BOMB}")
                return
            inner = _Archive(file, parts, self._folder, limit, self._depth + 1)
            yield from inner.read()
            self._budget -= limit - inner._budget


#: What zipfile raises for an archive that is broken, encrypted, or compressed by a method that it does not know.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)
_UNPACK = "Only zip archives are unpacked here: unpack it by hand, and collect the folder."
_BOMB = "Look at it by hand, and collect the folder that you make of it."


def _too_large(size: int) -> str:
    limit = MAX_FILE_BYTES / 1e6
    return f"it has {size / 1e6:.0f} MB, and a notebook at most {limit:.0f} MB. Ask for it with its outputs cleared."


def _is_handed_in(name: str) -> bool:
    return not _NOT_HANDED_IN.fullmatch(name)


def _modified(entry: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*entry.date_time, 0, 0, -1))  # local time where it was made: archives hold no time zone
    except (ValueError, OverflowError):
        return 0.0


def _keep(file: IO[bytes], folder: Path) -> Path:
    handle, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as kept:
        _copy(file, kept, MAX_FILE_BYTES)
    return Path(name)


def _copy(file: IO[bytes], to: IO[bytes], limit: int) -> int:
    """Copy; return how many bytes, at most one piece beyond `limit`."""
    size = 0
    while size <= limit and (piece := file.read(1 << 20)):
        to.write(piece)
        size += len(piece)
    return size
