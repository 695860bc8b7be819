"""The check of speed: are times judged by ratios within one run, and only of right results?"""

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
import pytest

from autograder import Baseline, GraderFault, Speed
from autograder.cuda.backends import gpu
from autograder.cuda.core.findings import Crash
from autograder.cuda.core.launch import Launch, Series
from autograder.cuda.core.run import Counts, Run, TimedRun
from autograder.exercises.answers.answer import KernelAnswer
from autograder.exercises.answers.tools import Backend, Tools
from autograder.exercises.checks.checker import Checker
from autograder.exercises.checks.kernels.is_faster_than import find_too_slow, speed_up
from autograder.exercises.declarations.declaration import Case, Output, declare
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.findings import TooSlow
from autograder.exercises.result import CheckFailed


def test_the_judge_of_speed_compares_medians() -> None:
    original, other = [1.0, 1.1, 50.0], [2.0, 2.2, 2.1]
    measured = speed_up(original, other)
    assert measured == pytest.approx(2.1 / 1.1)
    judge = partial(find_too_slow, original, other, naive=1.0, good=3.0, baseline="cuBLAS")
    assert judge(1.9) == []
    slow = TooSlow(measured=measured, needed=1.95, median=1.1, other=2.1, naive=1.0, good=3.0, baseline="cuBLAS")
    assert judge(1.95) == [slow]


SOURCE = "\n__global__ void twice(const float* in, float* out, int n) { out[0] = 2 * in[0]; }\n"
SPEED = Speed(
    size={"n": 8}, needed=1.5, good=2.0, naive=1.0, baseline=Baseline("slow", SOURCE.replace("twice", "slow"))
)


def case(draw: Draw, n: int) -> Case:
    values = draw.real(0, 1, n)
    return Case(1, 32, [values, Output(n, np.float32), n], [2 * values])


def times(factor: int, launch: Launch) -> Run:
    """The run of `twice` if it multiplied by `factor`."""
    values = launch.arrays[0]
    return Run((values, factor * values), counts=Counts())


def right(launch: Launch) -> Run:
    return times(2, launch)


class Stopwatch:
    """Times launches with a right result: `original` ms for the answer, `baseline` ms for others, in turn."""

    def __init__(self, original: Iterable[float], baseline: Iterable[float], run: Backend = right) -> None:
        self.original, self.baseline, self.run = iter(original), iter(baseline), run
        self.seen: list[Sequence[Launch]] = []

    def __call__(self, series: Sequence[Series]) -> tuple[tuple[TimedRun, ...], ...]:
        original, baseline = series
        self.seen += [original.launches, baseline.launches]
        return self._timed(original, self.run, next(self.original)), self._timed(baseline, right, next(self.baseline))

    def _timed(self, series: Series, run: Backend, time: float) -> tuple[TimedRun, ...]:
        # The first launch warms up: its time must not count.
        return tuple(TimedRun(run(item), (1000.0 if i == 0 else time,)) for i, item in enumerate(series.launches))


def checker(stopwatch: Stopwatch | None, emulate: Backend = right, source: str = SOURCE) -> Checker:
    exercise = declare("x", case, [{"n": 4}], kernel="twice")
    return Checker(exercise, KernelAnswer(source), Tools(emulate, time=stopwatch))


def failure(check: Checker) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        check.is_faster_than(SPEED)
    return caught.value


