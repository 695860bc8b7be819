"""Limits: a number, or a function of the words of a case's size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...cuda.core.findings import Finding
from ..answers.trial import Trial
from ..declarations.domain import words_of

_Limit = TypeVar("_Limit", int, float)


def in_case(limit: _Limit | Callable[..., _Limit], trial: Trial) -> _Limit:
    """Return the value of `limit` in a case."""
    return limit(**words_of(trial.setting.size)) if callable(limit) else limit


def if_completed(find: Callable[[Trial], Sequence[Finding]]) -> Callable[[Trial], Sequence[Finding]]:
    """Return `find` for checks of counts, which mean nothing if a launch was stopped: then it finds nothing."""
    return lambda trial: find(trial) if trial.run.completed else []
