"""A course as nbgrader's configuration describes it: gradebook, exercises and submissions."""

from __future__ import annotations

import datetime
import difflib
import logging
import os
import re
from collections.abc import Collection, Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
from nbgrader.apps import AutogradeApp
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearOutput,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
)
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from ..cuda.errors import GraderFault, UsageError
from ..cuda.report.vocabulary import printable
from ..exercises.authoring.nbgrader_app import RELEASED, SOURCE, SUBMITTED
from .submission.exercise import Exercise, read_releases
from .submission.plain_files import UnreadableError, read_plain

#: The most bytes of a date, and characters of a student's id in nbgrader's tables.
_DATE_BYTES, _LONGEST_ID = 100, 128
#: From the released notebook to the one that is run: these add what the gradebook holds, including hidden tests.
_COMPLETE = (ClearOutput, OverwriteKernelspec, OverwriteCells, CheckCellMetadata)


@dataclass(frozen=True)
class Classroom:
    """The course at `root`, and nbgrader's own application with the course's configuration."""

    root: Path
    app: Any

    @property
    def db_url(self) -> str:
        return str(self.app.coursedir.db_url)

    @property
    def shown_url(self) -> str:
        """As `db_url`, but without a password."""
        return make_url(self.db_url).render_as_string(hide_password=True)

    @property
    def has_gradebook(self) -> bool:
        """Whether a gradebook exists. On a database server it always does: opening it creates the tables."""
        url = make_url(self.db_url)
        return url.get_backend_name() != "sqlite" or Path(url.database or "").exists()

    @property
    def cell_seconds(self) -> int:
        """Seconds that one cell may take."""
        return int(self.app.config.Execute.get("timeout", 30))

    def gradebook(self) -> Gradebook:
        """Open the gradebook; the caller closes it.

        Raises:
            UsageError: it cannot be opened.
        """
        try:
            return Gradebook(self.db_url, self.app.coursedir.course_id)
        except (SQLAlchemyError, InvalidEntry, ModuleNotFoundError) as error:
            why = " ".join(str(error).split("\n[SQL")[0].split("\n(Background")[0].split())
            raise UsageError(f"The gradebook {self.shown_url} cannot be opened ({why}).") from None

    def step(self, kind: type[NbGraderPreprocessor]) -> NbGraderPreprocessor:
        """One of nbgrader's steps, configured as for this course."""
        return kind(parent=self.app)

    def timestamp(self, folder: Path) -> datetime.datetime | None:
        """When the submission in `folder` was handed in, if it says so.

        Raises:
            SubmissionError: its timestamp is not a date.
        """
        path = folder / "timestamp.txt"
        if path.is_symlink() or not path.is_file():
            return None
        try:
            text = read_plain(path, _DATE_BYTES).decode().strip()
            return date_of(text, datetime.UTC) if text else None
        except (ValueError, UnreadableError):
            raise SubmissionError(
                f"{_shown(path, self)} holds no date. Write it as 2026-03-01 12:00 UTC, or delete it."
            ) from None


