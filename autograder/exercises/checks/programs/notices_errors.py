"""Errors: does a program end with an error if a call of CUDA's fails?"""

from __future__ import annotations

import signal
from collections.abc import Sequence

from ....cuda.report import Report
from ... import report
from ...answers.program_runs import ProgramTrial
from ..program_judge import ProgramCheck, ProgramJudge, found_by, largest, program_check

#: Signals by which a program ends itself: `abort` and what calls it, and a trap.
_GIVES_UP = (signal.SIGABRT, signal.SIGILL)
#: Most calls that are made to fail, each in a separate run.
_REFUSED = 24


@program_check
def notices_errors() -> ProgramCheck:
    """If a call of CUDA's fails, the program ends with another exit code than 0, or ends itself by a signal:
    in the check's own cases, and in an ordinary one, that with most launches, whichever of its launches, copies
    and allocations fails."""

    def find(judge: ProgramJudge, title: str, trial: ProgramTrial) -> Report | None:
        if trial.run is None or (trial.run.status < 0 and -trial.run.status not in _GIVES_UP):
            return judge.wrong_prints(title, trial)
        found = next(found_by(trial, "notices_errors"), None)
        if not trial.run.status and (found or trial.case.fails):
            return report.not_noticed(title, trial.command, found, str(judge.answer.file))
        usual = largest(judge.right(title, judge.exercise.sizes))
        for number in _firsts_and_lasts(usual.run.refusable if usual.run else ()):
            run = judge.runs.trial(usual.size, refuse=number).run
            if run and run.refused and run.status == 0:
                return report.overlooked(title, usual.command, run.refused.name, run.refused.place.line)
        return None

    return ProgramCheck(find=find)


def _firsts_and_lasts(calls: Sequence[tuple[str, int]]) -> Sequence[int]:
    """Return the numbers, from 1, of the first and of the last call of each name and line, at most `_REFUSED` in
    all."""
    last = {call: number for number, call in enumerate(calls, 1)}
    first = {call: number for number, call in reversed([*enumerate(calls, 1)])}
    return [*dict.fromkeys([*first.values(), *last.values()])][:_REFUSED]
