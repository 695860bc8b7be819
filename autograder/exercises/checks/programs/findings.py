"""The checks whose findings a run itself has, in the host's code or in a launch: the tables of kinds have the check of
each."""

from __future__ import annotations

from ....cuda.report import Report
from ....cuda.report.kinds import kinds
from ... import report
from ...answers.program_runs import ProgramTrial
from ..program_judge import ProgramCheck, ProgramJudge, found_by, program_check


@program_check
def stays_in_bounds() -> ProgramCheck:
    """No copy and no kernel goes beyond what was allocated."""
    return _of_run("stays_in_bounds")


@program_check
def has_no_races() -> ProgramCheck:
    """No two threads of a kernel access the same element, at least one of them writing, with nothing to order
    them."""
    return _of_run("has_no_races")


@program_check
def uses_pointers_where_they_belong() -> ProgramCheck:
    """Each copy's direction fits its pointers; no kernel uses a pointer to the host's memory, nor the host one to
    the GPU's."""
    return _of_run("uses_pointers_where_they_belong")


@program_check
def frees_its_memory() -> ProgramCheck:
    """All that the program allocates on the GPU is freed once, by the function that belongs to it, and not used
    after that."""
    return _of_run("frees_its_memory")


@program_check
def waits_for_the_gpu() -> ProgramCheck:
    """The host uses no result, and does not end, before it knows that the work on it is over."""
    return _of_run("waits_for_the_gpu")


@program_check
def orders_its_streams() -> ProgramCheck:
    """If two operations use the same memory, one of them writing, a stream, an event or the host orders them."""
    return _of_run("orders_its_streams")


def _of_run(check: str) -> ProgramCheck:
    def find(judge: ProgramJudge, title: str, trial: ProgramTrial) -> Report | None:
        found = list(found_by(trial, check))
        if found:
            return report.program_failed(title, trial.command, found[0], len(found) - 1, str(judge.answer.file))
        for launched in trial.run.launches if trial.run else ():
            for finding in launched.run.findings:
                if kinds()[finding.kind].check == check:
                    return judge.kernel_failed(title, trial, launched, finding)
        return None

    return ProgramCheck(find=find)
