"""Files that are made to end `autograder collect`, or to cost the others their submissions."""

from __future__ import annotations

import bz2
import errno
import io
import os
import random
import stat
import struct
import subprocess
import tracemalloc
import zipfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import inputs
import pytest
from lms_files import NOON, left, listed, notebook, packed, put, submitted

from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting import downloads, uncollected
from autograder.classroom.collecting.collect import collect, lines_of
from autograder.classroom.collecting.downloads import read_downloads
from autograder.classroom.submission.plain_files import write_plain

pytestmark = inputs.grading


@pytest.fixture
def room(lms_room: Classroom) -> Classroom:
    return lms_room


def with_method(content: bytes, method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("one.ipynb", content)
    return file.getvalue()


def damaged(archive: bytes, at: int, count: int = 12) -> bytes:
    """`archive` with `count` other bytes from `at` on in what it packs first."""
    start = archive.index(b"one.ipynb") + len("one.ipynb") + at
    return archive[:start] + bytes(255 - b for b in archive[start : start + count]) + archive[start + count :]


def raw(name: bytes, packed: bytes, method: int, size: int, listed: int = 1) -> bytes:
    """An archive of one file, made by hand; its directory lists it `listed` times."""
    both = struct.pack("<4H3I2H", 0, method, 0, 33, 0, len(packed), size, len(name), 0)
    local = b"PK\3\4\x14\0" + both + name + packed
    entry = b"PK\1\2\x14\0\x14\0" + both + struct.pack("<3H2I", 0, 0, 0, 0, 0) + name
    directory = len(entry) * listed
    end = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, listed, listed, directory, len(local))
    end += struct.pack("<4sIQI", b"PK\6\7", 0, len(local) + directory, 1)
    end += struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return local + entry * listed + end


def bzip2_bomb() -> bytes:
    """Some 200 bytes that a decompressor without a limit makes 200 MB of at once."""
    return raw(b"one.ipynb", bz2.compress(bytes(200_000_000)), zipfile.ZIP_BZIP2, 1000)


