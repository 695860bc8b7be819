"""Waits: does the host wait for the GPU more often than it must?"""

from __future__ import annotations

from collections.abc import Callable

from ....cuda.report import Report
from ... import report
from ...answers.program_runs import ProgramTrial
from ..program_judge import ProgramCheck, ProgramJudge, Worth, found_by, program_check


@program_check
def waits_at_most(limit: Callable[..., int]) -> ProgramCheck:
    """The host waits for the GPU at most as often as `limit` returns, a function of the size's words. Freeing and
    copying wait, too, and do not count. A program that waits too little gets no points for it."""

    def find(judge: ProgramJudge, title: str, trial: ProgramTrial) -> Report | None:
        run, at_most = trial.run, limit(**trial.size)
        for check in ("waits_for_the_gpu", "orders_its_streams"):
            if any(found_by(trial, check)):
                judge.block(title, "early", check)
        if run is None or run.waits <= at_most:
            return None
        return report.waits_too_often(title, trial.command, run.waits, at_most)

    return ProgramCheck(find=find, worth=Worth.ALL)
