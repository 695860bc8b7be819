"""Grade a chapter of a class: run what was not run before, keep every result, record every student.

A run may be ended at any moment and loses nothing: a result is on the disk before it is used, a student is
recorded in one transaction, and a graded notebook's metadata says what was recorded. Several may run at once,
and share the work (`execution/sharing.py`).
"""

from __future__ import annotations

import datetime
import json
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import IgnorePattern, LimitOutput

from ..cuda.compiler.cache import digest
from ..cuda.errors import GraderFault, UsageError
from ..exercises.authoring.nbgrader_app import AUTOGRADED
from .classroom import Classroom, Refused, find_folders, read_exercises
from .collecting.uncollected import read_uncollected
from .execution import local
from .execution.cluster import OpenCluster, this_machine
from .execution.cluster_worker import Execute, Identity
from .execution.dispatch import Watch, run_all
from .execution.replay import replay, task_of
from .execution.sharing import share
from .execution.store import Store
from .execution.task import Task, TaskResult
from .names import read_names
from .results.record import ExecutedSubmission, Recorder
from .results.renamed_students import remove_former
from .results.scores import read_recorded
from .submission.folder import SubmittedFolder
from .submission.notes import METADATA, Note, NoteKind, read_notes
from .submission.texts import texts_of

#: Results, below the course's root.
RESULTS = Path("_build") / "grading"


@dataclass(frozen=True)
class Summary:
    """What became of each student; notes are (student, notebook, note). `waiting` answers in words of the chapter wait
    for points by a person; `names` are those in the gradebook, by id. `former` students are removed: of them, only a
    folder was known, which has been renamed."""

    recorded: tuple[str, ...]
    unchanged: tuple[str, ...]
    refused: tuple[Refused, ...]
    notes: tuple[tuple[str, str, Note], ...]
    ran: int
    reused: int
    chapter: str = ""
    waiting: int = 0
    names: Mapping[str, str] = field(default_factory=dict)
    former: tuple[str, ...] = ()


@dataclass
class _Student:
    """A submission in progress: its rebuilt notebooks, and the keys of their results. They are packed, since all of a
    class are here before the first is recorded."""

    name: str
    folder: Path
    timestamp: datetime.datetime | None
    packed: dict[str, bytes]
    keys: dict[str, str]


def grade(
    room: Classroom,
    chapter: str,
    students: Collection[str] = (),
    *,
    force: bool = False,
    watch: Watch | None = None,
    cluster: OpenCluster | None = None,
    execute: Execute = local.execute,
) -> Summary:
    """Grade `chapter`, for `students` or for all of the class.

    Args:
        force: run and record again what is known already.
        cluster: where notebooks run; this machine by default.
        execute: runs one notebook; called from several threads at a time, and pickled for a worker.

    Raises:
        UsageError: the chapter was not released, one of `students` handed in nothing, something cannot be
            written, or the cluster is missing or has ended; what was done before is kept.
        GraderFault: the cluster cannot run notebooks.
    """
    watch = watch or Watch()
    run = _Run(room, chapter, force)
    try:
        with (cluster or this_machine())(watch.report) as opened:
            run.read(students, opened.identity)
            known = dict(run.known())
            watch.begin(len(run.tasks), len(known))
            wanted = {key: task for key, task in run.tasks.items() if key not in known}
            ran = 0
            with room.gradebook() as gradebook, share(run.store) as sharing:
                recorder = Recorder(room, gradebook, chapter, sharing.recording)
                for key, result in known.items():
                    run.take(recorder, key, result)
                for done in run_all(opened, wanted, execute, watch, None if force else sharing):
                    if done.ran and done.result.sound:
                        run.store.put(done.key, done.result)
                    ran += done.ran
                    watch.finished(wanted[done.key].name, not done.result.sound)
                    run.take(recorder, done.key, done.result)
                with recorder.alone():
                    former = () if students else remove_former(room, gradebook, chapter)
                waiting, names = run.waiting(gradebook), read_names(gradebook)
    except KeyboardInterrupt:
        watch.stopped(sum(key in run.store for key in run.tasks))  # Ctrl-C may come between a result and its count
        raise
    return Summary(
        tuple(sorted(run.recorded)),
        tuple(sorted(run.unchanged)),
        tuple(sorted(run.refused, key=lambda refused: refused.student)),
        tuple(sorted(run.notes, key=lambda note: note[:2])),
        ran,
        len(run.tasks) - ran,
        chapter,
        waiting,
        names,
        former,
    )


