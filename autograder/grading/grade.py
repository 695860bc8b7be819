"""Grade a chapter of a class: run what was not run before, keep every result, record every student.

The order of things makes a run that is ended at any moment lose nothing: a result is on the disk before it is
used, a student is recorded in one transaction, and what was recorded is known by its notebook's metadata.
"""

from __future__ import annotations

import datetime
import json
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nbformat import NotebookNode
from nbgrader.preprocessors import IgnorePattern, LimitOutput

from ..backends import gpu_sharing
from ..compile_cache import digest
from ..errors import GraderFault, UsageError
from . import warm
from .answers import Note
from .classroom import AUTOGRADED, Classroom, Refused, SubmissionError, find_folders, read_exercises, read_submission
from .execute import replay, work_of
from .graft import METADATA, read_notes
from .record import Graded, Recorder
from .store import Store
from .work import Result, Work, backend, checker_version

#: Results, below the course's root.
RESULTS = Path("_build") / "grading"

#: Notebooks that share a GPU, each in a context of its own: some 0.5 GB, of the 16 of a small one.
PER_GPU = 8

Execute = Callable[[Work], Result]


class Watch(Protocol):
    """Who looks on; `started` and `finished` are called from several threads."""

    def begin(self, total: int, known: int) -> None:
        """`total` different notebooks are wanted; of `known`, the result is there already."""

    def started(self, name: str) -> None:
        """The notebook `name` is being run."""

    def finished(self, name: str, failed: bool) -> None:
        """It came to its end; `failed` where the grader did."""


@dataclass(frozen=True)
class Summary:
    """What became of each student; notes are (student, notebook, note)."""

    recorded: tuple[str, ...]
    unchanged: tuple[str, ...]
    refused: tuple[Refused, ...]
    notes: tuple[tuple[str, str, Note], ...]
    ran: int
    reused: int


@dataclass
class _Student:
    """A submission on its way: `keys` name the result of each notebook."""

    name: str
    folder: Path
    timestamp: datetime.datetime | None
    notebooks: dict[str, NotebookNode]
    keys: dict[str, str]


def grade(
    room: Classroom,
    chapter: str,
    students: Collection[str] = (),
    *,
    force: bool = False,
    jobs: int | None = None,
    watch: Watch | None = None,
    execute: Execute = warm.execute,
) -> Summary:
    """Grade `chapter`, for `students` or for all of the class.

    Args:
        force: run and record again what is known already.
        jobs: notebooks that run at a time; if left out, as many as there are cores, but no more than `PER_GPU` on
            each GPU.
        execute: runs one notebook, from several threads at a time.

    Raises:
        UsageError: the chapter was not released, one of `students` handed in nothing, or something cannot be
            written; what was done before is kept.
        GraderFault: notebooks cannot be run on this machine.
    """
    run = _Run(room, chapter, force)
    run.read(students)
    known = dict(run.known())
    if watch:
        watch.begin(len(run.works), len(known))
    wanted = {key: work for key, work in run.works.items() if key not in known}
    with room.gradebook() as gradebook:
        recorder = Recorder(room, gradebook, chapter)
        for key, result in known.items():
            run.take(recorder, key, result)
        with _workers(jobs or _jobs(), execute, watch) as run_all:
            for key, result in run_all(wanted):
                if result.sound:
                    run.store.put(key, result)
                run.take(recorder, key, result)
    return Summary(
        tuple(sorted(run.recorded)),
        tuple(sorted(run.unchanged)),
        tuple(sorted(run.refused, key=lambda refused: refused.student)),
        tuple(sorted(run.notes, key=lambda note: note[:2])),
        len(wanted),
        len(known),
    )


