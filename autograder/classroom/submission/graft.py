"""Graft: every submission is rebuilt from the released notebook, and takes over only answers.

nbgrader's own run would execute whatever a notebook holds. Here only the text below an answer
cell's first line is taken from a student: no cell, metadata, output, attachment or Python. What
was odd about a hand-in is kept in the graded notebook's metadata for the class report, and its
first cell tells the student.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor

from ...cuda.errors import GraderFault, UsageError
from ...cuda.report.vocabulary import printable
from ...exercises.authoring.nbgrader_app import AUTOGRADED, RELEASED
from ...exercises.notebook.answer_cells import Slot, slots
from .answers import Answer, Note, NoteKind, find_answer, lean, sections, split_magic
from .former import Release, read_releases, written_for_earlier
from .handin import Cell, Files, write_nbgraders_files
from .misplaced_answers import adds_code, find_elsewhere, join_split
from .plain_files import MAX_FILE_BYTES, UnreadableError
from .tampering import count_own, find_tampering
from .texts import graft_texts

#: The key of a graded notebook's metadata that holds the notes.
METADATA = "autograder"
_DOLLAR, _BACKSLASH = "&#36;", "&#92;"


def graft(
    released: NotebookNode, cells: Sequence[Cell], releases: Sequence[Release] = ()
) -> tuple[NotebookNode, tuple[Note, ...]]:
    """A new notebook: `released` with the answers found in `cells`, and notes on what was odd. `releases` are the
    exercise's own, which hand-ins may be of.

    Raises:
        GraderFault: `released` has an answer cell without its magic line.
    """
    notebook = nbformat.from_dict(released)
    wanted = slots(released)
    known = frozenset(slot.magic for slot in wanted)
    notes: list[Note] = []
    found: dict[Slot, Answer | None] = {}
    for slot in wanted:
        answer, more = find_answer(slot, cells, known)
        found[slot] = answer = answer and join_split(answer, cells, released)
        if answer:
            notebook.cells[slot.index].source = f"{slot.magic}\n{answer.body}"
            more += (Note(NoteKind.RECOVERED, answer.said),) if answer.said else ()
        notes += more
    used = [number for answer in found.values() if answer for number in answer.cells]
    outside = [note for slot, answer in found.items() for note in find_elsewhere(slot, answer, cells, used, released)]
    said, below = graft_texts(released, notebook, cells)
    changed = find_tampering(released, cells)
    earlier = written_for_earlier(cells, releases) if changed else None
    notes += [*outside, *said, *((earlier,) if earlier else changed)]
    # What is told as perhaps an answer needs no second note that it does not count.
    if not outside and (own := count_own(released, [c for n, c in enumerate(cells) if n not in (*used, *below)])):
        notes.append(own)
    return notebook, tuple(notes)


def add_notes(notebook: NotebookNode, notes: Sequence[Note]) -> None:
    """Keep `notes` with a graded notebook: as data, and as a first cell that the student reads."""
    kept = notebook.metadata.setdefault(METADATA, {}).setdefault("notes", [])
    kept += [asdict(note) for note in notes]
    if not kept:
        return
    lines = ["**About what you handed in**", ""]
    lines += [f"- {_as_markdown(note['text'])}" for note in kept]
    text = "\n".join(lines)
    cell = nbformat.v4.new_markdown_cell(text, id="about-this-hand-in")
    if notebook.cells and notebook.cells[0].get("id") == cell.id:
        notebook.cells[0] = cell
    else:
        notebook.cells.insert(0, cell)


def _as_markdown(text: str) -> str:
    """`text`, which may quote a student, so that a page shows it as it is: no markup, link, picture or formula."""
    signs = (sign if sign.isalnum() or sign in " ,'()" else f"&#{ord(sign)};" for sign in printable(text))
    # MathJax looks for formulas in what the page shows, but not across the borders of elements.
    return "".join(f"<span>{sign}</span>" if sign in (_DOLLAR, _BACKSLASH) else sign for sign in signs)


def read_notes(notebook: NotebookNode) -> tuple[Note, ...]:
    """The notes that `add_notes` kept."""
    kept = notebook.metadata.get(METADATA, {}).get("notes", [])
    return tuple(Note(NoteKind(n["kind"]), n["text"], n["reason"], n["instead"]) for n in kept)


def rebuild(
    released: NotebookNode,
    path: Path,
    others: Sequence[Path] = (),
    siblings: Sequence[Path] = (),
    lost: str = "",
    files: Files | None = None,
    releases: Sequence[Release] = (),
) -> NotebookNode:
    """The notebook to grade for the file at `path`, whatever state it is in.

    Args:
        others: files beside it with no exercise's name; if `path` does not exist and exactly
            one of them holds an answer cell of this exercise, that one is read.
        siblings: the files of other exercises, none of whose answer cells begin as this one's do; an answer that
            `path` lacks is looked for there.
        lost: why `path` does not exist although it was handed in.
        files: what was read of this hand-in for other exercises.
        releases: of the exercise.
    """
    files = files or Files()
    notes: tuple[Note, ...]
    try:
        cells = files.cells(path)
        borrowed, said = _borrow(released, cells, siblings, files)
        notebook, notes = graft(released, (*cells, *borrowed), releases)
        notes += said
    except UnreadableError as error:
        notebook, _ = graft(released, ())
        why = f"{path.name} could not be read: {error}. Nothing in it was graded."
        again = "Save it again in Jupyter or Colab and hand it in again."
        notes = (Note(NoteKind.UNREADABLE, f"{why} {again}", instead=f"{why} Ask for it again."),)
        if not path.is_symlink() and not path.exists():
            notebook, notes = _without_file(released, path, others, siblings, lost, files)
    add_notes(notebook, notes)
    return notebook


def _borrow(
    released: NotebookNode, cells: Sequence[Cell], siblings: Sequence[Path], files: Files
) -> tuple[list[Cell], tuple[Note, ...]]:
    """Answers that `cells` lacks and that stand in exactly one way in `siblings`."""
    wanted = slots(released)
    known = frozenset(slot.magic for slot in wanted)
    found: list[Cell] = []
    notes: list[Note] = []
    for slot in wanted if siblings else ():
        here = find_answer(slot, cells, known)[0]
        if here and adds_code(slot, here.body):
            continue
        there = [
            (path, answer)
            for path in siblings
            for number, cell in enumerate(files.cells_or_none(path))
            for answer in sections(slot, number, cell, known)
            if adds_code(slot, answer.body) and answer.body.strip()
        ]
        if len({lean(answer.body) for _, answer in there}) == 1:
            path, answer = there[0]
            found.append(Cell(f"{slot.magic}\n{answer.body}", cell_id=slot.cell_id))
            text = f"The answer to '{slot.magic}' stood in {path.name} and was graded from there."
            notes.append(Note(NoteKind.RECOVERED, text + " Move it to the notebook of its own exercise."))
    return found, tuple(notes)


def siblings_of(folder: Path, name: str, released: Mapping[str, NotebookNode]) -> list[Path]:
    """The notebooks in a submission's folder of other exercises than `name`, except for those whose answer cells begin
    as its do."""
    lines = {other: {slot.magic for slot in slots(notebook)} for other, notebook in released.items()}
    return [
        folder / f"{other}.ipynb" for other, own in sorted(lines.items()) if other != name and not own & lines[name]
    ]


def misnamed(folder: Path, known: Collection[str]) -> list[Path]:
    """The notebooks in a submission's folder that do not have an exercise's file name."""
    return [path for path in sorted(folder.glob("*.ipynb")) if path.name not in known]


def _without_file(
    released: NotebookNode, path: Path, others: Sequence[Path], siblings: Sequence[Path], lost: str, files: Files
) -> tuple[NotebookNode, tuple[Note, ...]]:
    wanted = slots(released)
    candidates = [(other, cells) for other in others if _answers_any(wanted, cells := files.cells_or_none(other))]
    if len(candidates) == 1:
        other, cells = candidates[0]
        notebook, notes = graft(released, cells)
        text = f"{printable(other.name)} was graded as {path.name}. Hand it in under that name next time."
        return notebook, (Note(NoteKind.RENAMED, text), *notes)
    borrowed, said = _borrow(released, (), siblings, files)
    if borrowed:
        return graft(released, borrowed)[0], said
    notebook, _ = graft(released, ())
    if candidates:
        names = " and ".join(printable(other.name) for other, _ in candidates)
        text = f"{path.name} was not handed in, and {names} could each be meant: nothing was graded."
        return notebook, (Note(NoteKind.MISSING, text + f" Rename the right one to {path.name}."),)
    if lost:
        text = f"{path.name} was handed in, but could not be collected, so nothing was graded. Ask your instructor."
        return notebook, (Note(NoteKind.NOT_COLLECTED, text, lost),)
    text = f"{path.name} was not handed in, so nothing was graded. Hand in the notebook, whatever its file is called."
    return notebook, (Note(NoteKind.MISSING, text),)


def _answers_any(wanted: Sequence[Slot], cells: Sequence[Cell]) -> bool:
    lines = {slot.magic for slot in wanted}
    return any(split_magic(cell.source)[1] in lines for cell in cells)


class Graft(NbGraderPreprocessor):  # type: ignore[misc]
    """nbgrader's first step of autograding: replace the notebook by the rebuilt one."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Ignore `nb`; rebuild from the file that `resources` names.

        Raises:
            GraderFault: the exercise was never released.
            UsageError: the folder is a link.
        """
        here = resources["nbgrader"]
        folder = Path(RELEASED) / here["assignment"]  # nbgrader works in the course's root
        path = folder / f"{here['notebook']}.ipynb"
        if not path.exists():
            raise GraderFault(f"{path} is missing: run `nbgrader generate_assignment {here['assignment']}`.")
        home = Path(resources["metadata"]["path"])
        if home.is_symlink() or home.parent.is_symlink():
            raise UsageError(f"{home} is a link or lies in one, and is not followed. Put the files there.")
        released = {each.stem: nbformat.read(each, as_version=4) for each in sorted(folder.glob("*.ipynb"))}
        handed_in = home / path.name
        others = misnamed(home, [f"{name}.ipynb" for name in released])
        siblings = siblings_of(home, path.stem, released)
        releases = read_releases(Path(), here["assignment"]).get(path.stem, ())
        return rebuild(released[path.stem], handed_in, others, siblings, releases=releases), resources


class HandInExporter(NotebookExporter):
    """nbgrader's reader for autograding. It leaves a submitted file to `Graft`, since parsing it
    here would raise, and one student's unreadable file would end as an error without a score."""

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        if not any(isinstance(step, Graft) for step in self._preprocessors):
            # The second pass reads what the first one wrote.
            return super().from_filename(filename, resources=resources, **kw)
        path = Path(filename)
        resources = {**(resources or {}), "metadata": {"name": path.stem, "path": str(path.parent)}}
        empty = nbformat.v4.new_notebook()
        grafted: tuple[str, dict[str, Any]] = self.from_notebook_node(empty, resources)  # type: ignore[no-untyped-call]
        return grafted


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
        for beside in (Path(home, name) for name in names if not name.endswith(".ipynb")):  # `Graft` opens notebooks
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
    write_nbgraders_files(folder, graded)
