"""Values about which a test knows more than their types say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from autograder.cuda.core.findings import Finding
from autograder.cuda.core.run import Counts, Run

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
