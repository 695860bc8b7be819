"""The folder of one student's submission of a chapter: rebuilds the notebook to grade for each exercise, whatever state
the files are in, for `autograder grade` and for nbgrader's own `autograde`."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ...cuda.errors import GraderFault, UsageError
from ...cuda.report.vocabulary import printable
from ...exercises.authoring.nbgrader_app import AUTOGRADED, RELEASED
from .cells import Cell, lean, read_cells
from .exercise import Exercise, read_releases
from .notes import Note, NoteKind, add_notes
from .plain_files import MAX_FILE_BYTES, UnreadableError, copy_nbgraders_files
from .submission import Submission


class SubmittedFolder:
    """The files of one student's submission, each read at most once.

    Args:
        folder: the student's folder of the chapter.
        exercises: the chapter's exercises, by name.
        lost: by exercise, why its notebook is not in the folder although it was submitted.
    """

    def __init__(self, folder: Path, exercises: Mapping[str, Exercise], lost: Mapping[str, str] | None = None) -> None:
        self._folder, self._exercises, self._lost = folder, exercises, lost or {}
        self._read: dict[Path, tuple[Cell, ...] | UnreadableError] = {}

    def rebuild(self, name: str) -> NotebookNode:
        """Return the notebook to grade for the exercise `name`, with notes on what was odd."""
        exercise, path = self._exercises[name], self._folder / f"{name}.ipynb"
        notes: tuple[Note, ...]
        try:
            cells = self._cells(path)
            found, of_others = self._from_siblings(name, cells)
            notebook, notes = Submission(exercise, (*cells, *found)).rebuild()
            notes += of_others
        except UnreadableError as error:
            if not path.is_symlink() and not path.exists():
                notebook, notes = self._without_file(name)
            else:
                notebook, _ = Submission(exercise, ()).rebuild()
                why = f"{path.name} could not be read: {error}. Nothing in it was graded."
                again = "Save it again in Jupyter or Colab and hand it in again."
                notes = (Note(NoteKind.UNREADABLE, f"{why} {again}", instead=f"{why} Ask for it again."),)
        add_notes(notebook, notes)
        return notebook

    def _from_siblings(self, name: str, cells: Sequence[Cell]) -> tuple[list[Cell], tuple[Note, ...]]:
        """Answers that `cells` lacks and that the notebooks of other exercises hold in exactly one form. Exercises
        whose answer cells begin as this one's do are left out."""
        exercise = self._exercises[name]
        siblings = [
            self._folder / f"{other}.ipynb"
            for other, other_exercise in sorted(self._exercises.items())
            if other != name and not other_exercise.magics & exercise.magics
        ]
        found: list[Cell] = []
        notes: list[Note] = []
        for slot in exercise.slots if siblings else ():
            if Submission(exercise, cells).is_answered(slot):
                continue
            there = [
                (path, body)
                for path in siblings
                for body in Submission(exercise, self._cells_or_none(path)).written_sections(slot)
            ]
            if len({lean(body) for _, body in there}) == 1:
                path, body = there[0]
                found.append(Cell(f"{slot.magic}\n{body}", cell_id=slot.cell_id))
                text = f"The answer to '{slot.magic}' stood in {path.name} and was graded from there."
                notes.append(Note(NoteKind.RECOVERED, text + " Move it to the notebook of its own exercise."))
        return found, tuple(notes)

    def _without_file(self, name: str) -> tuple[NotebookNode, tuple[Note, ...]]:
        """The notebook of an exercise without a file of its name: that of the one misnamed file that answers it."""
        exercise, file = self._exercises[name], f"{name}.ipynb"
        others = misnamed(self._folder, {f"{known}.ipynb" for known in self._exercises})
        read = {other: Submission(exercise, self._cells_or_none(other)) for other in others}
        candidates = {other: submission for other, submission in read.items() if submission.answers_any()}
        if len(candidates) == 1:
            ((other, submission),) = candidates.items()
            notebook, notes = submission.rebuild()
            text = f"{printable(other.name)} was graded as {file}. Hand it in under that name next time."
            return notebook, (Note(NoteKind.RENAMED, text), *notes)
        found, of_others = self._from_siblings(name, ())
        notebook, _ = Submission(exercise, found).rebuild()
        if found:
            return notebook, of_others
        if candidates:
            names = " and ".join(printable(other.name) for other in candidates)
            text = f"{file} was not handed in, and {names} could each be meant: nothing was graded."
            return notebook, (Note(NoteKind.MISSING, text + f" Rename the right one to {file}."),)
        if lost := self._lost.get(name):
            text = f"{file} was handed in, but could not be collected, so nothing was graded. Ask your instructor."
            return notebook, (Note(NoteKind.NOT_COLLECTED, text, lost),)
        text = f"{file} was not handed in, so nothing was graded. Hand in the notebook, whatever its file is called."
        return notebook, (Note(NoteKind.MISSING, text),)

    def _cells(self, path: Path) -> tuple[Cell, ...]:
        if path not in self._read:
            try:
                self._read[path] = read_cells(path)
            except UnreadableError as error:
                self._read[path] = error
        found = self._read[path]
        if isinstance(found, UnreadableError):
            raise found
        return found

    def _cells_or_none(self, path: Path) -> tuple[Cell, ...]:
        try:
            return self._cells(path)
        except UnreadableError:
            return ()