#: An archive, and why it is not read.
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "damaged LZMA": (lambda: damaged(with_method(b"x" * 5000, zipfile.ZIP_LZMA), 9), "it is compressed by a method"),
    "a bomb of bzip2": (bzip2_bomb, "it is compressed by a method"),
    "no name": (lambda: packed(("", b"{}")), "its name leads out of the archive"),
    "a slash for a name": (lambda: packed(("/one.ipynb", b"{}")), "its name leads out of the archive"),
    "a long name": (lambda: packed(("a-" * 30_000 + "/one.ipynb", b"{}")), "its name is too long"),
    "a deep name": (lambda: packed(("a/" * 30_000 + "one.ipynb", b"{}")), "its name is too long"),
    "two million files": (
        lambda: packed(("a.zip", raw(b"x", b"", 0, 0, 2_000_000))),
        "it is not an archive that can be",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_archive_costs_nobody_else_anything(room: Classroom, tmp_path: Path, name: str) -> None:
    make, reported = HOSTILE[name]
    put(tmp_path / "down", "Eve Doe_1_assignsubmission_file_/work.zip", make())
    put(tmp_path / "down", "Bob Müller_2_assignsubmission_file_/one.ipynb", notebook(room))
    tracemalloc.start()
    why = left(room, tmp_path / "down")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [line[: len(reported)] for line in why.values()] == [reported] and peak < 80_000_000
    assert set(submitted(room)) == {"bob/words/one.ipynb"}


def test_an_archive_in_an_archive_unpacks_to_little_more_than_it_has(room: Classroom, tmp_path: Path) -> None:
    bomb = packed(*((f"{i}/one.ipynb", bytes(6_000_000)) for i in range(4)))
    item = packed(("one.ipynb", bytes(6_000_000)))
    put(tmp_path, "x.zip", packed(("eve.zip", bomb), ("bob.zip", item)))
    assert list(left(room, tmp_path / "x.zip")) == ["x.zip/eve.zip"]
    assert set(submitted(room)) == {"bob/words/one.ipynb"}


@pytest.mark.parametrize(("beyond", "stored"), [(0, True), (1, False)])
def test_an_archive_in_an_archive_may_unpack_to_so_many_times_its_size(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beyond: int, stored: bool
) -> None:
    inner = packed(("one.ipynb", bytes(600_000)), ("two.ipynb", bytes(600_000)))
    monkeypatch.setattr(downloads, "MAX_FILE_BYTES", 1_000_000)
    monkeypatch.setattr(downloads, "MAX_RATIO", Fraction(1_200_000 - beyond, len(inner)))
    put(tmp_path, "x.zip", packed(("eve.zip", inner)))
    assert ("x.zip/eve.zip" not in left(room, tmp_path / "x.zip")) == stored


def test_archives_of_a_run_share_what_they_may_unpack_to(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "INNER_BYTES", 1 << 20)
    monkeypatch.setattr(downloads, "MAX_RATIO", 20)
    for i in range(9):  # each of 1 kB
        put(tmp_path / "down", f"eve_1_{i}_work.zip", packed(*((f"{j}/one.ipynb", bytes(300_000)) for j in range(3))))
    put(tmp_path / "down", "bob/work.zip", packed(("one.ipynb", notebook(room))))
    why = left(room, tmp_path / "down").values()
    assert len(why) == 21 and all("unpacks to far more" in line for line in why)  # 27 files, the last of them counted
    assert set(submitted(room)) == {"bob/words/one.ipynb"}


def test_what_fills_a_download_costs_nobody_smaller(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "DOWNLOAD_BYTES", 1 << 20)
    large = [(f"Ada Lovelace_1_assignsubmission_file_/{i}/one.ipynb", bytes(500_000)) for i in range(5)]
    put(tmp_path, "x.zip", packed(*large, ("Bob Müller_9_assignsubmission_file_/one.ipynb", notebook(room))))
    why = left(room, tmp_path / "x.zip")
    assert len(why) == 3 and all("it unpacks to far more" in line for line in why.values())
    assert "bob/words/one.ipynb" in submitted(room)


@pytest.mark.parametrize(
    "name",
    [
        "Eve Doe(eve)/Words_eve_attempt_0001-01-01-00-00-00_x/one.ipynb",
        "Eve Doe(eve)/Words_eve_attempt_9999-12-31-23-59-59_x/one.ipynb",
        f"{'漢' * 90}_1_assignsubmission_file_/one.ipynb",
    ],
)
def test_one_name_costs_nobody_else_anything(room: Classroom, tmp_path: Path, name: str) -> None:
    put(tmp_path, "x.zip", packed((name, notebook(room)), ("bob/one.ipynb", notebook(room))))
    collect(room, "words", [tmp_path / "x.zip"])
    assert "bob/words/one.ipynb" in submitted(room)


def test_what_lies_in_the_way_costs_nobody_else_anything(room: Classroom, tmp_path: Path) -> None:
    (room.root / "submitted" / "ada" / "words" / "one.ipynb").mkdir(parents=True)
    put(room.root / "submitted", "bob", b"a file")
    for student in ("ada", "bob", "carl"):
        put(tmp_path / "down", f"{student}/one.ipynb", notebook(room))
    why = left(room, tmp_path / "down")
    assert set(why) == {"ada/one.ipynb", "bob/one.ipynb"} and all("is in the way" in line for line in why.values())
    assert set(submitted(room)) == {"carl/words/one.ipynb"}


def test_a_link_where_a_file_is_staged_is_not_written_through(room: Classroom, tmp_path: Path) -> None:
    victim = put(tmp_path, "victim", b"the instructor's")
    folder = room.root / "submitted" / "bob" / "words"
    folder.mkdir(parents=True)
    for name in (".one.ipynb.new", ".timestamp.txt.new"):
        (folder / name).symlink_to(victim)
    put(tmp_path / "down", "Words_bob_attempt_2026-01-30-15-00-00_one.ipynb", notebook(room))
    assert collect(room, "words", [tmp_path / "down"]).new == [("bob", "one")]
    assert victim.read_bytes() == b"the instructor's" and not (folder / "one.ipynb").is_symlink()


def exchange(folder: Path, target: Path) -> None:
    """Put a link to `target` where `folder` was."""
    if not folder.is_symlink():
        folder.rename(folder.with_name("gone"))
        folder.symlink_to(target)


def test_what_is_removed_is_in_no_folder_that_became_a_link(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "down", "Zed Roe_7_assignsubmission_file/one.ipynb", notebook(room))
    assert collect(room, "words", [tmp_path / "down"]).unknown == ["Zed Roe"]
    with room.gradebook() as gradebook:
        gradebook.add_student("zed", first_name="Zed", last_name="Roe")
    former = room.root / "submitted" / "Zed Roe" / "words"
    victim = put(tmp_path / "private", "one.ipynb", notebook(room))

    def shorten(path: Path, *other: Any) -> Path:
        if path == former / "one.ipynb" and other == (room.root,):
            exchange(former, victim.parent)
        return relative_to(path, *other)

    relative_to = Path.relative_to
    monkeypatch.setattr(Path, "relative_to", shorten)
    left = collect(room, "words", [tmp_path / "down"]).left
    assert former.is_symlink() and victim.exists()
    assert [item.why for item in left] == ["words is in the way. Move it, and collect again."]


@pytest.mark.parametrize("name", ["ada/one.ipynb", "ada/one.zip"])
def test_a_file_of_a_download_that_became_a_link_is_not_read(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    secret = put(tmp_path, "secret", packed(("one.ipynb", b"secret")) if name.endswith("zip") else b"secret")
    given = put(tmp_path / "down", name, notebook(room))

    def looked_at(mode: int) -> bool:
        if not given.is_symlink():
            given.unlink()
            given.symlink_to(secret)
        return is_regular(mode)

    is_regular = stat.S_ISREG
    (tmp_path / "kept").mkdir()
    monkeypatch.setattr(stat, "S_ISREG", looked_at)
    ((_, found),) = read_downloads([tmp_path / "down"], tmp_path / "kept")
    assert given.is_symlink()
    assert [bool(item.trouble) for item in found] == [True]


def test_a_folder_of_a_download_that_became_a_link_is_not_read(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "private", "one.ipynb", b"secret")
    given = put(tmp_path / "down", "ada/one.ipynb", notebook(room)).parent

    def looked_at(name: str) -> bool:
        if name == "one.ipynb":
            exchange(given, tmp_path / "private")
        return is_handed_in(name)

    is_handed_in = downloads._is_handed_in
    monkeypatch.setattr(downloads, "_is_handed_in", looked_at)
    (tmp_path / "kept").mkdir()
    ((_, found),) = read_downloads([tmp_path / "down"], tmp_path / "kept")
    assert given.is_symlink()
    assert [item.content.read_bytes() for item in found if item.content] == [notebook(room)]


def test_folders_without_end_cost_nobody_else_anything(room: Classroom, tmp_path: Path) -> None:
    place = os.open(put(tmp_path / "down", "bob/one.ipynb", notebook(room)).parent, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("a", dir_fd=place)
        inner = os.open("a", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    try:
        (why,) = left(room, tmp_path / "down").values()
    finally:
        subprocess.run(["rm", "-r", tmp_path / "down"], check=True)  # Python does not get to its end
    assert why == "it is nested in more than 50 folders. Put what is in it elsewhere."


def test_what_cannot_be_written_costs_nobody_else_anything(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, *content: Any) -> None:
        if "ada" in path.parts:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        write_plain(path, *content)

    monkeypatch.setattr("autograder.classroom.collecting.place.write_plain", write)
    for student in ("ada", "bob"):
        put(tmp_path / "down", f"{student}/one.ipynb", notebook(room))
    why = left(room, tmp_path / "down")
    assert why == {
        "ada/one.ipynb": "submitted/ada/words cannot be written (Permission denied). Fix that, and collect again."
    }
    assert set(submitted(room)) == {"bob/words/one.ipynb"}


def test_what_one_student_fills_an_archive_with_is_told_briefly_and_read_once(
    room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def content_of(path: Path) -> str:
        read.append(path)
        return "x"

    monkeypatch.setattr(uncollected, "content_of", content_of)
    names = ["one.ipynb", *(f"{i}.rar" for i in range(40)), *(f"{i}/one.ipynb" for i in range(300))]
    put(tmp_path / "down", "bob.zip", packed(*((name, name.encode()) for name in names)))
    put(tmp_path / "down", "ada/one.ipynb", notebook(room))
    done = collect(room, "words", [tmp_path / "down"])
    assert set(submitted(room)) == {"ada/words/one.ipynb", "bob/words/one.ipynb"}
    assert len(done.left) == 21 and "120 more of bob's files were left" in done.left[-1].why
    assert max(map(len, lines_of(done))) < 500
    assert len(read) <= 3


def test_what_is_no_plain_file_below_submitted_is_not_opened(room: Classroom, tmp_path: Path) -> None:
    put(tmp_path / "down", "Copy of one.ipynb", notebook(room))
    folder = room.root / "submitted" / "eve" / "words"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "one.ipynb")  # whoever opens it waits without end
    (folder / "two.ipynb").symlink_to(tmp_path / "down" / "Copy of one.ipynb")
    collect(room, "words", [tmp_path / "down"])
    assert listed(room) == ["Copy of one.ipynb"]  # the link does not count as a copy


def test_nbgraders_exchange_is_not_followed(room: Classroom, tmp_path: Path) -> None:
    """`nbgrader collect` would copy what a student's link points at, as the instructor."""
    inbound, taken = tmp_path / "inbound" / "ada+words", tmp_path / "submitted" / "ada" / "words"
    put(inbound, "one.ipynb", notebook(room))
    (tmp_path / "solution").write_text("solution")
    (inbound / "two.ipynb").symlink_to(tmp_path / "solution")
    (tmp_path / "inbound" / "bob+words").symlink_to(tmp_path)
    collector = room.app.config.ExchangeFactory.collect()
    collector.do_copy(str(inbound), str(taken))
    collector.do_copy(str(tmp_path / "inbound" / "bob+words"), str(tmp_path / "submitted" / "bob" / "words"))
    assert [path.name for path in (tmp_path / "submitted").rglob("*") if path.is_file()] == ["one.ipynb"]


def test_a_fault_of_a_library_is_that_files(room: Classroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = zipfile.ZipFile.open

    def fail(self: zipfile.ZipFile, entry: zipfile.ZipInfo) -> object:
        if entry.filename.startswith("eve"):
            raise AttributeError("nobody thought of this")
        return whole(self, entry)

    put(tmp_path, "x.zip", packed(("eve/one.ipynb", b"{}"), ("bob/one.ipynb", notebook(room))))
    monkeypatch.setattr(zipfile.ZipFile, "open", fail)
    (why,) = left(room, tmp_path / "x.zip").values()
    assert why == "it cannot be read (AttributeError: nobody thought of this). Ask for it again."
    assert set(submitted(room)) == {"bob/words/one.ipynb"}


def spoiled(chance: random.Random, content: bytes) -> bytes:
    """`content` with a few bytes changed, a piece cut out, or a piece put in twice."""
    spoiled = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        at = chance.randrange(len(spoiled))
        match chance.randrange(4):
            case 0 | 1:
                spoiled[at] = chance.choice((0, 1, 0xFF, chance.randrange(256)))
            case 2 if len(spoiled) > 60:
                del spoiled[at : at + chance.randrange(1, 40)]
            case _:
                spoiled[at:at] = spoiled[at : at + chance.randrange(1, 40)]
    return bytes(spoiled)


def test_random_archives_end_nothing(tmp_path: Path) -> None:
    chance = random.Random(1)
    inner = packed(("a/one.ipynb", b"{}" * 50), ("two.ipynb", bytes(3000)))
    sound = [
        packed(("ada/one.ipynb", b'{"cells": []}'), ("bob.zip", inner), ("carl/x.pdf", b"%PDF")),
        raw(b"one.ipynb", b"{}", zipfile.ZIP_STORED, 2, 3),
        with_method(b"x" * 300, zipfile.ZIP_LZMA),
        with_method(b"x" * 300, zipfile.ZIP_BZIP2),
    ]
    kinds = set()
    for i in range(600):
        path = put(tmp_path, f"{i}.zip", spoiled(chance, sound[i % len(sound)]), NOON)
        kinds |= {bool(item.trouble) for _, read in read_downloads([path], tmp_path) for item in read}
    assert kinds == {False, True}
