"""The checks of an exercise that a test has declared. (Apart from `narrowing`, whose users need no session.)"""

from __future__ import annotations

from autograder.exercises.checks.checker import Checker
from autograder.exercises.notebook.session import Session


def checker(session: Session, name: str) -> Checker:
    """The checks of an exercise whose answer is a kernel."""
    found = session.check(name)
    assert isinstance(found, Checker)
    return found
