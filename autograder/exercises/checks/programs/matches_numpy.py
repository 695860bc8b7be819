"""Results: does a program print what numpy computes?"""

from __future__ import annotations

from ....cuda.report import Report
from ...answers.program_runs import ProgramTrial
from ...answers.shrink import shrink
from ..program_judge import ProgramCheck, ProgramJudge, Worth, program_check


@program_check
def matches_numpy() -> ProgramCheck:
    """In every case the program ends with exit code 0, and prints the numbers that numpy computes and nothing
    else."""

    def find(judge: ProgramJudge, title: str, trial: ProgramTrial) -> Report | None:
        wrong = judge.wrong_prints(title, trial)
        if wrong is None:
            return None
        domain = judge.exercise.domain
        return shrink(trial.size, domain, lambda size: _misprint(judge, title, judge.runs.trial(size))) or wrong

    return ProgramCheck(find=find, worth=Worth.NONE)


def _misprint(judge: ProgramJudge, title: str, trial: ProgramTrial) -> Report | None:
    """Return what is wrong in a case whose kernels ran to their end. (A kernel that stopped is easier to understand in
    a case that the author has chosen.)"""
    run = trial.run
    stopped = run is None or run.uncompiled or not all(launched.run.completed for launched in run.launches)
    return None if stopped else judge.wrong_prints(title, trial)