def date_of(text: str, zone: datetime.tzinfo | None = None) -> datetime.datetime:
    """The date that `text` holds, in UTC and without a time zone, as nbgrader keeps dates. It is a date in ISO's form,
    perhaps followed by "UTC" or an offset, and in `zone` (this machine's by default) if it names none.

    Raises:
        ValueError: it is no such date.
    """
    try:
        given = datetime.datetime.fromisoformat(re.sub(r" ?UTC$", "+00:00", text.strip()))
        if given.tzinfo is None:
            given = given.replace(tzinfo=zone)
        return given.astimezone(datetime.UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise ValueError(error) from None


class SubmissionError(Exception):
    """One submission cannot be graded; the message says why, and what to do."""


@dataclass(frozen=True)
class Refused:
    """A folder that cannot be graded: its student, and why not and what to do, in one or two sentences."""

    student: str
    why: str


def open_classroom(root: Path, db: str = "") -> Classroom:
    """The course at `root`.

    Args:
        db: the gradebook's address, such as postgresql+psycopg2://host/name; the configured one by default.

    Raises:
        UsageError: there is no course, or `db` is not an address.
    """
    if not (root / "nbgrader_config.py").exists():
        raise UsageError(f"There is no nbgrader_config.py in {root}: run this in the course's folder.")
    app = AutogradeApp()
    with chdir(root):
        app.initialize([])
    app.log.setLevel(logging.ERROR)
    if db:
        try:
            make_url(db)
        except ArgumentError:
            raise UsageError(
                "--db is not the address of a gradebook, such as sqlite:////srv/course/gradebook.db or "
                "postgresql+psycopg2://host/gradebook."
            ) from None
        app.coursedir.db_url = db
    return Classroom(root, app)


def read_exercises(room: Classroom, chapter: str) -> dict[str, Exercise]:
    """A chapter's exercises by name, their notebooks ready to run: as released, plus the hidden tests.

    Raises:
        UsageError: the chapter, or a part of it, was not released with the gradebook, or a released answer cell has
            no first line of its own.
    """
    again = f"run `nbgrader generate_assignment {chapter} --force`"
    with room.gradebook() as gradebook:
        try:
            names = [notebook.name for notebook in gradebook.find_assignment(chapter).notebooks]
        except MissingEntry:
            known = ", ".join(sorted(a.name for a in gradebook.assignments)) or "none"
            raise UsageError(f"The gradebook has no chapter '{chapter}' (it has: {known}): {again}.") from None
    if not names:  # as a release leaves it that failed
        raise UsageError(f"The gradebook has no exercise of '{chapter}': {again}, and read what it prints.")
    found, releases = {}, read_releases(room.root, chapter)
    for name in sorted(names):
        path = room.root / RELEASED / chapter / f"{name}.ipynb"
        if not path.exists():
            raise UsageError(f"{RELEASED}/{chapter}/{name}.ipynb is missing: {again}.")
        notebook = nbformat.read(path, as_version=4)
        here = {"notebook": name, "assignment": chapter, "db_url": room.db_url}
        for kind in _COMPLETE:
            notebook, _ = room.step(kind).preprocess(notebook, {"nbgrader": here})
        try:
            found[name] = Exercise(notebook, releases.get(name, ()))
        except GraderFault as fault:
            source = f"{SOURCE}/{chapter}/{name}.ipynb"
            raise UsageError(f"{path.relative_to(room.root)}: {fault} Fix {source}, and {again}.") from None
    return found


def find_folders(room: Classroom, chapter: str, students: Collection[str]) -> Iterator[tuple[str, Path] | Refused]:
    """Find the submissions: (student, folder) in order, and a `Refused` for what only looks like one.

    Args:
        students: only these; the whole class if empty.

    Raises:
        UsageError: one of `students` handed in nothing.
    """
    excluded = (room.app.coursedir.student_id_exclude or "").split(",")
    top = room.root / SUBMITTED
    for student in sorted(students or (path.name for path in top.glob("*"))):
        if student.startswith(".") or student in excluded:
            continue
        try:
            found = _folder_of(room, chapter, student)
        except SubmissionError as error:
            yield Refused(printable(student), str(error))
        except OSError as error:
            why = (
                f"{_shown(top / student / chapter, room)} cannot be read ({error.strerror}). Fix that, and grade again."
            )
            yield Refused(printable(student), why)
        else:
            if found:
                yield student, found
            elif student in students:
                shown = _shown(top / student / chapter, room)
                raise UsageError(f"{student} handed in no {chapter}: {shown} does not exist.")


def _folder_of(room: Classroom, chapter: str, student: str) -> Path | None:
    """The folder with a student's submission; None if there is none.

    Raises:
        SubmissionError: what is there cannot be graded.
        OSError: it cannot be looked at.
    """
    home = room.root / SUBMITTED / student
    folder, name = home / chapter, printable(student)
    if home.is_symlink() or folder.is_symlink():
        raise SubmissionError(f"{_shown(folder, room)} is a link, which is not followed. Put the files there.")
    if home.is_file():
        raise SubmissionError(f"{_shown(home, room)} is a file. Put it into {SUBMITTED}/<student>/{chapter}/.")
    if not folder.is_dir():
        others = {other.lower(): other for other in (os.listdir(home) if home.is_dir() else ())}
        for near in difflib.get_close_matches(chapter.lower(), others, 1, 0.7):
            shown = _shown(home / others[near], room)
            raise SubmissionError(f"{shown} is no chapter. If it is meant, rename it to {chapter}.")
        return None
    if not can_be_recorded(student):
        raise SubmissionError(f"{_shown(home, room)}: no gradebook can hold this name. Rename the folder.")
    if not any(other.endswith(".ipynb") for other in os.listdir(folder)):
        raise SubmissionError(f"{_shown(folder, room)} holds no notebook. Ask {name} to hand it in again.")
    room.timestamp(folder)
    return folder


def can_be_recorded(student: str) -> bool:
    """Whether a gradebook can hold the name of a folder: the program that unpacked it may have left bytes in the name
    that are not text."""
    return len(student) <= _LONGEST_ID and not any("\ud800" <= sign <= "\udfff" for sign in student)


def _shown(path: Path, room: Classroom) -> str:
    return printable(str(path.relative_to(room.root)))
