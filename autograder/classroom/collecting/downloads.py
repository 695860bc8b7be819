"""Read an LMS's downloads: folders, archives and nested archives, full of names that others chose.

Nothing is unpacked under its own name: the bytes of each notebook go into a folder of ours, and where they came from
is kept as data. So no name can lead out of that folder, no link is followed, and only notebooks are read.
"""

from __future__ import annotations

import datetime
import os
import re
import shutil
import stat
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO

from ...cuda.errors import UsageError
from ..lms import listings
from ..submission.cells import MAX_BRACKETS
from ..submission.plain_files import MAX_FILE_BYTES, UnreadableError
from ..submission.texts import MAX_ANSWER_BYTES
from .budget import Budget
from .outputs import MAX_WITH_OUTPUTS, without_outputs

#: Limits on unpacked bytes: of all notebooks and archives in all downloads of a run, and of those in a nested archive.
DOWNLOAD_BYTES, INNER_BYTES = 4 << 30, 100 << 20
#: Most files of an archive, and bytes of its directory, which lists them.
MAX_ENTRIES, MAX_DIRECTORY = 100_000, 16 << 20
#: How many times as large as itself an archive in an archive may unpack to, if that is more than one notebook; and all
#: archives of a run together, if that is more than `INNER_BYTES`.
MAX_RATIO = 100
#: Most characters of a name in an archive (Linux takes no longer ones), and of folders that contain it.
MAX_NAME, MAX_PARTS = 255, 50
#: How deep archives may be nested.
MAX_DEPTH = 3

#: Some browsers append the type they guess.
_NOTEBOOK = re.compile(r"\.ipynb(\.txt|\.json)?$", re.I)
_SOURCE = re.compile(r"(?<!\.ipynb)\.(cu|cuh|txt)$", re.I)
_OTHER_ARCHIVE = re.compile(r"\.(7z|rar|tar|gz|tgz|bz2|xz)$", re.I)
#: Files that operating systems and Jupyter put beside a student's.
_NOT_HANDED_IN = re.compile(r"__MACOSX|\.ipynb_checkpoints|\.DS_Store|\._.*")


@dataclass(frozen=True)
class Found:
    """A file of a download.

    Args:
        parts: the folders and archives that contain it, outermost first, and its own name.
        content: its bytes, in a file of ours; None if it is not a notebook, nor says whose the others are.
        modified: when it was last modified, in seconds since 1970.
        handed_in: when it was handed in, if a file beside it says so.
        source: the bytes of a file that may hold an answer by itself, such as a kernel; None if it is of another kind.
        trouble: why it could not be read and what to do, in one or two sentences; "" if it could.
    """

    parts: tuple[str, ...]
    content: Path | None = None
    modified: float = 0.0
    handed_in: datetime.datetime | None = None
    source: bytes | None = None
    trouble: str = ""

    @property
    def name(self) -> str:
        return "/".join(self.parts)


def read_downloads(sources: Sequence[Path], folder: Path) -> Iterator[tuple[Path, list[Found]]]:
    """Each of `sources` (folders, zip archives or notebooks) with all its files; notebooks are copied into `folder`.

    Raises:
        UsageError: one of `sources` does not exist.
    """
    for source in sources:
        if not source.exists():
            raise UsageError(f"{source} does not exist: name the folder or the archive that the LMS gave.")
    budget = _budget_of(sources)
    for source in sources:
        found: list[Found] = []
        for place, parts in _files(source):
            found += _guarded(parts, _read_file(place, parts, folder, budget))
        yield source, found


def _budget_of(sources: Sequence[Path]) -> Budget:
    packed, sizes = 0, []
    for place, parts in (file for source in sources for file in _files(source) if _is_archive(file[1][-1])):
        with suppress(Exception), _open(place, parts[-1]) as file, zipfile.ZipFile(_InPieces(file)) as archive:
            packed += file.seek(0, os.SEEK_END)
            sizes.append(_size(archive.infolist()))
    return Budget.shared(min(DOWNLOAD_BYTES, max(INNER_BYTES, MAX_RATIO * packed)), sizes)


def _size(entries: Sequence[zipfile.ZipInfo]) -> int:
    return sum(entry.file_size for entry in entries if _is_archive(entry.filename) or _is_read(entry.filename))


def _is_archive(name: str) -> bool:
    return name.lower().endswith(".zip")


def _is_read(path: str) -> bool:
    """Whether a file is a notebook, or the list of an LMS of whose each folder is."""
    return bool(_NOTEBOOK.search(path)) or path.rpartition("/")[2] in listings()


