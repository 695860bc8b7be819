"""Runs `make course` after the installation: exercises, a graded sample class, the book.

Two things at a time: what kernels and programs need is built while the exercises are released, and the book while the
sample class is graded.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ...cuda.backends import gpu
from ...cuda.errors import UsageError
from ...cuda.programs.building.build import build_parts
from ...exercises.authoring.chapters import write_chapters
from ...exercises.authoring.nbgrader_app import CommandError, chapters, nbgrader, run_command
from ...exercises.authoring.release import release
from ..classroom import Classroom, open_classroom
from ..grade import grade
from ..results import class_report, class_results, class_terminal
from ..results.class_grid import legend, make_lines
from ..results.feedback import write_feedback
from . import sample_class
from .clean import in_short, work_to_preserve

PAGES = Path("_build") / "html"
#: Next to this Python, so that it works even if the virtual environment is not activated.
_JUPYTER_BOOK = Path(sys.executable).parent / "jupyter-book"
_STAMPS = Path("_build") / "course-stamps.json"
_GRADING = ("solutions", "autograder", "nbgrader_config.py", "requirements.txt")
_WRITING = (
    *("book", "_config.yml", "_toc.yml", "exercises", "solutions", "autograder", "requirements.txt", "README.md"),
    *("tests/cuda/programs", "tests/cuda/corpora"),  # their verdicts stand on a page
)

Advance = Callable[[int, int], None]
#: Shows that the step of a title is at work, and how far.
Show = Callable[[str], AbstractContextManager[Advance]]
#: Steps end at any time, each with a line in the same file.
_stamping = Lock()


@dataclass(frozen=True)
class Step:
    """One part of the work: skipped if neither `inputs` nor `outputs` (files and folders) changed since
    it last ran. `work` gets a function to report progress as (done, total), and may return a sentence: what is missing
    though nothing failed. Then the next `make course` runs it again."""

    title: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    needed: tuple[str, ...]
    work: Callable[[Path, Advance], str | None]


def make_course(root: Path) -> None:
    """Run all steps at `root`, skip those that are up to date, and print where the results are.

    Raises:
        UsageError: something is missing or a step failed; the message says what to do.
        GraderFault: the emulator's runtime could not be built.
    """
    _check_prerequisites(root)
    console = Console()
    backend = _backend()
    room = open_classroom(root)
    external = has_external_gradebook(room)
    preserved = work_to_preserve(root)
    write_chapters(root)
    with _display(console) as show, ThreadPoolExecutor(1) as beside:

        @cache  # once: by the step that writes the exercises, or below where that is up to date
        def begin_book() -> Future[None]:
            return beside.submit(_run_step, console, show, root, book, backend)

        parts = beside.submit(_build_parts, console, show)
        exercises, book = _steps(bool(preserved) or external, begin_book)
        try:
            _run_step(console, show, root, exercises, backend)
            for done in (parts, begin_book()):
                done.result()
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)  # what runs may end
            raise
    if preserved:
        console.print(f"\nThe sample class was left as it is: this folder holds {in_short(preserved)}.")
    elif external:
        console.print(f"\nThe sample class was left out: this course's gradebook is {room.shown_url}.")
    _summarize(console, room, backend)


def _build_parts(console: Console, show: Show) -> None:
    with show("Emulator runtime"):
        build_parts()  # which caches its result, and knows when that is out of date
    console.print("Emulator runtime: ready")


def make_book(root: Path) -> Path:
    """Build the book at `root` with warnings as errors, unless it is up to date. Returns the folder of its pages.

    Raises:
        UsageError: it could not be built; the message ends with what was printed.
    """
    console = Console()
    with _display(console) as show:
        _run_step(console, show, root, _BOOK, _backend(), retries=False)
    return root / PAGES


def has_external_gradebook(room: Classroom) -> bool:
    """Whether this course's gradebook is not the sample class's own file."""
    return room.db_url != f"sqlite:///{room.root.resolve() / sample_class.GRADEBOOK}"


def _steps(keeps_its_class: bool, released: Callable[[], object]) -> tuple[Step, Step]:
    """A folder with real students, or with grades by hand, keeps its gradebook: only exercises and the book are made
    there. `released` is called as soon as the book can be built from the exercises."""
    if keeps_its_class:
        return Step("Exercises", _GRADING, ("exercises",), (), lambda root, _: _release(root)), _BOOK
    needed = (sample_class.GRADEBOOK, "autograded", "feedback")

    def work(root: Path, advance: Advance) -> None:
        grade_sample_class(root, advance, released)

    return Step("Exercises and sample class", _GRADING, ("exercises", "submitted"), needed, work), _BOOK


def _check_prerequisites(root: Path) -> None:
    if not chapters(root):
        raise UsageError(f"There is no course in {root}: run this in the folder that holds solutions/.")
    if not _JUPYTER_BOOK.exists():
        raise UsageError("The program jupyter-book is missing: run `make course`, which installs it.")


def _backend() -> str:
    reason = gpu.problem()
    if reason is None:
        return f"{gpu.device_name()}, and the CPU emulator for what a GPU does not show"
    return f"the CPU emulator. {reason}"


def _release(root: Path) -> None:
    release(root)


def grade_sample_class(root: Path, advance: Advance, released: Callable[[], object] = lambda: None) -> None:
    """Release every chapter, make the sample class, grade it, and write its feedback; report each chapter to `advance`.
    Calls `released` when the exercises are there.

    Raises:
        UsageError: this course's folder has other students.
        GraderFault: notebooks can't run on this machine.
        CommandError: a chapter could not be released.
    """
    sample_class.remove_sample_class(root)
    nbgrader(root, [("generate_assignment", chapter, "--force") for chapter in chapters(root)], disposable=True)
    released()
    sample_class.make_sample_class(root)
    room = open_classroom(root)
    handed_in = sorted({path.parent.name for path in root.glob("submitted/*/*/*.ipynb")})
    for done, chapter in enumerate(handed_in, 1):
        grade(room, chapter)
        write_feedback(room, chapter)
        advance(done, len(handed_in))


def _build_book(root: Path, advance: Advance) -> str | None:
    def watch(line: str) -> None:
        # Sphinx counts twice: it reads all pages, then writes them.
        if match := re.match(r"(reading sources|writing output)\.\.\. \[ *(\d+)%\]", line):
            advance(int(match[2]) + 100 * (match[1] == "writing output"), 200)

    what = "`jupyter-book build . -W --keep-going`"
    try:
        log = run_command(root, what, [str(_JUPYTER_BOOK), *what.strip("`").split()[1:]], watch)
    except CommandError as error:
        # Sphinx would take these pages as they are the next time, and be silent about their warnings.
        shutil.rmtree(root / PAGES.with_name(".doctrees"), ignore_errors=True)
        if ours := re.search(r"^(?:autograder\.cuda\.errors\.\w+|OSError): (.+)", error.log, re.MULTILINE):
            raise CommandError(what, ours[1]) from None  # a sentence that says what to do, among Sphinx's lines
        # The cause is printed above Jupyter Book's own traceback.
        raise CommandError(what, error.log.partition("\nTraceback (most recent call last)")[0]) from None
    missing = re.search(r"Exercises cannot be checked in the page: .*", log)
    return f"{missing[0].strip()} `make course` tries again." if missing else None


_BOOK = Step("Book", _WRITING, (str(PAGES),), (str(PAGES / "index.html"),), _build_book)


def _run_step(console: Console, show: Show, root: Path, step: Step, backend: str, *, retries: bool = True) -> None:
    before = [_digest(root, step.inputs, backend), _digest(root, step.outputs)]
    known = _read_stamps(root).get(step.title, [])
    is_up_to_date = known[:2] == before and all((root / name).exists() for name in step.needed)
    if is_up_to_date and not (retries and known[2:]):
        console.print(f"{step.title}: up to date")
        return
    start = time.monotonic()
    try:
        with show(step.title) as advance:
            missing = step.work(root, advance)
    except CommandError as error:
        raise UsageError(f"{step.title}: {error}") from None
    console.print(f"{step.title}: done in {time.monotonic() - start:.0f} s")
    if missing:
        console.print(missing, markup=False, highlight=False, soft_wrap=True)
    stamp = [before[0], _digest(root, step.outputs), *([missing] if missing else [])]
    with _stamping:
        (root / _STAMPS).parent.mkdir(exist_ok=True)
        (root / _STAMPS).write_text(json.dumps(_read_stamps(root) | {step.title: stamp}, indent=1))


@contextmanager
def _display(console: Console) -> Iterator[Show]:
    """What shows steps at work: by bars below what is printed, or by lines where nobody watches."""

    @contextmanager
    def line(title: str) -> Iterator[Advance]:
        console.print(f"{title} ...")
        yield lambda done, total: None

    @contextmanager
    def bar(title: str) -> Iterator[Advance]:
        task = progress.add_task(title, total=None)
        try:
            yield lambda done, total: progress.update(task, completed=done, total=total)
        finally:
            progress.remove_task(task)

    if not console.is_terminal:
        yield line
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield bar


def _read_stamps(root: Path) -> dict[str, list[str]]:
    try:
        stamps: dict[str, list[str]] = json.loads((root / _STAMPS).read_text())
    except (OSError, ValueError):
        return {}
    return stamps


def _digest(root: Path, names: Sequence[str], also: str = "") -> str:
    """A hash of this Python's version and the contents of files and folders."""
    digest = hashlib.sha256(f"{sys.version} {also}".encode())
    for name in names:
        top = root / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts and ".ipynb_checkpoints" not in path.parts:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                digest.update(f"{path.relative_to(root)} {content}\n".encode())
    return digest.hexdigest()