class _Run:
    """The state of one `grade`: which students wait for which results, and what became of each."""

    def __init__(self, room: Classroom, chapter: str, force: bool) -> None:
        self._room, self._chapter, self._force = room, chapter, force
        self._exercises = read_exercises(room, chapter)
        self._after = [room.step(IgnorePattern), room.step(LimitOutput)]
        self._results: dict[str, TaskResult] = {}
        self._waiting: dict[str, list[_Student]] = defaultdict(list)
        self.store = Store(room.root / RESULTS)
        self.tasks: dict[str, Task] = {}
        self.recorded: list[str] = []
        self.unchanged: list[str] = []
        self.refused: list[Refused] = []
        self.notes: list[tuple[str, str, Note]] = []

    def read(self, students: Collection[str], identity: Identity) -> None:
        """Rebuild the submissions, and let notebooks with the same result on a worker of `identity` share a task."""
        lost: dict[str, dict[str, str]] = defaultdict(dict)
        for item in read_uncollected(self._room, self._chapter):
            if item.kind == NoteKind.NOT_COLLECTED and item.exercise:
                lost[item.student][item.exercise] = str(item)
        for found in find_folders(self._room, self._chapter, students):
            if isinstance(found, Refused):
                self.refused.append(found)
                continue
            name, folder = found
            with self._alone(name):
                timestamp = self._room.timestamp(folder)
                submitted = SubmittedFolder(folder, self._exercises, lost[name])
                student = _Student(name, folder, timestamp, {}, {})
                for notebook in self._exercises:
                    rebuilt = submitted.rebuild(notebook)
                    student.packed[notebook] = zlib.compress(json.dumps(rebuilt).encode(), 1)
                    task = task_of(rebuilt, f"{name}, {notebook}", self._room.cell_seconds)
                    student.keys[notebook] = key = task.key(identity.checker, identity.backend)
                    self.tasks.setdefault(key, task)
                for key in set(student.keys.values()):
                    self._waiting[key].append(student)

    def known(self) -> Iterator[tuple[str, TaskResult]]:
        """The results that are there already, by key."""
        for key in () if self._force else self.tasks:
            if result := self.store.get(key):
                yield key, result

    def take(self, recorder: Recorder, key: str, result: TaskResult) -> None:
        """Take a result, and record the students for whom it was the last one missing."""
        self._results[key] = result
        for student in self._waiting[key]:
            if self._results.keys() >= set(student.keys.values()):
                with self._alone(student.name):
                    self._finish(recorder, student)

    def waiting(self, gradebook: Gradebook) -> int:
        """How many answers in words wait for points, of all students."""
        texts = {(name, cell) for name, item in self._exercises.items() for cell in texts_of(item.notebook)}
        scores = read_recorded(gradebook, self._chapter).items()
        return sum(
            item.by_hand and (name, item.cell) in texts for (_, name), recorded in scores for item in recorded.grades
        )

    @contextmanager
    def _alone(self, student: str) -> Iterator[None]:
        """Report what goes wrong inside as this student's, and let the others go on."""
        try:
            yield
        except (UsageError, GraderFault):
            raise
        except Exception as error:
            why = f"the grader failed ({type(error).__name__}: {error}). Tell who looks after the grader"
            self.refused.append(Refused(student, f"{why}; the score that was there before stays."))

    def _finish(self, recorder: Recorder, student: _Student) -> None:
        fingerprints = {}
        notebooks = {name: _unpacked(packed) for name, packed in student.packed.items()}
        for name, notebook in notebooks.items():
            replay(notebook, self._results[student.keys[name]])
            for step in self._after:
                notebook, _ = step.preprocess(notebook, {})
            notes = read_notes(notebook)
            texts = texts_of(notebook).values()  # of which the key of a result knows nothing
            shown = (note.in_full for note in notes)
            fingerprints[name] = digest(student.keys[name], str(student.timestamp), digest(*shown), digest(*texts))
            seconds = round(self._results[student.keys[name]].seconds, 2)
            notebook.metadata.setdefault(METADATA, {}).update(fingerprint=fingerprints[name], seconds=seconds)
            self.notes += [(student.name, name, note) for note in notes]
        executed = ExecutedSubmission(student.name, notebooks, student.folder, student.timestamp)
        with recorder.alone():
            if not self._force and fingerprints == self._fingerprints(student) and recorder.holds(executed):
                self.unchanged.append(student.name)
                return
            recorder.record(executed)
        self.recorded.append(student.name)

    def _fingerprints(self, student: _Student) -> dict[str, str]:
        """By notebook, the fingerprint that was recorded last: it shows whether anything changed."""
        found = {}
        folder = self._room.root / AUTOGRADED / student.name / self._chapter
        for name in student.packed:
            try:
                metadata = json.loads((folder / f"{name}.ipynb").read_text(encoding="utf-8"))["metadata"]
                found[name] = metadata[METADATA]["fingerprint"]
            except (OSError, ValueError, KeyError):
                found[name] = ""
        return found


def _unpacked(packed: bytes) -> NotebookNode:
    notebook: NotebookNode = nbformat.from_dict(json.loads(zlib.decompress(packed)))
    return notebook