def _files(source: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each file's open folder, and its names below `source`; no link is followed, whenever it is put there."""
    if not source.is_dir():
        place = os.open(source.parent, os.O_PATH | os.O_DIRECTORY)
        try:
            yield place, (source.name,)
        finally:
            os.close(place)
        return
    top = source.resolve()
    for home, folders, names, place in os.fwalk(top):
        above = Path(home).relative_to(top).parts
        inner = [name for name in folders if _is_folder(name, place) and len(above) < MAX_PARTS]
        rest = {*names, *folders} - {*inner}
        folders[:] = sorted(filter(_is_handed_in, inner))
        for name in sorted(filter(_is_handed_in, rest)):
            yield place, (*above, name)


def _is_folder(name: str, place: int) -> bool:
    try:
        return stat.S_ISDIR(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode)
    except OSError:  # it is gone
        return False


def _read_file(place: int, parts: tuple[str, ...], folder: Path, budget: Budget) -> Iterator[Found]:
    status = os.stat(parts[-1], dir_fd=place, follow_symlinks=False)
    if stat.S_ISDIR(status.st_mode):
        yield Found(parts, trouble=f"it is nested in more than {MAX_PARTS} folders. Put what is in it elsewhere.")
    elif not stat.S_ISREG(status.st_mode):
        yield Found(parts, trouble="it is a link or no file at all, and is not followed. Put the file itself there.")
    elif _is_archive(parts[-1]):
        with _open(place, parts[-1]) as file:
            limit = min(budget.left, budget.each)
            archive = _Archive(file, parts, folder, limit, 1)
            yield from archive.read()
            budget.left -= limit - archive.budget
    elif _OTHER_ARCHIVE.search(parts[-1]):
        yield Found(parts, trouble=_UNPACK)
    elif not _is_read(parts[-1]):
        source = None
        if _SOURCE.search(parts[-1]) and status.st_size <= MAX_ANSWER_BYTES:
            with _open(place, parts[-1]) as file:
                source = file.read(MAX_ANSWER_BYTES)
        yield Found(parts, None, status.st_mtime, source=source)
    elif status.st_size > MAX_WITH_OUTPUTS:
        yield Found(parts, trouble=_too_large(status.st_size))
    else:
        with _open(place, parts[-1]) as file:
            yield _take(file, parts, folder, status.st_mtime)


def _open(place: int, name: str) -> BinaryIO:
    """The file, which may have been exchanged since it was looked at."""
    return open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place), "rb")


class _Archive:
    """A zip archive, read within limits: it may unpack to at most `budget` bytes, less what was
    unpacked. Its directory says what it would unpack to, and zipfile unpacks no more of a file than that."""

    def __init__(self, file: IO[bytes], parts: tuple[str, ...], folder: Path, budget: int, depth: int) -> None:
        self._file, self._parts, self._folder, self.budget, self._depth = file, parts, folder, budget, depth

    def read(self) -> Iterator[Found]:
        try:
            archive = zipfile.ZipFile(_InPieces(self._file))
        except Exception as error:  # zipfile raises nearly anything for an archive that was made to do so
            yield Found(
                self._parts, trouble=f"it is not an archive that can be read ({_message(error)}). Ask for it again."
            )
            return
        with archive:
            entries = archive.infolist()
            if len(entries) > MAX_ENTRIES:
                yield Found(self._parts, trouble=f"it holds {len(entries)} files, more than {MAX_ENTRIES}. {_BOMB}")
            elif self._depth > 1 and self._is_bomb(entries):
                yield Found(self._parts, trouble=f"it {_UNPACKS_TO_MORE}")
            else:
                # The smallest first: what others hand in is left out only after all that is larger.
                for entry in sorted(entries, key=lambda entry: entry.file_size):
                    yield from self._read_entry(archive, entry)

    def _is_bomb(self, entries: Sequence[zipfile.ZipInfo]) -> bool:
        size = _size(entries)
        packed = self._file.seek(0, os.SEEK_END)
        return size > self.budget or (size > MAX_FILE_BYTES and size > MAX_RATIO * packed)

    def _is_source(self, entry: zipfile.ZipInfo) -> bool:
        fits = entry.file_size <= min(MAX_ANSWER_BYTES, self.budget)
        ordinary = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        return fits and ordinary and bool(_SOURCE.search(entry.filename))

    def _read_entry(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[Found]:
        if entry.filename.endswith("/"):  # a folder
            return
        inside = re.split(r"[/\\]+", entry.filename, maxsplit=MAX_PARTS)  # archives made on Windows may part names by \
        if len(inside) > MAX_PARTS or max(map(len, inside)) > MAX_NAME:
            shown = f"{entry.filename[:40]}..."
            yield Found((*self._parts, shown), trouble="its name is too long. Ask for it by another name.")
            return
        parts = (*self._parts, *inside)
        if not all(map(_is_handed_in, inside)):
            return
        if ".." in inside or "" in inside or re.match(r"[A-Za-z]:", inside[0]):
            yield Found(parts, trouble="its name leads out of the archive. No ordinary program makes such names: ask.")
        elif stat.S_ISLNK(entry.external_attr >> 16):
            yield Found(parts, trouble="it is a link, and is not followed. Ask for the file itself.")
        elif _OTHER_ARCHIVE.search(inside[-1]):
            yield Found(parts, trouble=_UNPACK)
        elif not (_is_archive(inside[-1]) or _is_read(inside[-1])) and not self._is_source(entry):
            yield Found(parts, None, _modified(entry))
        elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # Only of these two does zipfile unpack no more at a time than it is asked for.
            yield Found(
                parts,
                trouble="it is compressed by a method that is not supported. Ask for it again, in an ordinary zip.",
            )
        else:
            yield from _guarded(parts, self._unpack(archive, entry, parts))

    def _unpack(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...]) -> Iterator[Found]:
        if self._is_source(entry):
            self.budget -= entry.file_size
            with archive.open(entry) as packed:
                yield Found(parts, None, _modified(entry), source=packed.read(MAX_ANSWER_BYTES))
            return
        is_notebook = _is_read(parts[-1])
        if is_notebook and entry.file_size > MAX_WITH_OUTPUTS:
            yield Found(parts, trouble=_too_large(entry.file_size))
        elif not is_notebook and self._depth == MAX_DEPTH:
            yield Found(parts, trouble=f"it is in archives within archives. {_UNPACK}")
        elif entry.file_size > min(self.budget, DOWNLOAD_BYTES if is_notebook else INNER_BYTES):
            yield Found(parts, trouble=f"it {_UNPACKS_TO_MORE}")
        else:
            self.budget -= entry.file_size
            with archive.open(entry) as packed:
                if is_notebook:
                    yield _take(packed, parts, self._folder, _modified(entry))
                else:
                    yield from self._read_inner(packed, parts)

    def _read_inner(self, packed: IO[bytes], parts: tuple[str, ...]) -> Iterator[Found]:
        with tempfile.TemporaryFile() as file:
            shutil.copyfileobj(packed, file)
            limit = min(self.budget, INNER_BYTES)
            inner = _Archive(file, parts, self._folder, limit, self._depth + 1)
            yield from inner.read()
            self.budget -= limit - inner.budget


