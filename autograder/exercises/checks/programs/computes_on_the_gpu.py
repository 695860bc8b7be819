"""Work on the GPU: does what a program prints come from its kernels?"""

from __future__ import annotations

from collections.abc import Sequence

from ....cuda.core.setting import Size
from ... import report
from ..frame import fail
from ..program_judge import ProgramCheck, ProgramJudge, decisive, on_the_host, program_check


@program_check
def computes_on_the_gpu() -> ProgramCheck:
    """What the program prints comes from its kernels: they have written it, also if half of what they write
    does not arrive, or the other half; and then, as without all of it, it is wrong. Judged in each case that
    prints enough numbers, or else in the case with most launches."""

    def judge_alone(judge: ProgramJudge, title: str, sizes: Sequence[Size]) -> str:
        right = judge.right(title, sizes)
        found = on_the_host(judge.runs, right)
        if found and len(right) < len(sizes):  # perhaps right by luck
            judge.block(title, "not all right", "matches_numpy")
        if found:
            fail(report.not_on_the_gpu(title, found.command))
        return report.passed(title, len(decisive(right)), 0, "emulator")

    return ProgramCheck(judge_alone=judge_alone)
