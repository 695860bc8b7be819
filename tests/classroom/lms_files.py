"""Downloads as an LMS gives them, and what became of them."""

from __future__ import annotations

import io
import json
import os
import stat
import time
import zipfile
from pathlib import Path

from small_course import Course, answer

from autograder.classroom.classroom import Classroom
from autograder.classroom.collecting.collect import collect
from autograder.classroom.collecting.uncollected import read_uncollected

DAY = 24 * 3600
NOON = time.mktime((2026, 3, 1, 12, 0, 0, 0, 0, -1))


def notebook(room: Classroom, exercise: str = "one", text: str = "right") -> bytes:
    found = Course(room.root).released("words", exercise)
    answer(found, "first", text)
    return json.dumps(found).encode()


def put(folder: Path, name: str, content: bytes, when: float = NOON) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (when, when))
    return path


def packed(*entries: tuple[str, bytes], link: str = "") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            entry = zipfile.ZipInfo(name, (2026, 3, 1, 12, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            if name == link:
                entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, content)
    return file.getvalue()


def submitted(room: Classroom) -> dict[str, bytes]:
    top = room.root / "submitted"
    return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file() and p.suffix == ".ipynb"}


def listed(room: Classroom) -> list[str]:
    return [item.name for item in read_uncollected(room, "words")]


def left(room: Classroom, *sources: Path) -> dict[str, str]:
    """The reasons for what was not collected, by name; nothing else may have gone wrong."""
    done = collect(room, "words", sources)
    return {item.name: item.why for item in done.left}