class _Run:
    """The state of one `grade`: who waits for which results, and what became of everybody."""

    def __init__(self, room: Classroom, chapter: str, force: bool) -> None:
        self._room, self._chapter, self._force = room, chapter, force
        self._exercises = read_exercises(room, chapter)
        self._after = [room.step(IgnorePattern), room.step(LimitOutput)]
        self._results: dict[str, Result] = {}
        self._waiting: dict[str, list[_Student]] = defaultdict(list)
        self.store = Store(room.root / RESULTS)
        self.works: dict[str, Work] = {}
        self.recorded: list[str] = []
        self.unchanged: list[str] = []
        self.refused: list[Refused] = []
        self.notes: list[tuple[str, str, Note]] = []

    def read(self, students: Collection[str]) -> None:
        """Rebuild what was handed in, and put equal works together."""
        checker, where = checker_version(), backend()
        for found in find_folders(self._room, self._chapter, students):
            if isinstance(found, Refused):
                self.refused.append(found)
                continue
            name, folder = found
            with self._alone(name):
                timestamp = self._room.timestamp(folder)
                student = _Student(name, folder, timestamp, read_submission(self._exercises, folder), {})
                for notebook, rebuilt in student.notebooks.items():
                    work = work_of(rebuilt, f"{name}, {notebook}", self._room.cell_seconds)
                    student.keys[notebook] = key = work.key(checker, where)
                    self.works.setdefault(key, work)
                for key in set(student.keys.values()):
                    self._waiting[key].append(student)

    def known(self) -> Iterator[tuple[str, Result]]:
        """The results that are there already, by key."""
        for key in () if self._force else self.works:
            if result := self.store.get(key):
                yield key, result

    def take(self, recorder: Recorder, key: str, result: Result) -> None:
        """Take a result, and record those whose last one it was."""
        self._results[key] = result
        for student in self._waiting[key]:
            if self._results.keys() >= set(student.keys.values()):
                with self._alone(student.name):
                    self._finish(recorder, student)

    @contextmanager
    def _alone(self, student: str) -> Iterator[None]:
        """What goes wrong inside is told of this student, and touches no other one."""
        try:
            yield
        except SubmissionError as error:
            self.refused.append(Refused(student, str(error)))
        except (UsageError, GraderFault):
            raise
        except Exception as error:
            why = f"the grader failed ({type(error).__name__}: {error}). Tell who looks after the grader"
            self.refused.append(Refused(student, f"{why}; the score that was there before stays."))

    def _finish(self, recorder: Recorder, student: _Student) -> None:
        fingerprints = {}
        for name, notebook in student.notebooks.items():
            replay(notebook, self._results[student.keys[name]])
            for step in self._after:
                notebook, _ = step.preprocess(notebook, {})
            notes = read_notes(notebook)
            fingerprints[name] = digest(student.keys[name], str(student.timestamp), *(note.text for note in notes))
            seconds = round(self._results[student.keys[name]].seconds, 2)
            notebook.metadata.setdefault(METADATA, {}).update(fingerprint=fingerprints[name], seconds=seconds)
            self.notes += [(student.name, name, note) for note in notes]
        if not self._force and fingerprints == self._fingerprints(student):
            self.unchanged.append(student.name)
            return
        recorder.record(Graded(student.name, self._chapter, student.notebooks, student.folder, student.timestamp))
        self.recorded.append(student.name)

    def _fingerprints(self, student: _Student) -> dict[str, str]:
        """What tells whether anything changed, of the notebooks that were recorded last."""
        found = {}
        folder = self._room.root / AUTOGRADED / student.name / self._chapter
        for name in student.notebooks:
            try:
                metadata = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))["metadata"]
                found[name] = metadata[METADATA]["fingerprint"]
            except (OSError, ValueError, KeyError):
                found[name] = ""
        return found


def _jobs() -> int:
    cores = len(os.sched_getaffinity(0))
    return min(cores, PER_GPU * len(gpu_sharing.visible()) or cores)


RunAll = Callable[[dict[str, Work]], Iterator[tuple[str, Result]]]


@contextmanager
def _workers(jobs: int, execute: Execute, watch: Watch | None) -> Iterator[RunAll]:
    """What runs works, `jobs` at a time, and gives each result as it comes."""

    def one(work: Work) -> Result:
        if watch:
            watch.started(work.name)
        result = execute(work)
        if watch:
            watch.finished(work.name, not result.sound)
        return result

    def run_all(works: dict[str, Work]) -> Iterator[tuple[str, Result]]:
        running: dict[Future[Result], str] = {pool.submit(one, work): key for key, work in works.items()}
        for done in as_completed(running):
            yield running.pop(done), done.result()

    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield run_all
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
