"""A check as data: what it asserts about an answer, how it finds violations, and what it needs in order to judge.

A function with the check's name returns this data for the arguments with which a notebook calls the check:

    @kernel_check
    def shares_memory(at_least: int = 1) -> KernelCheck:
        \"""Each launch accesses shared memory at least `at_least` times.\"""
        return KernelCheck(find=lambda trial: ...)

It is found in a file of `kernels/` or `programs/`, or as an entry point of the group `autograder.checks`, and becomes a
method of `Checker` or `ProgramChecker`: `check("saxpy").shares_memory(at_least=2)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Check:
    """A check of any answer.

    Args:
        claim: what it asserts about the answer, as in the title of its report; by default, the words of its name.
        words: the arguments that are part of its name in results.
        visible_only: whether it is judged once, and not over the hidden cases, too.
        method: its name in a notebook, which is that of the function that returned it; filled in when it is called.
    """

    claim: str = ""
    words: tuple[str, ...] = ()
    visible_only: bool = False
    method: str = ""

    @property
    def name(self) -> str:
        """The check's name in results and mutants: "has_no_races", "uses_shared_memory"."""
        return "_".join([self.method, *self.words])


@dataclass(frozen=True)
class CheckFunction:
    """A function that returns a check, and the kind of check that it returns."""

    kind: type[Check]
    make: Callable[..., Check]
