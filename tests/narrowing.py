"""Values about which a test knows more than their types say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from autograder.core.findings import Finding
from autograder.core.run import Counts, Run
from autograder.exercise.checker import Checker
from autograder.notebook.session import Session

F = TypeVar("F", bound=Finding)


def only(kind: type[F], findings: Iterable[object]) -> F:
    """The only finding, which must be of this class."""
    (finding,) = findings
    assert isinstance(finding, kind), finding
    return finding


def counts_of(run: Run) -> Counts:
    """The emulator's counts of a launch."""
    assert run.counts is not None
    return run.counts


def checker(session: Session, name: str) -> Checker:
    """The checks of an exercise whose answer is a kernel."""
    found = session.check(name)
    assert isinstance(found, Checker)
    return found