def _summarize(console: Console, room: Classroom, backend: str) -> None:
    root = room.root

    def say(*lines: str) -> None:
        # Printed verbatim: paths and notes may contain brackets, and paths must not wrap.
        console.print(*lines, sep="\n", markup=False, highlight=False, soft_wrap=True)

    say("")
    if room.has_gradebook:
        graded = [chapter for chapter in chapters(root) if any(root.glob(f"autograded/*/{chapter}"))]
        # For the sample class, only what it hands in: none of its students does every exercise.
        handed_in = {(student, exercise) for student, (_, exercise), _ in sample_class.STUDENTS}
        rows = [row for chapter in graded for row in class_results.read_class(room, chapter)]
        rows = [row for row in rows if (row.student, row.name) in handed_in]
        cells = {(row.student, row.name): class_report.cell_of(row) for row in rows}
        exercises = {row.name: row.max_score for row in rows}
        lines = make_lines(cells, tuple(exercises), {}, {})
        console.print(class_terminal.score_table(exercises, lines, console.width))
        say(legend(lines))
        for line in class_terminal.note_lines(rows):
            say(f"  {line}")
        say("", f"Feedback  {root / 'feedback'}/<student>/<chapter>.html")
    say(f"Book      {root / PAGES / 'index.html'}", f"Run on    {backend}")