def misnamed(folder: Path, known: Collection[str]) -> list[Path]:
    """Return the notebooks in a submission's folder that do not have an exercise's file name."""
    return [path for path in sorted(folder.glob("*.ipynb")) if path.name not in known]


class Rebuild(NbGraderPreprocessor):  # type: ignore[misc]
    """nbgrader's first step of autograding: replace the notebook by the rebuilt one."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Ignore `nb`; rebuild from the file that `resources` names.

        Raises:
            GraderFault: the exercise was never released.
            UsageError: the folder is a link.
        """
        chapter, name = resources["nbgrader"]["assignment"], resources["nbgrader"]["notebook"]
        folder = Path(RELEASED) / chapter  # nbgrader works in the course's root
        path = folder / f"{name}.ipynb"
        if not path.exists():
            raise GraderFault(f"{path} is missing: run `nbgrader generate_assignment {chapter}`.")
        home = Path(resources["metadata"]["path"])
        if home.is_symlink() or home.parent.is_symlink():
            raise UsageError(f"{home} is a link or lies in one, and is not followed. Put the files there.")
        releases = read_releases(Path(), chapter)
        released = {each.stem: nbformat.read(each, as_version=4) for each in sorted(folder.glob("*.ipynb"))}
        exercises = {other: Exercise(notebook, releases.get(other, ())) for other, notebook in released.items()}
        return SubmittedFolder(home, exercises).rebuild(name), resources


class SubmissionExporter(NotebookExporter):
    """nbgrader's reader for autograding. It leaves a submitted file to `Rebuild`, since parsing it
    here would raise, and one student's unreadable file would end as an error without a score."""

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        if not any(isinstance(step, Rebuild) for step in self._preprocessors):
            # The second pass reads what the first one wrote.
            return super().from_filename(filename, resources=resources, **kw)
        path = Path(filename)
        resources = {**(resources or {}), "metadata": {"name": path.stem, "path": str(path.parent)}}
        empty = nbformat.v4.new_notebook()
        rebuilt: tuple[str, dict[str, Any]] = self.from_notebook_node(empty, resources)  # type: ignore[no-untyped-call]
        return rebuilt


def expect_every_notebook(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook before it converts one student's folder: add the exercises of the chapter
    that the folder lacks, so that a missing notebook also gets a graded one that says so.
    (nbgrader alone would score it 0 without a word, or stop if no name is known.)

    Raises:
        UsageError: beside the notebooks is a link, a device or a huge file, which nbgrader would copy from, or read a
            date from, until the disk or the memory is full.
    """
    folder = Path(notebooks[0]).parent
    for home, _, names in os.walk(folder):
        for beside in (Path(home, name) for name in names if not name.endswith(".ipynb")):  # `Rebuild` opens notebooks
            if not stat.S_ISREG((status := beside.lstat()).st_mode) or status.st_size > MAX_FILE_BYTES:
                what = f"is a link, no file at all, or one of more than {MAX_FILE_BYTES / 1e6:.0f} MB"
                raise UsageError(f"{printable(str(beside))} {what}. Remove it, and grade again.")
    for released in sorted((Path(RELEASED) / folder.name).glob("*.ipynb")):
        path = str(folder / released.name)
        if path not in notebooks:
            notebooks.append(path)


def drop_copies(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook after it converted one student's folder: it copies all files beside the notebooks, and follows
    links. Remove these copies, of which one may be the gradebook, before they get into the student's feedback."""
    folder = Path(notebooks[0]).parent
    graded = Path(AUTOGRADED, *folder.parts[-2:])
    for path in list(graded.iterdir()):
        if path.is_dir():
            shutil.rmtree(path)
        elif path.suffix != ".ipynb":
            path.unlink()
    copy_nbgraders_files(folder, graded)
