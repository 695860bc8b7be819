"""Exercises whose answer is a whole CUDA program: the runs that are tried, and the numbers that each must print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ...cuda.core.setting import Size
from ...cuda.errors import GraderFault
from .declaration import NONE_HIDDEN, Sizes, checked_sizes, hidden_sizes
from .domain import Domain, checked_domain
from .sizes import complete


@dataclass(frozen=True)
class ProgramCase:
    """One run of the student's program, and what it must do.

    Args:
        arguments: what follows the program's name: numbers and words.
        prints: the numbers that it prints, in order, with blanks or new lines between them. They must be equal: choose
            inputs whose results are exact.
        fails: whether some call must fail in it, so that it has to end with another exit code than 0; what it prints
            is not looked at then.
        on_the_gpu: whether what it prints has to come from kernels; False where there is nothing for them to do.

    Raises:
        GraderFault: neither `prints` nor `fails` is given, or both.
    """

    arguments: Sequence[object]
    prints: Sequence[float] | np.ndarray = ()
    fails: bool = False
    on_the_gpu: bool = True

    def __post_init__(self) -> None:
        if self.fails == bool(len(self.prints)):
            raise GraderFault("A ProgramCase says what the program prints, or that it fails.")

    @property
    def command(self) -> tuple[str, ...]:
        """The arguments as the program gets them."""
        return tuple(str(argument) for argument in self.arguments)


@dataclass(frozen=True, eq=False)
class ProgramExercise:
    """One exercise with a whole program: a name, how to make its cases, and, as in `Exercise`, the visible sizes, what
    the words of a size may be, in all checks and in single ones, and the sizes that only grading tries."""

    name: str
    case: Callable[..., ProgramCase]
    visible: Sizes
    domain: Domain = field(default_factory=dict)
    narrow: Mapping[str, Domain] = field(default_factory=dict)
    hidden: Sizes = NONE_HIDDEN
    #: It has no `%%values` cell.
    values: ClassVar[tuple[str, ...]] = ()
    constants: ClassVar[Mapping[str, int]] = MappingProxyType({})

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The visible sizes."""
        return self.visible.others

    def hide(self, seed: int) -> ProgramExercise:
        """This exercise with hidden sizes, which `seed` draws.

        Raises:
            GraderFault: it has no domain.
        """
        if not self.domain:
            raise GraderFault(f"{self.name} has no domain: say in its contract what the words of a size may be.")
        return replace(self, hidden=hidden_sizes(self.name, self.domain, self.narrow, self.visible, seed))

    def build(self, size: Size) -> ProgramCase:
        """Return the case of `size`.

        Raises:
            GraderFault: the case function failed, or did not return a `ProgramCase`.
        """
        try:
            case = self.case(**size)
        except Exception as error:
            raise GraderFault(f"The case of {self.name} failed for {dict(size)}: {error!r}") from error
        if not isinstance(case, ProgramCase):
            raise GraderFault(f"The case function of {self.name} must return a ProgramCase, not {case!r}.")
        return case


def declare_program(
    name: str,
    case: Callable[..., ProgramCase],
    sizes: Sequence[Size],
    domain: Mapping[str, Any] = MappingProxyType({}),
    narrow: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> ProgramExercise:
    """Return a checked `ProgramExercise`; the arguments are those of `autograder.program`.

    Raises:
        GraderFault: one sentence on what is wrong with the declaration.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise GraderFault(f"program({name!r}, ...): the name must be one word, as on the %%cuda line.")
    checked = checked_domain(name, domain)
    narrowed = {check: checked_domain(name, {**domain, **given}) for check, given in narrow.items()}
    first = checked_sizes(name, sizes, checked)
    visible = Sizes(
        complete(name, checked, first) if checked else first,
        {check: complete(f"{name} {check}", given) for check, given in narrowed.items()},
    )
    return ProgramExercise(name, case, visible, checked, narrowed)
