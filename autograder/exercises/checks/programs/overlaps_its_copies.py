"""Copies: do they go on while kernels run?"""

from __future__ import annotations

from collections.abc import Callable

from ....cuda.report import Report
from ... import report
from ...answers.program_runs import ProgramTrial
from ..program_judge import ProgramCheck, ProgramJudge, Worth, program_check


@program_check
def overlaps_its_copies(alone: Callable[..., int], in_all: Callable[..., int]) -> ProgramCheck:
    """Copies between the host and the GPU go on while a kernel may run that works on what is copied: at most
    `alone` bytes do not, and at most `in_all` are copied, functions of the size's words. A program with wrong
    results gets no points for it."""

    def find(judge: ProgramJudge, title: str, trial: ProgramTrial) -> Report | None:
        run, at_most, most = trial.run, alone(**trial.size), in_all(**trial.size)
        if run and run.copied > most:
            return report.copied_too_much(title, trial.command, run.copied, most)
        if run is None or (run.copied > at_most and run.copied - run.overlapped <= at_most):
            return None
        return report.not_overlapped(title, trial.command, run.copied - run.overlapped, at_most, run.copied)

    return ProgramCheck(find=find, worth=Worth.ALL)
