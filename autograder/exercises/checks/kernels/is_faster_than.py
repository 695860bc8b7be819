"""Speed: is a kernel fast enough compared with another one, timed under the same conditions?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....cuda.core.launch import Series
from ....cuda.core.run import TimedRun
from ....cuda.core.setting import Setting
from ....cuda.errors import GraderFault, UsageError
from ... import report
from ...answers.launches import NotLaunchedError, setting_of
from ...answers.tools import TimeLaunches
from ...answers.trial import Trial, find_wrong_result
from ...declarations.baseline import Speed
from ...findings import TooSlow
from ..frame import fail
from ..judge import Judge, KernelCheck, is_wrong, kernel_check

#: How often speed is measured before it is found too slow.
ATTEMPTS = 2


@kernel_check
def is_faster_than(speed: Speed) -> KernelCheck:
    """The kernel is `speed.needed` times as fast as `speed.baseline`, at `speed.size`, on the GPU; without
    one, this says so and passes. A kernel with wrong results gets no points for its speed."""
    claim = report.claim_of_speed(speed.needed, speed.baseline.name)
    return KernelCheck(
        claim=claim, judge_alone=lambda judge, title: _judge_speed(judge, title, speed), visible_only=True
    )


def _judge_speed(judge: Judge, title: str, speed: Speed) -> str:
    judge.require_right_results(title)
    if judge.tools.time is None:
        judge.launches.check_values(speed.size)
        return report.speed_not_graded(title, speed.size)
    baseline = speed.baseline.name
    found: Sequence[TooSlow] = []
    for _ in range(ATTEMPTS):  # another program on the same GPU may have slowed one of the two
        times, other, setting = _time_both(judge, title, speed, judge.tools.time)
        found = find_too_slow(times, other, speed.needed, naive=speed.naive, good=speed.good, baseline=baseline)
        if not found:
            return report.fast_enough(title, setting, speed_up(times, other), speed.good, len(times))
    fail(report.failed(title, setting, found, judge.answer.source))


def _time_both(judge: Judge, title: str, speed: Speed, time: TimeLaunches) -> tuple[list[float], list[float], Setting]:
    """Return times of the answer and of the baseline, each of one launch on fresh inputs, and the setting. The first
    inputs only warm up: nothing that a kernel may have stored of them helps it later."""
    cases = [judge.launches.case(speed.size, draw) for draw in range(1, speed.rounds + 2)]
    launches = [judge.launches.prepare(speed.size, case) for case in cases]
    baselines = [speed.baseline.prepare(case, speed.size, launch) for case, launch in zip(cases, launches, strict=True)]
    setting = setting_of(judge.exercise, speed.size, launches[0])
    try:
        timed, beside = time([Series(launches), Series(baselines, cublas=not speed.baseline.source)])
    except UsageError as error:
        raise NotLaunchedError(setting, error) from error
    setting = replace(setting, backend=timed[0].run.backend)
    for case, timing, launch in zip(cases, timed, launches, strict=True):
        trial = Trial(case, launch, setting, timing.run)
        judge.require_end(title, trial)
        if wrong := find_wrong_result(trial):
            fail(report.failed(title, setting, wrong, judge.answer.source))
    for case, other, against in zip(cases, beside, baselines, strict=True):
        if is_wrong(Trial(case, against, setting, other.run)):
            raise GraderFault(f"The baseline {speed.baseline.name} gives a wrong result.")
    return _times(timed), _times(beside), setting


def _times(timed: Sequence[TimedRun]) -> list[float]:
    return [milliseconds for run in timed[1:] for milliseconds in run.times]


def speed_up(times: Sequence[float], other: Sequence[float]) -> float:
    """Return how many times as fast as `other` the kernel is: the ratio of the two medians."""
    return float(np.median(other) / np.median(times))


def find_too_slow(
    times: Sequence[float], other: Sequence[float], needed: float, *, naive: float, good: float, baseline: str
) -> list[TooSlow]:
    """Return one finding if the kernel is less than `needed` times as fast as the `baseline`.

    Args:
        times, other: of single launches of the kernel and the baseline, in milliseconds.
        naive, good: the exercise's reference speeds, see `TooSlow`.
    """
    measured = speed_up(times, other)
    if measured >= needed:
        return []
    found = TooSlow(
        measured=measured,
        needed=needed,
        median=float(np.median(times)),
        other=float(np.median(other)),
        naive=naive,
        good=good,
        baseline=baseline,
    )
    return [found]
