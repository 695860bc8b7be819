"""What all checkers share: their checks are found and become methods, and each is judged, recorded and reported."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from ...cuda.errors import UsageError
from ...cuda.plugins import plugins
from ...cuda.report import Report
from .. import report
from ..declarations.declaration import Sizes
from ..report import places
from ..result import CheckFailed, CheckResult, OnResult, Outcome
from .check import Check, CheckFunction


class AnyExercise(Protocol):
    """What every exercise has: a name, the sizes that a notebook shows, and those that only grading tries."""

    @property
    def name(self) -> str: ...
    @property
    def visible(self) -> Sizes: ...
    @property
    def hidden(self) -> Sizes: ...


_Exercise = TypeVar("_Exercise", bound=AnyExercise)
_Check = TypeVar("_Check", bound=Check)


class Checks(ABC, Generic[_Exercise, _Check]):
    """The checks of one exercise, one method for each. A method reports the check's results; it returns None if the
    answer passes, and raises `CheckFailed` if not.

    Args:
        exercise: the exercise.
        on_result: takes each result.
    """

    def __init__(self, exercise: _Exercise, on_result: OnResult) -> None:
        self._exercise, self._on_result = exercise, on_result

    if TYPE_CHECKING:  # `with_checks` adds the methods

        def __getattr__(self, name: str) -> Callable[..., None]: ...

    def _try(self, check: _Check) -> None:
        """Judge `check` over the visible sizes, and then over its hidden ones, if any."""
        exercise = self._exercise
        title = f"{exercise.name} {check.claim or report.claim(check.method)}"
        self._record(check, title, exercise.visible, hidden=False)
        if exercise.hidden.for_check(check.method) and not check.visible_only:
            self._record(check, title, exercise.hidden, hidden=True)

    def _record(self, check: _Check, title: str, sizes: Sizes, *, hidden: bool) -> None:
        result = CheckResult(self._exercise.name, check.name, title, hidden, Outcome.PASSED)
        try:
            line = self._judge(check, title, sizes, hidden=hidden)
        except CheckFailed as failure:
            outcome = Outcome.BLOCKED if failure.blocked else Outcome.FAILED
            self._on_result(replace(result, outcome=outcome), failure.report)
            raise
        self._on_result(result, line)

    @abstractmethod
    def _judge(self, check: _Check, title: str, sizes: Sizes, *, hidden: bool) -> str:
        """Judge `check`; return the line that reports that the answer passes.

        Raises:
            CheckFailed: it does not pass.
        """


def call(exercise: AnyExercise, check: str) -> str:
    """Return what reports call a check of an exercise, by its method."""
    return places.call(exercise.name, check)


def fail(shown: Report, *, blocked: bool = False) -> NoReturn:
    """End a check with a report."""
    raise CheckFailed(shown, blocked=blocked)


_Class = TypeVar("_Class", bound=type[Checks[Any, Any]])


def with_checks(kind: type[Check], folder: ModuleType) -> Callable[[_Class], _Class]:
    """Decorate a class of `Checks`: add a method for each check of a `kind` that a file of `folder`, or an entry point
    of the group `autograder.checks`, has.

    Raises:
        UsageError: another package registers what is not a check, or has the name of another one.
    """

    def add(cls: _Class) -> _Class:
        for module in iter_modules(folder.__path__, f"{folder.__name__}."):
            for name, found in vars(import_module(module.name)).items():
                if isinstance(found, CheckFunction):
                    setattr(cls, name, _method(name, found))
        for name, found in plugins("checks").items():
            if not isinstance(found, CheckFunction):
                raise UsageError(
                    f"{name} in autograder.checks is not a check: decorate it with @kernel_check or @program_check."
                )
            if found.kind is kind:
                if hasattr(cls, name):
                    raise UsageError(f"{cls.__name__} has a check {name}: rename the one that is in autograder.checks.")
                setattr(cls, name, _method(name, found))
        return cls

    return add


def _method(name: str, check: CheckFunction) -> Callable[..., None]:
    """Return the method of `Checks` by which a notebook calls a check."""

    @wraps(check.make)
    def method(self: Checks[Any, Any], *args: Any, **kwargs: Any) -> None:
        self._try(replace(check.make(*args, **kwargs), method=name))

    made = signature(check.make)
    parameters = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *made.parameters.values()]
    method.__name__ = name
    method.__annotations__ = {**check.make.__annotations__, "return": None}
    vars(method)["__signature__"] = made.replace(parameters=parameters, return_annotation=None)
    return method
