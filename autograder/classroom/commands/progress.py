"""What an instructor sees while a class is graded, and the summary afterwards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ...cuda.report.vocabulary import count, printable
from ..execution import sandbox
from ..execution.dispatch import Watch
from ..grade import Summary
from ..names import called, some_of
from ..submission.notes import QUIET, NoteKind

#: Seconds between two lines where there is no terminal to draw in.
_LINE_SECONDS = 10.0


class Display(Watch):
    """A progress bar with what runs, what failed and the time left; without a terminal, a line from
    time to time."""

    def __init__(self, console: Console, title: str) -> None:
        self._console, self._title = console, title
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[state]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task(title, total=None, state="")
        self._lock = Lock()
        self._total = self._done = self._failed = self._stored = 0
        self._running: set[str] = set()
        self._shown = time.monotonic()

    @contextmanager
    def shown(self) -> Iterator[Display]:
        with self._progress:
            yield self

    def report(self, text: str) -> None:
        self._console.print(f"{self._title}: {printable(text)}", markup=False, highlight=False, soft_wrap=True)

    def begin(self, total: int, known: int) -> None:
        self._total, self._done = total, known
        text = f"{self._title}: {count(total, 'different notebook')}, {known} run before."
        self._console.print(text, highlight=False)
        for what in sandbox.missing():
            self._console.print(f"On this machine, notebooks run in a weaker sandbox; open are {what}.")
        # Only what runs now shows how long the rest will take.
        self._progress.reset(self._task, total=total - known, state="")

    def started(self, name: str) -> None:
        with self._lock:
            self._running.add(name)
            self._show()

    def finished(self, name: str, failed: bool) -> None:
        with self._lock:
            self._running.discard(name)
            self._done, self._failed = self._done + 1, self._failed + failed
            self._progress.advance(self._task)
            self._show()

    def stopped(self, stored: int) -> None:
        self._stored = stored

    @property
    def farewell(self) -> str:
        """The message to a person who stopped the run."""
        stored = f"the results of {self._stored} of {count(self._total, 'notebook')} are kept"
        return f"stopped: {stored if self._total else 'nothing was run yet'}; run the same command again to go on."

    def _show(self) -> None:
        state = f"{len(self._running)} running, {self._failed} failed"
        self._progress.update(self._task, state=state)
        if not self._console.is_terminal and time.monotonic() - self._shown > _LINE_SECONDS:
            self._shown = time.monotonic()
            self._console.print(f"{self._title}: {self._done} of {self._total} done, {state}", highlight=False)


def summary_lines(summary: Summary) -> Iterator[str]:
    """What was done, and one line for each thing that needs attention."""
    yield (
        f"{count(len(summary.recorded), 'student')} recorded, {len(summary.unchanged)} unchanged; "
        f"{count(summary.ran, 'notebook')} run, {summary.reused} taken from earlier runs."
    )
    if summary.former:
        yield printable(f"removed, on no list of students and without a folder by now: {some_of(summary.former)}.")
    names = summary.names
    missing = [f"{called(who, names)}: {name}" for who, name, note in summary.notes if note.kind is NoteKind.MISSING]
    if missing:
        yield printable(f"{count(len(missing), 'notebook')} not handed in: {some_of(missing)}.")
    if earlier := sum(note.kind is NoteKind.EARLIER for _, _, note in summary.notes):
        yield f"{NoteKind.EARLIER}, and graded with the current one: {count(earlier, 'notebook')}."
    for refused in summary.refused:
        yield printable(f"not graded: {called(refused.student, names)}: {refused.why}")
    for student, notebook, note in summary.notes:
        if note.kind not in QUIET:
            yield printable(f"{note.kind.value}: {called(student, names)}, {notebook}: {note.in_full}")
    if summary.waiting:
        table = f"`autograder texts {summary.chapter} --csv texts.csv` makes a table to fill in"
        wait = "waits" if summary.waiting == 1 else "wait"
        yield f"{count(summary.waiting, 'answer')} in words {wait} for points: {table}."


def needs_a_person(summary: Summary) -> bool:
    """Whether a student lacks the score that the answers deserve."""
    faults = (NoteKind.GRADER_FAULT, NoteKind.UNREADABLE)
    return bool(summary.refused) or any(note.kind in faults for _, _, note in summary.notes)