class _InPieces:
    """A file of which at most `MAX_DIRECTORY` bytes are read at a time: zipfile reads an archive's directory whole, and
    makes objects of it, before anybody sees how much it holds."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MAX_DIRECTORY:
            size = MAX_DIRECTORY + 1
        if len(piece := self._file.read(size)) > MAX_DIRECTORY:
            raise zipfile.BadZipFile(f"its directory has more than {MAX_DIRECTORY >> 20} MB")
        return piece


def _guarded(parts: tuple[str, ...], found: Iterator[Found]) -> Iterator[Found]:
    """What is `found` of a file. A file at which a library fails, in whatever way, ends nothing."""
    try:
        yield from found
    except Exception as error:
        yield Found(parts, trouble=f"it cannot be read ({_message(error)}). Ask for it again.")


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}".removesuffix(": ")


_UNPACK = "Only zip archives are unpacked here: unpack it by hand, and collect the folder."
_BOMB = "Look at it by hand, and collect the folder that you make of it."
_UNPACKS_TO_MORE = f"unpacks to far more than a submission needs. {_BOMB}"


def _too_large(size: int) -> str:
    limit = f"{MAX_FILE_BYTES / 1e6:.0f} MB without its outputs, and {MAX_WITH_OUTPUTS / 1e6:.0f} MB with them"
    return f"it has {size / 1e6:.0f} MB, and a notebook at most {limit}. Ask for it with its outputs cleared."


def _is_handed_in(name: str) -> bool:
    return not _NOT_HANDED_IN.fullmatch(name)


def _modified(entry: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*entry.date_time, 0, 0, -1))  # local time where it was made: archives hold no time zone
    except (ValueError, OverflowError):
        return 0.0


def _take(file: IO[bytes], parts: tuple[str, ...], folder: Path, modified: float) -> Found:
    """A notebook, without its outputs if these are what makes it too large: nobody grades them."""
    content = _keep(file, folder)
    size, raw = content.stat().st_size, content.read_bytes()
    if size > MAX_FILE_BYTES or raw.count(b"{") + raw.count(b"[") > MAX_BRACKETS:
        try:
            raw = without_outputs(raw) if raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else raw
        except UnreadableError as error:
            if size > MAX_FILE_BYTES:
                return Found(
                    parts, trouble=f"it has {size / 1e6:.0f} MB, and {error}. Ask for it with its outputs cleared."
                )
        content.write_bytes(raw)
    return Found(parts, trouble=_too_large(size)) if len(raw) > MAX_FILE_BYTES else Found(parts, content, modified)


def _keep(file: IO[bytes], folder: Path) -> Path:
    handle, name = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as copy:
        shutil.copyfileobj(file, copy)
    return Path(name)