class TestIsFasterThan:
    def test_fast_enough_is_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        checker(Stopwatch([1.0], [1.75])).is_faster_than(SPEED)
        message = capsys.readouterr()
        assert message.err == "" and message.out == (
            "x is at least 1.5 times as fast as slow: it is 1.75 times as fast, good are 2.00; "
            "n=8, 7 launches, on the emulator.\n"
        )

    def test_every_launch_has_fresh_inputs_and_both_kernels_the_same_ones(self) -> None:
        watch = Stopwatch([1.0], [2.0])
        checker(watch).is_faster_than(SPEED)
        mine, baselines = ([item.arrays[0] for item in launches] for launches in watch.seen)
        assert len(mine) == 8 and len({values.tobytes() for values in mine}) == 8
        assert all(np.array_equal(a, b) for a, b in zip(mine, baselines, strict=True))

    def test_too_slow_is_measured_again_before_it_is_said(self, capsys: pytest.CaptureFixture[str]) -> None:
        checker(Stopwatch([2.0, 1.0], [2.0, 2.0])).is_faster_than(SPEED)
        error = failure(checker(Stopwatch([2.0, 2.0], [2.0, 2.5])))
        assert not error.blocked
        assert "It is 1.25 times as fast as slow: a launch takes 2 ms, and one of slow 2.5 ms" in str(error)
        assert "naive 1.00 / needed 1.50 / good 2.00" in str(error)

    def test_a_wrong_result_in_a_timed_launch_fails(self) -> None:
        calls = []

        def wrong_later(launch: Launch) -> Run:
            calls.append(launch)
            return times(2 if len(calls) < 5 else 3, launch)

        error = failure(checker(Stopwatch([1.0], [9.0], wrong_later)))
        assert not error.blocked and "elements of out are wrong" in str(error)

    def test_what_is_wrong_before_is_not_timed(self) -> None:
        watch = Stopwatch([1.0], [9.0])
        error = failure(checker(watch, emulate=partial(times, 3)))
        assert error.blocked and "Speed counts only where the results are right" in str(error) and not watch.seen

    def test_a_stub_is_blocked(self) -> None:
        assert failure(checker(Stopwatch([], []), source=SOURCE.replace("out[0]", "// YOUR CODE HERE\n"))).blocked

    def test_a_launch_that_stops_blocks(self) -> None:
        stopped = Run((), (Crash(reason="x"),), completed=False)
        assert failure(checker(Stopwatch([1.0], [9.0], lambda item: stopped))).blocked

    def test_without_a_gpu_the_cell_says_so_and_passes(self, capsys: pytest.CaptureFixture[str]) -> None:
        checker(None).is_faster_than(SPEED)
        assert capsys.readouterr().out == (
            "x is at least 1.5 times as fast as slow: speed not graded, since no GPU can be used here; "
            "on one, launches of both are timed with n=8.\n"
        )

    def test_a_baseline_that_does_not_fit_is_our_fault(self) -> None:
        unfit, unnamed = Baseline("slow", "__global__ void slow(int n) {}"), Baseline("none", SOURCE)
        broken = Baseline("slow", "__global__ void slow(int n) { n = m; }")
        launched, compiled = "cannot be launched", "does not compile"
        for baseline, why in ((unfit, launched), (unnamed, launched), (broken, compiled)):
            speed = Speed(size={"n": 8}, needed=1.5, good=2.0, naive=1.0, baseline=baseline)
            with pytest.raises(GraderFault, match=why):
                checker(Stopwatch([1.0], [1.0])).is_faster_than(speed)

    def test_a_baseline_may_have_a_launch_of_its_own(self) -> None:
        watch = Stopwatch([1.0], [2.0])
        baseline = Baseline("slow", SOURCE.replace("twice", "slow"), launch=lambda n: {"grid": n, "block": 64})
        checker(watch).is_faster_than(Speed(size={"n": 8}, needed=1.5, good=2.0, naive=1.0, baseline=baseline))
        assert (watch.seen[1][0].grid, watch.seen[1][0].block) == ((8, 1, 1), (64, 1, 1))


@pytest.mark.parametrize("factors", [(1.0, 0.5, 2.0), (1.0, 2.0, 1.5), (0, 1.0, 2.0)])
def test_thresholds_stand_in_order(factors: tuple[float, ...]) -> None:
    naive, needed, good = factors
    with pytest.raises(GraderFault, match="in this order"):
        Speed(size={"n": 1}, needed=needed, good=good, naive=naive)


def test_a_median_needs_rounds() -> None:
    with pytest.raises(GraderFault, match="at least 3"):
        Speed(size={"n": 1}, needed=1, good=1, naive=1, rounds=2)


@pytest.mark.skipif(gpu.problem() is not None, reason=str(gpu.problem()))
class TestOnAGpu:
    ADD = (
        "__global__ void add(const float* a, float* b, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    )
    COPY = ADD + "    if (i < n) b[i] = a[i];\n}\n"
    #: Works only the first time, and thereafter leaves the result alone.
    LAZY = (
        "__device__ int calls;\n" + ADD + "    if (calls == 0 && i < n) b[i] = a[i];\n    if (i == 0) calls = 1;\n}\n"
    )

    def check(self, source: str, baseline: str = COPY, needed: float = 0.5) -> None:
        def copy(draw: Draw, n: int) -> Case:
            values = draw.real(0, 1, n)
            return Case(-(-n // 256), 256, [values, Output(n, np.float32), n], [values])

        exercise = declare("copy", copy, [{"n": 1000}], kernel="add")
        answer = KernelAnswer("\n" + source)
        original = Checker(exercise, answer, Tools(gpu.run, gpu.run, gpu.time))
        original.is_faster_than(Speed({"n": 1 << 24}, needed, 9.0, 0.1, Baseline("add", baseline)))

    def test_a_kernel_is_as_fast_as_itself(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.check(self.COPY, needed=0.9)
        assert "times as fast" in capsys.readouterr().out

    def test_a_kernel_that_works_only_once_is_found_out(self) -> None:
        with pytest.raises(CheckFailed, match="still holds what it held"):
            self.check(self.LAZY)

    def test_a_kernel_that_knows_the_size_at_which_it_is_timed_is_found_out(self) -> None:
        with pytest.raises(CheckFailed, match="still holds what it held"):
            self.check(self.COPY.replace("i < n", "i < n && n < (1 << 24)"))

    def test_results_that_an_earlier_launch_left_are_of_no_use(self) -> None:
        stored = "__device__ float kept[1 << 24];\n"
        work = "if (i < n) { b[i] = kept[i] ? kept[i] : a[i]; kept[i] = a[i]; }"
        with pytest.raises(CheckFailed, match="numpy says"):
            self.check(stored + self.COPY.replace("if (i < n) b[i] = a[i];", work))

    def test_a_baseline_that_crashes_is_our_fault(self) -> None:
        with pytest.raises(GraderFault, match="The baseline add does not run"):
            self.check(self.COPY, self.COPY.replace("b[i]", "b[i + (1ll << 40)]"))

    def test_one_that_wastes_time_is_too_slow(self) -> None:
        slow = self.COPY.replace("b[i] = a[i]", "for (int k = 0; k < 50; ++k) ((volatile float*)b)[i] = a[i]")
        with pytest.raises(CheckFailed, match=r"needed 0\.50"):
            self.check(slow)
