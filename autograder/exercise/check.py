"""One check, as data: what it claims of an answer, how it looks for the opposite, and what it needs to judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.findings import Finding
from ..report import Report
from .trial import Trial


def find_nothing(trial: Trial) -> Sequence[Finding]:
    """For a check that judges no case by itself."""
    return ()


@dataclass(frozen=True)
class Check:
    """What `Judge` judges an answer by.

    A check that is not `on_gpu` needs one case that ran to its end with something right to show; a case that another
    mistake stopped is that mistake's, and costs its points once.

    Args:
        method: the one of `Checker`.
        claim: what it claims of the kernel, as in the title of its report.
        find: what contradicts the claim in one case.
        judge_all: judges all cases together, given the title; None where it has nothing to report.
        on_gpu: on the GPU where there is one, and in every case.
        needs_right_results: of a kernel whose results are wrong in any case, the claim says nothing.
        needs_shared_memory: nor of one that never uses shared memory,
        needs_several_threads: nor of one where one thread of a block does everything.
        words: what the method was given.
    """

    method: str
    claim: str
    find: Callable[[Trial], Sequence[Finding]] = find_nothing
    judge_all: Callable[[str, Sequence[Trial]], Report | None] | None = None
    on_gpu: bool = False
    needs_right_results: bool = False
    needs_shared_memory: bool = False
    needs_several_threads: bool = False
    words: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The check's, as a result and a mutant have it: "has_no_races", "uses_shared_memory"."""
        return "_".join([self.method, *self.words])
