"""One case, launched: what was asked for, what happened, and whether the results are right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from ...cuda.core.findings import Finding, Kind
from ...cuda.core.launch import Launch
from ...cuda.core.numerics import find_mismatch, tolerance, wrong_elements
from ...cuda.core.run import Counts, Expected, Run
from ...cuda.core.setting import Setting
from ...cuda.errors import GraderFault
from ..declarations.declaration import Case, InOut, Output, is_poison

#: Findings that end a launch though it broke no other check's rule: no result counts as a wrong one.
ENDLESS = frozenset({Kind.STEP_LIMIT, Kind.CRASH})
#: The least percentage of a block's accesses of global memory that a few of its threads do not make. (In shared memory,
#: one thread may rightly have more to do: what the others have left there. A thread that loads for all, and lets all
#: store, makes half of them.)
_SHARED_OUT = 33
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Trial:
    """One case, launched: what was asked for, where, and what happened."""

    case: Case
    launch: Launch
    setting: Setting
    run: Run
    #: What was computed of it before: see `_once`.
    cached: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def stopper(self) -> Finding | None:
        """What ended the launch; None if it ran to its end.

        Raises:
            GraderFault: it ended, and nothing says why.
        """
        if self.run.completed:
            return None
        for finding in reversed(self.run.findings):
            if finding.stops:
                return finding
        raise GraderFault(f"The launch of {self.launch.name} stopped, and no finding says why.")

    @property
    def counts(self) -> Counts:
        """What the launch did to memory.

        Raises:
            GraderFault: the backend did not count.
        """
        if self.run.counts is None:
            raise GraderFault(f"The {self.run.backend} gave no counts for {self.launch.name}.")
        return self.run.counts

    @property
    def data(self) -> int:
        """How many elements its arrays have."""
        return sum(array.size for array in self.launch.arrays)

    @property
    def works_alone(self) -> bool:
        """Whether a few threads of each block, or one, do nearly all of its work, though a block has more; False on a
        GPU, which does not count."""
        work, threads = self.run.maximum_work, math.prod(self.launch.block)
        return work is not None and threads > 1 and (work.together == 1 or work.shared_out < _SHARED_OUT)


def _once(compute: Callable[[Trial], _Value]) -> Callable[[Trial], _Value]:
    """Cache what each of an exercise's checks computes of a launch by going through whole arrays."""

    @wraps(compute)
    def cached(trial: Trial) -> _Value:
        if compute.__name__ not in trial.cached:
            trial.cached[compute.__name__] = compute(trial)
        value: _Value = trial.cached[compute.__name__]
        return value

    return cached


@dataclass(frozen=True)
class _Output:
    """An array that the kernel writes, after the launch: what it holds, and what it should."""

    name: str
    before: np.ndarray
    got: np.ndarray
    want: np.ndarray
    allowed: float
    poisoned: bool


@_once
def _outputs(trial: Trial) -> Sequence[_Output]:
    arrays = [
        (parameter.name, given, arg)
        for parameter, given, arg in zip(
            trial.launch.signature.parameters, trial.launch.args, trial.case.args, strict=True
        )
        if isinstance(given, np.ndarray)
    ]
    expected = iter(trial.case.expected)
    outputs = []
    for (name, given, arg), got in zip(arrays, trial.run.outputs, strict=True):
        if isinstance(arg, Output | InOut):
            want = np.asarray(next(expected))
            allowed = tolerance(want, got.dtype, trial.case.terms)
            outputs.append(_Output(name, given, got, want, allowed, arg.poisoned))
    return outputs


def expected_outputs(trial: Trial) -> dict[str, Expected]:
    """Return the expected contents of each output, by the kernel's name for it."""
    return {out.name: Expected(out.want, out.allowed) for out in _outputs(trial)}


@_once
def find_wrong_result(trial: Trial) -> Sequence[Finding]:
    """Return what ended the launch without a result, or the outputs that numpy contradicts."""
    stopper = trial.stopper
    if stopper is not None:
        return [stopper] if stopper.kind in ENDLESS else []
    found: list[Finding] = []
    for out in _outputs(trial):
        if out.got.dtype == out.want.dtype and out.got.tobytes() == out.want.tobytes():
            continue  # nearly always, and much faster seen
        untouched = is_poison(out.got) if out.poisoned else _same_bytes(out.got, out.before)
        line = _read_first(trial.run, out.name)
        found += find_mismatch(out.name, out.got, out.want, out.allowed, untouched, line, has_value=not out.poisoned)
    return found


def _same_bytes(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return where two arrays of one dtype hold the same bytes: bools of their shape."""
    raw = (
        np.ascontiguousarray(array).reshape(-1).view(np.uint8).reshape(-1, array.itemsize) for array in (left, right)
    )
    return np.asarray(np.equal(*raw).all(axis=1).reshape(left.shape))


def _read_first(run: Run, name: str) -> int:
    """Return the line that reads output `name` before anything was written there; 0 for none."""
    reads = (f.accesses[0] for f in run.findings if f.kind is Kind.UNINITIALIZED_READ)
    return next((read.line for read in reads if read.array == name and read.space == "global"), 0)


def count_dependent(trial: Trial, without: Run) -> tuple[int, int]:
    """Return how many elements that a launch gets right are wrong in `without`, the same launch with something
    suppressed; and of how many that it has to change. Zeros do not count: where zeros are read, they may well come out
    right. If `without` stopped, which a kernel can do by itself, nothing is known to depend on what is suppressed."""
    lost = changed = 0
    for before, after in zip(_outputs(trial), _outputs(replace(trial, run=without)), strict=True):
        to_change = wrong_elements(before.before, before.want, before.allowed)
        to_change &= ~wrong_elements(before.got, before.want, before.allowed) & (before.want != 0)
        changed += int(to_change.sum())
        lost += int((to_change & wrong_elements(after.got, after.want, after.allowed)).sum())
    return (lost if without.completed else 0), changed


def count_carried(trial: Trial, changed: Trial, same: Run) -> tuple[int, int]:
    """Return how many elements are in `changed`, a launch with other data in which threads get from elsewhere what they
    got in `same`, as they are there; and how many should be others, of those that `trial` gets right. If `changed`
    stopped, nothing is known."""
    carried = others = 0
    unchanged = _outputs(replace(trial, run=same))
    for before, after, old in zip(_outputs(trial), _outputs(changed), unchanged, strict=True):
        other = wrong_elements(after.want, before.want, before.allowed)
        other &= ~wrong_elements(before.got, before.want, before.allowed)
        others += int(other.sum())
        carried += int((other & ~wrong_elements(after.got, old.got, old.allowed)).sum())
    return (carried if changed.run.completed else 0), others


@_once
def expects_results(trial: Trial) -> bool:
    """Return whether any element has to change."""
    return any(bool(wrong_elements(out.before, out.want, out.allowed).any()) for out in _outputs(trial))


@_once
def gives_results(trial: Trial) -> bool:
    """Return whether at least one element that had to change is right."""
    for out in _outputs(trial):
        to_change = wrong_elements(out.before, out.want, out.allowed)
        if (to_change & ~wrong_elements(out.got, out.want, out.allowed)).any():
            return True
    return False
