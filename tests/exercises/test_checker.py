"""Checks: which pass, which fail, and which block which? Runs are made by hand."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from inspect import signature
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from findings_for_reports import FINDINGS, compile_error

from autograder.cuda.backends import processor_time
from autograder.cuda.core.findings import (
    Access,
    BarrierDivergence,
    Finding,
    Kind,
    StepLimit,
    UninitializedRead,
    Waiting,
)
from autograder.cuda.core.launch import IN_SERIES, Launch
from autograder.cuda.core.numerics import tolerance
from autograder.cuda.core.run import Counts, Expected, MaximumWork, Run
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.report.kinds import checks_of_runs, explain, kinds
from autograder.exercises.answers import trial
from autograder.exercises.answers.answer import KernelAnswer, ValuesAnswer
from autograder.exercises.answers.launches import ORDERS
from autograder.exercises.answers.tools import Backend, Explain, Tools
from autograder.exercises.checks.checker import Checker
from autograder.exercises.checks.constructs import CONSTRUCTS
from autograder.exercises.checks.history import History
from autograder.exercises.declarations.declaration import Case, Exercise, InOut, Output, Sizes, declare
from autograder.exercises.declarations.domain import whole
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.report import UNWANTED, WANTED, claim_of_limit
from autograder.exercises.report.limits import LIMITS
from autograder.exercises.result import CheckFailed, CheckResult, OnResult, Outcome, print_passed

SOURCE = "\n__global__ void twice(const float* in, float* out, int n) { out[0] = 2 * in[0]; }\n"
#: By name, the arguments that a check requires.
GIVEN = {
    name: [
        parameter.name for parameter in signature(method).parameters.values() if parameter.default is parameter.empty
    ]
    for name, method in vars(Checker).items()
    if not name.startswith("_")
}
#: The checks that need no argument, the one of results first, and those that take a limit.
PLAIN = ["matches_numpy", *(name for name, given in GIVEN.items() if given == ["self"] and name != "matches_numpy")]
LIMITED = [name for name, given in GIVEN.items() if given == ["self", "limit"]]
OWNER = {kind: about.check for kind, about in kinds().items() if about.check in (*checks_of_runs(), "matches_numpy")}
del OWNER[Kind.MISMATCH]  # no backend finds it
Limit = int | Callable[..., int]
RACE = FINDINGS["race: two writes"]
BOUNDS = FINDINGS["bounds: past the end"]


def case(draw: Draw, n: int) -> Case:
    values = draw.real(1, 2, n)
    return Case(1, 32, [values, Output(n, np.float32), n], [2 * values])


EXERCISE = declare("x", case, [{"n": 4}, {"n": 5}], kernel="twice")


#: The counts of a kernel that uses shared memory.
SHARED = Counts(shared_loads=1, shared_stores=1)


def right(launch: Launch) -> Run:
    """The run of a correct kernel."""
    values = launch.arrays[0]
    return Run((values, 2 * values), counts=SHARED)


def without(launch: Launch) -> tuple[np.ndarray, ...]:
    """What a kernel leaves that gets all it needs by what is suppressed: nothing, or what it left in another launch."""
    return launch.arrays[0], 2 * launch.experiment.replayed[0] if launch.experiment.replayed else 0 * launch.arrays[0]


def finding(*found: Finding, completed: bool | None = None, counts: Counts = SHARED) -> Backend:
    """A backend that reports these findings for every launch."""

    def run(launch: Launch) -> Run:
        ends = not any(f.stops for f in found) if completed is None else completed
        return Run(right(launch).outputs, found, counts, ends)

    return run


def checker(
    emulate: Backend = right,
    answer: str | KernelAnswer = SOURCE,
    exercise: Exercise = EXERCISE,
    values: ValuesAnswer | None = None,
    sizes: Sequence[Mapping[str, int]] | None = None,
    history: History | None = None,
    gpu: Backend | None = None,
    explain: Explain | None = None,
    on_result: OnResult = print_passed,
) -> Checker:
    given = answer if isinstance(answer, KernelAnswer) else KernelAnswer(answer)
    tools = Tools(emulate, gpu, explain=explain, on_result=on_result)
    if sizes is not None:
        exercise = replace(exercise, visible=Sizes(tuple(sizes)))
    return Checker(exercise, given, tools, values, history)


def outcome(check: Checker, name: str) -> str:
    try:
        getattr(check, name)()
    except CheckFailed as error:
        return "blocked" if error.blocked else "failed"
    return "passed"


class TestPassing:
    @pytest.mark.parametrize("name", PLAIN)
    def test_one_line_and_nothing_on_stderr(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert getattr(checker(), name)() is None
        assert capsys.readouterr() == (f"x {name.replace('_', ' ')}: passed in 2 cases, on the emulator.\n", "")

    def test_other_sizes_than_the_exercises(self, capsys: pytest.CaptureFixture[str]) -> None:
        checker(sizes=[{"n": 9}]).matches_numpy()
        assert capsys.readouterr().out == "x matches numpy: passed in 1 case, on the emulator.\n"

    def test_one_launch_for_each_size_serves_every_check(self) -> None:
        launched: list[int] = []
        history = History()

        def emulate(launch: Launch) -> Run:
            launched.append(int(launch.args[2]))
            assert launch.once  # so the compiler does not take long over its text
            return right(launch)

        for name in PLAIN:
            getattr(checker(emulate, history=history), name)()
        checker(emulate, history=history, sizes=[{"n": 6}]).has_no_races()
        assert launched == [4, 5, 6]

    @pytest.mark.parametrize(("sizes", "announced"), [([4, 5], "blocked"), ([5], "blocked"), ([4], "passed")])
    def test_doing_nothing_earns_nothing_unless_no_case_asks_for_a_change(
        self, sizes: list[int], announced: str
    ) -> None:
        def unchanged(draw: Draw, n: int) -> Case:
            before = np.ones(n, np.float32)
            return Case(1, 32, [before, InOut(before), n], [before * (2 if n == 5 else 1)])

        exercise = declare("x", unchanged, [{"n": n} for n in sizes], kernel="twice")
        idle = checker(lambda launch: Run(launch.arrays, counts=SHARED), exercise=exercise)
        assert outcome(idle, "has_no_races") == announced


class TestOwners:
    @pytest.mark.parametrize("kind", OWNER)
    def test_a_finding_fails_its_own_check_and_blocks_or_spares_the_others(self, kind: Kind) -> None:
        found = next(f for f in FINDINGS.values() if f.kind is kind)
        check = checker(finding(found))
        other = "blocked" if found.stops else "passed"
        got = {name: outcome(check, name) for name in PLAIN}
        wanted = dict.fromkeys(PLAIN, other) | {OWNER[kind]: "failed", "has_no_needless_barriers": "blocked"}
        assert got == wanted

    @pytest.mark.parametrize("kind", [k for k in OWNER if any(f.kind is k and f.stops for f in FINDINGS.values())])
    def test_the_first_that_is_blocked_shows_the_mistake_and_the_others_point_there(self, kind: Kind) -> None:
        found = next(f for f in FINDINGS.values() if f.kind is kind and f.stops and f.accesses)
        hint = explain(found, None, "").rule.hint.split(":")[0]
        history = History()
        for _ in range(2):
            with pytest.raises(CheckFailed) as caught:
                checker(finding(found), history=history).has_no_bank_conflicts()
            assert caught.value.blocked and hint in caught.value.report.hint
        with pytest.raises(CheckFailed) as caught:
            checker(finding(found), history=history).is_coalesced()
        assert caught.value.blocked and not caught.value.report.hint
        assert 'Fix that first: the report on "x has no bank conflicts" shows it.' in str(caught.value)

    def test_it_points_to_the_report_that_fails_by_the_mistake(self) -> None:
        """And not to one that was only blocked by it, even if that came first."""
        item = checker(finding(BOUNDS, completed=False))
        for check, outcome in ((item.has_no_races, True), (item.stays_in_bounds, False), (item.is_coalesced, True)):
            with pytest.raises(CheckFailed) as caught:
                check()
            assert caught.value.blocked is outcome
        assert 'Fix that first: the report on "x stays in bounds" shows it.' in str(caught.value)

    def test_a_report_about_a_hidden_case_is_not_pointed_to(self) -> None:
        def emulate(launch: Launch) -> Run:
            return finding(BOUNDS)(launch) if len(launch.arrays[0]) > 5 else right(launch)

        history = History()
        exercise = replace(EXERCISE, hidden=Sizes(({"n": 6},)))
        for check in ("has_no_bank_conflicts", "is_coalesced"):
            with pytest.raises(CheckFailed) as caught:
                getattr(checker(emulate, exercise=exercise, history=history), check)()
            assert caught.value.blocked and caught.value.report.hint

    def test_what_was_seen_before_a_launch_stopped_still_counts(self) -> None:
        check = checker(finding(RACE, BOUNDS))
        assert outcome(check, "has_no_races") == "failed"
        assert outcome(check, "stays_in_bounds") == "failed"
        assert outcome(check, "matches_numpy") == "blocked"

    def test_a_finding_of_a_later_case_outweighs_a_block_in_an_earlier_one(self) -> None:
        def emulate(launch: Launch) -> Run:
            return finding(BOUNDS if launch.args[2] == 4 else RACE)(launch)

        check = checker(emulate)
        assert outcome(check, "has_no_races") == "failed"
        assert outcome(check, "stays_in_bounds") == "failed"
        assert outcome(check, "reaches_every_barrier") == "passed"  # judged by the case that ended
        assert outcome(check, "matches_numpy") == "blocked"  # needs every case

    def test_a_launch_that_does_not_end_is_not_tried_at_every_size(self) -> None:
        launched = []

        def emulate(launch: Launch) -> Run:
            launched.append(int(launch.args[2]))
            return finding(FINDINGS["limit: time"])(launch)

        check = checker(emulate)
        assert [outcome(check, s) for s in PLAIN] == ["failed"] + ["blocked"] * (len(PLAIN) - 1)
        assert launched == [4]

    def test_counts_of_a_stopped_launch_are_not_judged(self) -> None:
        scattered = Counts(global_load_requests=1, global_load_sectors=32, global_loads=32)
        check = checker(finding(BOUNDS, counts=scattered))
        assert outcome(check, "is_coalesced") == "blocked"
        with pytest.raises(CheckFailed) as caught:
            check.loads_at_most(1)
        assert caught.value.blocked


class TestNumpy:
    def wrong_in(self, n: int, index: int) -> Backend:
        def run(launch: Launch) -> Run:
            outputs = right(launch).outputs
            if launch.args[2] == n:
                outputs[1][index] += 1
            return Run(outputs, counts=Counts())

        return run

    def test_a_wrong_element_in_any_case_fails(self) -> None:
        with pytest.raises(CheckFailed) as caught:
            checker(self.wrong_in(5, 3)).matches_numpy()
        text = str(caught.value)
        assert text.startswith("x matches numpy: FAILED\ncase n=5, grid=1, block=32, on the emulator\n")
        assert "out[3]" in text

    def test_of_several_wrong_cases_the_smallest_is_told(self) -> None:
        def emulate(launch: Launch) -> Run:
            return Run((launch.arrays[0], launch.arrays[0] - 1), counts=Counts())

        sizes = [{"n": n} for n in (7, 3, 5)]
        with pytest.raises(CheckFailed, match="case n=3,"):
            checker(emulate, sizes=sizes).matches_numpy()

    def test_a_wrong_result_outweighs_a_later_case_that_cannot_be_launched(self) -> None:
        def emulate(launch: Launch) -> Run:
            if len(launch.arrays[0]) == 5:
                raise UsageError("This block is too large.")
            return Run((launch.arrays[0], launch.arrays[0] - 1), counts=Counts())

        assert outcome(checker(emulate), "matches_numpy") == "failed"
        assert outcome(checker(emulate, sizes=[{"n": 5}, {"n": 4}]), "matches_numpy") == "blocked"

    def test_what_wrote_the_wrong_element_is_named(self) -> None:
        requested = []

        def find_writer(launch: Launch, run: Run, output: str, flat: int) -> Access | None:
            requested.append((output, flat))
            return Access((0, 0, 0), (3, 0, 0), 2, "out[0] = 2;", "write", "out", (flat,), "global")

        tools = Tools(self.wrong_in(5, 3), find_writer=find_writer)
        with pytest.raises(CheckFailed, match="Thread 3 of block 0 wrote it last:"):
            Checker(EXERCISE, KernelAnswer(SOURCE), tools).matches_numpy()
        assert requested == [("out", 3)]

    def test_an_array_in_place_that_is_as_before(self) -> None:
        source = "\n__global__ void twice(int* a) { a[0] = a[0]; }\n"
        exercise = declare(
            "x", lambda draw, n: Case(1, 32, [InOut(np.full(n, 5))], [np.full(n, 6)]), [{"n": 3}], (), "twice"
        )
        with pytest.raises(CheckFailed, match=r"a\[0\] is 5, as before the launch; numpy says 6") as caught:
            checker(
                lambda launch: Run(launch.arrays, counts=Counts()), source.replace("int*", "long*"), exercise
            ).matches_numpy()
        assert "never written" not in str(caught.value)

    def test_an_element_that_the_kernel_never_wrote(self) -> None:
        with pytest.raises(CheckFailed, match="still holds what it held before the launch"):
            checker(lambda launch: Run(launch.arrays, counts=Counts())).matches_numpy()

    def test_every_output_is_compared_with_its_own_expectation(self) -> None:
        source = "\n__global__ void twice(int* a, const int* b, int* c) { a[0] = b[0] + c[0]; }\n"

        def two(draw: Draw, n: int) -> Case:
            a, b, c = (np.full(n, k, np.int32) for k in (1, 2, 3))
            return Case(1, 32, [InOut(a), b, Output(n, np.int32)], [a + 10, c])

        exercise = declare("x", two, [{"n": 3}], kernel="twice")

        def emulate(a: int, b: int, c: int) -> Backend:
            return lambda launch: Run(tuple(np.full(3, k, np.int32) for k in (a, b, c)), counts=Counts())

        checker(emulate(11, 2, 3), source, exercise).matches_numpy()
        for wrong, name in [((1, 2, 3), "a"), ((11, 2, 4), "c")]:
            with pytest.raises(CheckFailed, match=rf"{name}\[0\] is"):
                checker(emulate(*wrong), source, exercise).matches_numpy()
        checker(emulate(11, 99, 3), source, exercise).matches_numpy()  # an input is not judged

    def test_floats_follow_the_tolerance_of_the_case(self) -> None:
        def summed(draw: Draw, n: int) -> Case:
            return Case(1, 32, [np.zeros(n, np.float32), Output(n, np.float32), n], [np.ones(n)], terms=n)

        exercise = declare("x", summed, [{"n": 100}], kernel="twice")
        eps = float(np.finfo(np.float32).eps)

        def emulate(off: float) -> Backend:
            return lambda launch: Run((launch.arrays[0], np.full(100, 1 + off, np.float32)), counts=Counts())

        checker(emulate(399 * eps), exercise=exercise).matches_numpy()
        with pytest.raises(CheckFailed):
            checker(emulate(401 * eps), exercise=exercise).matches_numpy()

    def test_a_line_that_read_the_output_first_is_named(self) -> None:
        read = Access((0, 0, 0), (0, 0, 0), 2, "out[0] += 1;", "read", "out", (0,), "global")
        shared = replace(read, space="shared")

        def emulate(access: Access) -> Backend:
            unset = UninitializedRead(accesses=(access,))
            return lambda launch: Run((launch.arrays[0], launch.arrays[0] + 1), (unset,), Counts())

        with pytest.raises(CheckFailed, match="Line 2 reads out before anything was written to it"):
            checker(emulate(read)).matches_numpy()
        with pytest.raises(CheckFailed) as caught:
            checker(emulate(shared)).matches_numpy()
        assert "Line 2" not in str(caught.value)


class TestSharedMemory:
    def test_without_any_its_banks_cannot_be_judged(self) -> None:
        with pytest.raises(CheckFailed, match="no thread of this launch uses shared memory") as caught:
            checker(finding(counts=Counts(global_loads=1))).has_no_bank_conflicts()
        assert caught.value.blocked

    def test_one_case_that_uses_it_is_enough(self) -> None:
        def emulate(launch: Launch) -> Run:
            return Run(right(launch).outputs, counts=SHARED if launch.args[2] == 5 else Counts())

        checker(emulate).has_no_bank_conflicts()

    def test_what_does_nothing_is_sent_to_the_results_first(self) -> None:
        with pytest.raises(CheckFailed, match=r"matches_numpy\(\)"):
            checker(lambda launch: Run(launch.arrays, counts=Counts())).has_no_bank_conflicts()


def by_one_thread(uses: int, together: int, blocks: int = 1, shared_out: int | None = None) -> Callable[[Launch], Run]:
    shared = (100 if together > 1 else 0) if shared_out is None else shared_out
    most = MaximumWork(
        (0, 0, 0), (0, 0, 0), uses, 2, uses, "out[0] = 2 * in[0];", together, shared, blocks, 5, 3, 2, 1
    )  # fmt: skip
    return lambda launch: Run(right(launch).outputs, counts=SHARED, maximum_work=most)


class TestWorkTogether:
    @pytest.mark.parametrize("name", PLAIN)
    def test_what_is_said_of_threads_together_cannot_be_said_of_one_alone(self, name: str) -> None:
        check = checker(by_one_thread(8, together=1))
        about_several = ["has_no_races", "reaches_every_barrier", "has_no_needless_barriers"]
        about_several += ["is_coalesced", "has_no_bank_conflicts"]
        assert outcome(check, name) == ("blocked" if name in about_several else "passed")
        assert outcome(checker(by_one_thread(8, together=4)), name) == "passed"

    @pytest.mark.parametrize(
        ("shared_out", "announced"), [(0, "blocked"), (32, "blocked"), (33, "passed"), (100, "passed")]
    )
    def test_nor_of_one_to_which_others_only_lend_their_names(self, shared_out: int, announced: str) -> None:
        assert outcome(checker(by_one_thread(8, together=32, shared_out=shared_out)), "has_no_races") == announced

    def test_the_report_says_why(self) -> None:
        with pytest.raises(CheckFailed, match=r"one\s+thread\s+or\s+a\s+few\s+do\s+nearly\s+all"):
            checker(by_one_thread(8, together=1)).has_no_races()

    def test_a_race_of_such_a_kernel_still_fails(self) -> None:
        def emulate(launch: Launch) -> Run:
            return replace(by_one_thread(8, together=1)(launch), findings=(RACE,))

        assert outcome(checker(emulate), "has_no_races") == "failed"

    def test_one_case_in_which_threads_meet_is_enough(self) -> None:
        def emulate(launch: Launch) -> Run:
            return by_one_thread(8, together=4 if launch.args[2] == 5 else 1)(launch)

        assert outcome(checker(emulate), "has_no_races") == "passed"

    def test_a_block_of_one_thread_has_nobody_else(self) -> None:
        def alone(draw: Draw, n: int) -> Case:
            return replace(case(draw, n), block=1)

        exercise = declare("x", alone, [{"n": 4}], kernel="twice")
        assert outcome(checker(by_one_thread(8, together=1), exercise=exercise), "has_no_races") == "passed"

    def test_a_number_or_a_function_of_the_size_limits_the_maximum_work(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        check = checker(by_one_thread(8, together=1))
        check.shares_the_work(8)
        check.shares_the_work(lambda n: 2 * n)
        announced = "x shares the work among its threads: passed in 2 cases, on the emulator.\n"
        assert capsys.readouterr().out == 2 * announced
        for too_low in (7, lambda n: n):
            with pytest.raises(CheckFailed, match="uses memory 8 times") as caught:
                check.shares_the_work(too_low)
            assert not caught.value.blocked

    @pytest.mark.parametrize(("alike", "enough"), [((), 8), ((4,), 4), ((5,), 4), ((4, 5), 4)])
    def test_where_all_do_too_much_alike_in_some_case_they_may_do_twice_as_much(
        self, alike: Sequence[int], enough: int
    ) -> None:
        def emulate(launch: Launch) -> Run:
            threads = launch.grid[0] * launch.block[0]
            each = 8 if launch.args[2] in alike else 1
            return replace(by_one_thread(8, together=4)(launch), counts=Counts(shared_loads=each * threads))

        check = checker(emulate)
        check.shares_the_work(enough)
        with pytest.raises(CheckFailed, match="uses memory 8 times"):
            check.shares_the_work(enough - 1)

    @pytest.mark.parametrize(("each", "enough"), [(6, 4), (5, 8)])
    def test_alike_means_at_most_half_as_much_again_as_the_average(self, each: int, enough: int) -> None:
        def emulate(launch: Launch) -> Run:
            threads = launch.grid[0] * launch.block[0]
            return replace(by_one_thread(8, together=4)(launch), counts=Counts(shared_loads=each * threads))

        check = checker(emulate)
        check.shares_the_work(enough)
        with pytest.raises(CheckFailed, match="uses memory 8 times"):
            check.shares_the_work(enough - 1)

    def test_no_thread_loads_more_than_its_part(self) -> None:
        check = checker(by_one_thread(8, together=1))
        check.shares_the_work(8, lambda n: n + 1)
        with pytest.raises(CheckFailed, match=r"loads from global memory 5 times"):
            check.shares_the_work(8, lambda n: n)

        def alike(launch: Launch) -> Run:
            run = by_one_thread(8, together=1)(launch)
            return replace(run, counts=Counts(global_loads=5 * launch.grid[0] * launch.block[0]))

        checker(alike).shares_the_work(8, lambda n: n)

    @pytest.mark.parametrize(("part", "at_work"), [("loading", 2), ("storing", 1)])
    def test_as_many_threads_as_the_task_says_have_a_part(self, part: str, at_work: int) -> None:
        check = checker(by_one_thread(8, together=1))
        check.shares_the_work(8, **{part: lambda n: at_work})
        with pytest.raises(CheckFailed, match=rf"only\s+{at_work}\s+of\s+its\s+threads\s+{part[:4]}"):
            check.shares_the_work(8, **{part: lambda n: at_work + (n == 5)})

    def test_a_block_has_as_many_threads_as_the_task_says(self) -> None:
        check = checker(by_one_thread(8, together=1))
        check.shares_the_work(8, threads=lambda n: 32)
        with pytest.raises(CheckFailed, match=r"case n=5, .*\n+.* asks for 31 threads in a\s+block"):
            check.shares_the_work(8, threads=lambda n: 32 - (n == 5))

    @pytest.mark.parametrize(("needed", "requested"), [(40, 167), (400, 799)])
    def test_a_launch_asks_for_less_than_twice_the_memory_that_the_task_needs(
        self, needed: int, requested: int
    ) -> None:
        def check(requested: int) -> None:
            def launched(draw: Draw, n: int) -> Case:
                values = np.ones(n, np.float32)
                return Case(1, 32, [values, Output(n, np.float32), n], [2 * values], shared_mem=requested)

            exercise = declare("x", launched, [{"n": 4}, {"n": 5}], kernel="twice")
            checker(by_one_thread(8, together=1), exercise=exercise).shares_the_work(8, shared=lambda n: needed)

        check(requested)
        with pytest.raises(CheckFailed, match=r"half of\s+the\s+shared\s+memory"):
            check(requested + 1)

    def test_where_any_result_is_wrong_it_earns_nothing(self) -> None:
        def emulate(launch: Launch) -> Run:
            outputs = right(launch).outputs
            outputs[1][0] += launch.args[2] == 5
            return replace(by_one_thread(8, together=4)(launch), outputs=outputs)

        with pytest.raises(CheckFailed, match="only where the results are right") as caught:
            checker(emulate).shares_the_work(8)
        assert caught.value.blocked

    def test_what_a_stopped_launch_has_done_is_not_judged(self) -> None:
        def emulate(launch: Launch) -> Run:
            return replace(by_one_thread(8, together=1)(launch), findings=(BOUNDS,), completed=False)

        assert outcome(checker(emulate), "has_no_races") == "blocked"
        with pytest.raises(CheckFailed) as caught:
            checker(emulate).shares_the_work(1)
        assert caught.value.blocked


class TestUnused:
    """Launches whose `%%values` cell asks for n blocks and 64 bytes of shared memory."""

    def check(
        self,
        bytes_used: Callable[[Launch], int],
        blocks_used: Callable[[int], int],
        strides: bool = False,
        threads_used: int = 2,
        values: str = "grid = n\nblock = 2\nshared_mem = 64",
    ) -> None:
        def emulate(launch: Launch) -> Run:
            blocks, needed = launch.grid[0], blocks_used(int(launch.args[2]))
            uses = 2 * max(needed, blocks) // blocks if strides else 2
            run = by_one_thread(uses, launch.block[0], blocks if strides else min(blocks, needed))(launch)
            enough = (strides or blocks >= needed) and launch.block[0] >= threads_used
            found = () if enough else (BOUNDS,)
            return replace(run, completed=enough, findings=found, touched_shared=(0, bytes_used(launch)))

        def launched(draw: Draw, launch: SimpleNamespace, n: int) -> Case:
            values = np.ones(n, np.float32)
            args = [values, Output(n, np.float32), n]
            return Case(launch.grid, launch.block, args, [2 * values], shared_mem=launch.shared_mem)

        words = ("grid", "block", "shared_mem")
        exercise = declare("x", launched, [{"n": 4}, {"n": 5}], values=words, kernel="twice")
        checker(emulate, exercise=exercise, values=ValuesAnswer(values)).shares_the_work(8)

    def test_a_launch_that_uses_more_than_half_passes(self) -> None:
        self.check(lambda launch: 33, lambda n: (n + 1) // 2 + 1)

    def test_half_of_the_shared_memory_would_do(self) -> None:
        with pytest.raises(CheckFailed, match=r"half of\s+the\s+shared\s+memory") as caught:
            self.check(lambda launch: 32, lambda n: n)
        assert not caught.value.blocked

    @pytest.mark.parametrize(("used", "passes"), [(600, True), (501, True), (500, False), (0, False), (None, True)])
    def test_of_shared_arrays_of_fixed_size_more_than_half_is_used(self, used: int | None, passes: bool) -> None:
        def emulate(launch: Launch) -> Run:
            touched = None if used is None else (used, 0)
            return replace(by_one_thread(2, together=4)(launch), static_shared=1000, touched_shared=touched)

        check = checker(emulate)
        if passes:
            check.shares_the_work(8)
            return
        with pytest.raises(CheckFailed, match=r"half of\s+the\s+shared\s+memory\s+that\s+it\s+asks\s+for"):
            check.shares_the_work(8)

    @pytest.mark.parametrize(("used", "passes"), [((32, 33), True), ((32, 32), False)])
    def test_of_dynamic_shared_memory_more_than_half_is_used_in_some_case(
        self, used: tuple[int, int], passes: bool
    ) -> None:
        def touched(launch: Launch) -> int:
            return used[int(launch.args[2]) - 4]

        if passes:
            self.check(touched, lambda n: n)
            return
        with pytest.raises(CheckFailed, match=r"half of\s+the\s+shared\s+memory"):
            self.check(touched, lambda n: n)

    def test_half_of_the_threads_of_a_block_would_do(self) -> None:
        with pytest.raises(CheckFailed, match=r"half of\s+the\s+threads"):
            self.check(lambda launch: 64, lambda n: n, threads_used=1)

    def test_blocks_that_share_the_work_are_all_used(self) -> None:
        self.check(lambda launch: 64, lambda n: n, strides=True)

    def test_in_no_case_does_half_of_the_blocks_idle(self) -> None:
        """Though in another case all are used."""
        self.check(lambda launch: 64, lambda n: 4 if n == 4 else 3)
        with pytest.raises(CheckFailed, match=r"in\s+this\s+case,\s+no\s+thread\s+in\s+the\s+others"):
            self.check(lambda launch: 64, lambda n: 4 if n == 4 else 2)

    def test_a_small_block_asks_for_less_shared_memory_than_a_large_one(self) -> None:
        def touched(launch: Launch) -> int:
            return 500 * launch.block[0]

        growing, fixed = (f"grid = n\nblock = 2 + 6 * (n - 4)\nshared_mem = {each}" for each in ("500 * block", "5100"))
        self.check(touched, lambda n: n, values=growing)
        with pytest.raises(CheckFailed, match=r"it\s+is\s+no\s+smaller\s+where\s+blocks\s+are"):
            self.check(touched, lambda n: n, values=fixed)

    @pytest.mark.parametrize(("blocks", "passes"), [({4: 2, 5: 2}, False), ({4: 2, 5: 3}, True)])
    def test_half_of_the_blocks_of_a_given_launch_idle_in_every_case(
        self, blocks: Mapping[int, int], passes: bool
    ) -> None:
        def emulate(launch: Launch) -> Run:
            return by_one_thread(2, 1, blocks[int(launch.args[2])])(launch)

        def in_four(draw: Draw, n: int) -> Case:
            return replace(case(draw, n), grid=4)

        exercise = declare("x", in_four, [{"n": 4}, {"n": 5}], kernel="twice")
        check = checker(emulate, exercise=exercise)
        if passes:
            check.shares_the_work(8)
            return
        with pytest.raises(CheckFailed, match=r"in\s+no\s+case\s+does\s+any\s+thread\s+of\s+the\s+others"):
            check.shares_the_work(8)


class TestConstructs:
    @pytest.mark.parametrize(
        ("construct", "counts", "claim"),
        [
            ("shared_memory", Counts(shared_loads=1), "shared memory"),
            ("constant_memory", Counts(constant_loads=1), "constant memory"),
            ("atomics", Counts(atomics=1), "atomics"),
            ("compare_and_swap", Counts(atomics=1, compare_and_swaps=1), "compare and swap"),
            ("shuffles", Counts(shuffles=32), "shuffles"),
            ("matrix_products", Counts(matrix_products=1), "matrix products of a warp"),
            ("distributed_shared_memory", Counts(remote_atomics=1), "the shared memory of other blocks"),
        ],
    )
    def test_one_case_with_the_construct_is_enough_and_none_is_not(
        self, construct: str, counts: Counts, claim: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def emulate(launch: Launch) -> Run:
            used = launch.args[2] == 5
            suppressed = used and launch.experiment.ablation.endswith(construct)
            outputs = without(launch) if suppressed else right(launch).outputs
            return Run(outputs, counts=counts if used else Counts())

        checker(emulate).uses(construct)
        assert capsys.readouterr().out == f"x uses {claim}: passed in 2 cases, on the emulator.\n"
        with pytest.raises(CheckFailed, match=f"x uses {claim}: FAILED") as caught:
            checker(emulate, sizes=[{"n": 4}]).uses(construct)
        assert not caught.value.blocked

    @pytest.mark.parametrize(
        ("construct", "mixed_up"),
        [
            ("shared_memory", False),
            ("shuffles", False),
            ("shared_stores", False),
            ("constant_memory", False),
            ("constant_memory", True),
        ],
    )
    @pytest.mark.parametrize("dependent", [0, 2, 3, 4, 5, 9])
    def test_half_of_the_results_must_depend_on_the_construct_and_on_which_values_it_gives(
        self, construct: str, mixed_up: bool, dependent: int
    ) -> None:
        counts = Counts(shared_loads=1, shared_stores=1, constant_loads=1, shuffles=1)

        def emulate(launch: Launch) -> Run:
            before, after = right(launch).outputs
            if launch.experiment.replayed:
                after = without(launch)[1]
            elif launch.experiment.ablation != "nothing" and launch.experiment.mixed_up is not mixed_up:
                after[:] = -1
            elif launch.experiment.ablation != "nothing":
                assert launch.experiment.ablation == construct
                lost = min(dependent, 5) if launch.args[2] == 5 else max(dependent - 5, 0)  # of 4 and 5 elements
                after[:lost] = -1
            return Run((before, after), counts=counts)

        if dependent >= (3 if mixed_up else 5):
            checker(emulate).uses(construct)
            return
        with pytest.raises(CheckFailed) as caught:
            checker(emulate).uses(construct)
        message = " ".join(str(caught.value).split())
        assert f"{dependent} of the 9 elements of the results" in message
        assert ("which numbers threads get" in message) is ("they get other numbers" in message) is mixed_up
        assert not caught.value.blocked

    @pytest.mark.parametrize("construct", ["shared_memory", "constant_memory", "shuffles"])
    @pytest.mark.parametrize("carried", [0, 1, 2])
    def test_the_data_of_a_quarter_of_the_results_must_come_by_the_construct(
        self, construct: str, carried: int
    ) -> None:
        """Without it, results are wrong. But where it gives the same for other data, they are right, or, of what is no
        data, wrong in another way."""
        counts = Counts(shared_loads=1, constant_loads=1, shuffles=1)
        sizes = [{"n": n} for n in range(2, 7)]  # in each, one element changes

        def emulate(launch: Launch) -> Run:
            before, after = right(launch).outputs
            if launch.experiment.ablation != "nothing" and int(launch.args[2]) < 2 + carried:
                after = without(launch)[1]
            elif launch.experiment.ablation != "nothing" and not launch.experiment.replayed:
                after += 1
            return Run((before, after), counts=counts)

        if carried == 2:
            checker(emulate, sizes=sizes).uses(construct)
            return
        with pytest.raises(CheckFailed) as caught:
            checker(emulate, sizes=sizes).uses(construct)
        message = " ".join(str(caught.value).split())
        assert f"{carried} of the 5 elements of the results, in all cases together, depend on the data" in message

    @pytest.mark.parametrize("half", ["even_matrix_products", "odd_matrix_products"])
    @pytest.mark.parametrize("dependent", [2, 3])
    def test_a_quarter_of_the_results_must_depend_on_each_half_of_the_products(self, half: str, dependent: int) -> None:
        def emulate(launch: Launch) -> Run:
            before, after = right(launch).outputs
            lost = dependent if launch.args[2] == 5 and launch.experiment.ablation == half else 0  # of 4 and 5 elements
            if launch.experiment.replayed:
                after = without(launch)[1]
            elif launch.experiment.ablation in ("matrix_products", "even_matrix_products", "odd_matrix_products"):
                after[: lost if launch.experiment.ablation == half else None] = -1
            return Run((before, after), counts=Counts(matrix_products=2))

        if dependent == 3:
            checker(emulate).uses("matrix_products")
            return
        with pytest.raises(CheckFailed) as caught:
            checker(emulate).uses("matrix_products")
        assert "2 of the 9 elements of the results" in " ".join(str(caught.value).split())
        assert "every second one of the matrix products" in " ".join(str(caught.value).split())

    def test_a_swap_that_is_undone_gives_no_other_number(self) -> None:
        def emulate(launch: Launch) -> Run:
            assert not launch.experiment.mixed_up and not launch.experiment.replayed
            outputs = without(launch) if launch.experiment.ablation != "nothing" else right(launch).outputs
            return Run(outputs, counts=Counts(atomics=1, compare_and_swaps=1))

        checker(emulate).uses("compare_and_swap")

    def test_what_must_be_used_often_is_used_so_in_each_case(self) -> None:
        def emulate(launch: Launch) -> Run:
            outputs = without(launch) if launch.experiment.ablation == "constant_memory" else right(launch).outputs
            return Run(outputs, counts=Counts(constant_loads=9))

        checker(emulate).uses("constant_memory", at_least=lambda n: n + 4)
        with pytest.raises(CheckFailed, match=r"case n=5, (.|\n)*9 times in\s+this case(.|\n)*10 times are the least"):
            checker(emulate).uses("constant_memory", at_least=lambda n: 2 * n)

    def test_too_few_stores_are_told_as_stores(self) -> None:
        def emulate(launch: Launch) -> Run:
            outputs = without(launch) if launch.experiment.ablation == "shared_stores" else right(launch).outputs
            return Run(outputs, counts=Counts(shared_stores=9))

        stores = checker(emulate)
        stores.uses("shared_stores", at_least=lambda n: n + 4)
        with pytest.raises(CheckFailed, match=r"make 9\s+stores to shared memory(.|\n)*10 are the\s+least"):
            stores.uses("shared_stores", at_least=lambda n: 2 * n)

    def test_half_of_the_results_of_a_large_case_must_depend_on_the_construct(self) -> None:
        """Though in all cases together more than half do."""

        def emulate(launch: Launch) -> Run:
            before, after = right(launch).outputs
            if launch.experiment.ablation != "nothing" and int(launch.args[2]) > 32:
                after = without(launch)[1]
            return Run((before, after), counts=SHARED)

        checker(emulate, sizes=[{"n": 100}, {"n": 31}]).uses("shared_memory")
        with pytest.raises(CheckFailed) as caught:
            checker(emulate, sizes=[{"n": 100}, {"n": 32}]).uses("shared_memory")
        assert "0 of the 32 elements of the results, in this case," in " ".join(str(caught.value).split())

    def test_a_launch_that_stops_itself_without_the_construct_proves_nothing(self) -> None:
        def emulate(launch: Launch) -> Run:
            suppressed = launch.experiment.ablation != "nothing"
            outputs = launch.arrays if suppressed else right(launch).outputs
            return Run(outputs, (BOUNDS,) if suppressed else (), SHARED, completed=not suppressed)

        with pytest.raises(CheckFailed, match=r"0\s+of\s+the"):
            checker(emulate).uses("shared_memory")

    @pytest.mark.parametrize(
        ("construct", "run", "says"),
        [
            ("barriers", Run((), counts=Counts(barriers=64)), "64 waits at barriers"),
            ("atomics", Run((), counts=Counts(atomics=1)), "1 atomic operation."),
            ("lane_exchanges", Run((), counts=Counts(votes=32)), "32 calls to functions"),
            ("static_shared_memory", Run((), counts=Counts(), static_shared=1024), "1024 bytes of shared memory"),
        ],
    )
    def test_one_case_with_what_was_to_be_left_out_is_too_many(self, construct: str, run: Run, says: str) -> None:
        def emulate(launch: Launch) -> Run:
            return replace(run if launch.args[2] == 5 else Run((), counts=Counts()), outputs=right(launch).outputs)

        with pytest.raises(CheckFailed) as caught:
            checker(emulate).does_without(construct)
        assert says in " ".join(str(caught.value).split())
        assert "n=5" in str(caught.value) and not caught.value.blocked
        checker(emulate, sizes=[{"n": 4}]).does_without(construct)

    def test_the_passing_line_names_what_is_left_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        checker().does_without("barriers", "atomics", "lane_exchanges")
        message = "x does without barriers of the block, atomics and exchanges between lanes"
        assert capsys.readouterr().out == f"{message}: passed in 2 cases, on the emulator.\n"

    def test_a_kernel_that_is_given_is_kept_but_for_what_it_may_add(self) -> None:
        adds = ["__syncthreads();"]
        changed = SOURCE.replace("2 *", "2.0f *")
        checker(answer=SOURCE.replace("{", "{ __syncthreads(); /* All wait. */")).keeps_what_is_given(SOURCE, adds=adds)
        with pytest.raises(CheckFailed, match="the cell has what was given") as caught:
            checker(answer=changed).keeps_what_is_given(SOURCE, adds=adds)
        assert not caught.value.blocked

        def wrong_in_one_case(launch: Launch) -> Run:
            return right(launch) if launch.args[2] == 4 else Run((launch.arrays[0],) * 2, counts=SHARED)

        with pytest.raises(CheckFailed) as caught:
            checker(wrong_in_one_case, changed).keeps_what_is_given(SOURCE, adds=adds)
        assert caught.value.blocked

    def test_an_if_in_a_loop_is_found_in_the_text(self) -> None:
        text = "__global__ void twice(const float* in, float* out, int n) { while (n) { if (n--) out[0] = 1; } }"
        with pytest.raises(CheckFailed, match=r"its\s+loops\s+hold 1 if"):
            checker(answer=text).does_without("if_in_a_loop")

    def test_an_array_in_local_memory_is_found_in_the_text(self) -> None:
        text = "__global__ void twice(const float* in, float* out, int n) { int a[9]; a[n] = 1; out[0] = a[2]; }"
        with pytest.raises(CheckFailed, match=r"keeps\s+1\s+array\s+in\s+local"):
            checker(answer=text).does_without("local_arrays")

    @pytest.mark.parametrize(
        "query", [lambda check: check.uses("atomics"), lambda check: check.does_without("barriers")]
    )
    def test_what_is_wrong_or_done_by_one_thread_earns_nothing_for_its_construct(
        self, query: Callable[[Checker], None]
    ) -> None:
        def wrong(launch: Launch) -> Run:
            outputs = right(launch).outputs
            outputs[1][0] += launch.args[2] == 5
            return replace(right(launch), outputs=outputs, counts=Counts(atomics=1))

        def alone(launch: Launch) -> Run:
            return replace(by_one_thread(8, together=1)(launch), counts=Counts(atomics=1))

        for emulate, why in ((wrong, "only where the results are right"), (alone, "one thread or a few do nearly all")):
            with pytest.raises(CheckFailed) as caught:
                query(checker(emulate))
            assert why in " ".join(str(caught.value).split()) and caught.value.blocked

    def test_whatever_can_be_seen_has_words(self) -> None:
        assert WANTED.keys() | UNWANTED.keys() == CONSTRUCTS.keys()

    def test_half_of_the_loads_are_early_in_some_case(self) -> None:
        def check(*early: int) -> None:
            found = {4: (early[0], 9, 10), 5: (early[1], 9, 10)}
            tools = Tools(right, find_early=lambda launch, run: found[int(launch.args[2])])
            Checker(EXERCISE, KernelAnswer(SOURCE), tools).uses("early_loads")

        check(0, 5)
        with pytest.raises(CheckFailed, match=r"at\s+most\s+half\s+of\s+the\s+loads"):
            check(4, 4)

    def test_loads_are_as_far_ahead_as_the_size_allows(self) -> None:
        def check(ahead: int) -> None:
            tools = Tools(right, find_ahead=lambda launch, run: ahead)
            Checker(EXERCISE, KernelAnswer(SOURCE), tools).uses("loads_ahead", at_least=lambda n, **_: min(n, 4))

        check(4)
        with pytest.raises(
            CheckFailed, match=r"put\s+only\s+3\s+numbers[\s\S]*To\s+fill\s+what\s+is\s+free,\s+4\s+are"
        ):
            check(3)

    def test_one_late_load_is_too_many(self) -> None:
        def check(late: int) -> None:
            tools = Tools(right, find_early=lambda launch, run: (10, late if launch.args[2] == 5 else 0, 10))
            Checker(EXERCISE, KernelAnswer(SOURCE), tools).does_without("late_loads")

        check(0)
        with pytest.raises(CheckFailed, match=r"case n=5, (.|\n)*1\s+load\s+from\s+global\s+memory\s+after"):
            check(1)

    def test_an_unknown_word_is_our_mistake(self) -> None:
        with pytest.raises(GraderFault, match="the words are shared_memory, handed_over"):
            checker().uses("magic")
        with pytest.raises(GraderFault, match=r"does_without\('shared_memory'\)"):
            checker().does_without("atomics", "shared_memory")


class TestGpu:
    def test_only_matches_numpy_runs_there(self, capsys: pytest.CaptureFixture[str]) -> None:
        def gpu(launch: Launch) -> Run:
            return Run(right(launch).outputs, backend="NVIDIA T4")

        check = checker(gpu=gpu)
        for name in PLAIN:
            getattr(check, name)()
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "x matches numpy: passed in 2 cases, on the NVIDIA T4."
        assert all(line.endswith("on the emulator.") for line in lines[1:])

    def test_a_wrong_result_says_which_gpu(self) -> None:
        def gpu(launch: Launch) -> Run:
            return Run((launch.arrays[0], launch.arrays[0] - 1), backend="NVIDIA T4")

        with pytest.raises(CheckFailed, match="on the NVIDIA T4"):
            checker(gpu=gpu).matches_numpy()

    def crash(self, launch: Launch) -> Run:
        return Run(launch.arrays, (FINDINGS["crash: on a GPU"],), completed=False, backend="NVIDIA T4")

    def test_the_emulator_explains_what_stopped_the_gpu(self) -> None:
        with pytest.raises(CheckFailed, match="stops at an access out of bounds") as caught:
            checker(finding(BOUNDS), gpu=self.crash).matches_numpy()
        assert caught.value.blocked

    def test_where_the_emulator_sees_nothing_the_gpus_word_stands(self) -> None:
        with pytest.raises(CheckFailed, match="the GPU reported: bad") as caught:
            checker(gpu=self.crash).matches_numpy()
        assert not caught.value.blocked

    def test_a_kernel_that_stands_still_is_waited_for_once(self) -> None:
        waits = []

        def gpu(launch: Launch) -> Run:
            waits.append(launch)
            return Run(launch.arrays, (FINDINGS["limit: on a GPU"],), completed=False, backend="NVIDIA T4")

        with pytest.raises(CheckFailed, match="stops at an access out of bounds"):
            checker(finding(BOUNDS), gpu=gpu).matches_numpy()
        assert len(waits) == 1

    def test_a_launch_that_this_gpu_cannot_do_is_the_students_to_change(self) -> None:
        def gpu(launch: Launch) -> Run:
            raise UsageError("This GPU has 64 KB of shared memory.")

        with pytest.raises(CheckFailed, match="This GPU has 64 KB") as caught:
            checker(gpu=gpu).matches_numpy()
        assert caught.value.blocked


class TestNoAnswerYet:
    @pytest.mark.parametrize("name", PLAIN)
    @pytest.mark.parametrize("text", ["", SOURCE.replace("out[0] = 2 * in[0];", "// YOUR CODE HERE")])
    def test_a_stub_scores_nothing_and_is_never_launched(self, name: str, text: str) -> None:
        def emulate(launch: Launch) -> Run:
            raise AssertionError

        with pytest.raises(CheckFailed, match="not written yet") as caught:
            getattr(checker(emulate, text), name)()
        assert caught.value.blocked

    @pytest.mark.parametrize("name", PLAIN)
    def test_a_text_that_does_not_compile_blocks_everything(self, name: str) -> None:
        answer = KernelAnswer(SOURCE, (compile_error((2, 1, "no such thing")),))
        with pytest.raises(CheckFailed, match="see the report under its %%cuda cell") as caught:
            getattr(checker(answer=answer), name)()
        assert caught.value.blocked

    @pytest.mark.parametrize("refused", ["compile", "forbidden"])
    @pytest.mark.parametrize("name", PLAIN)
    def test_so_does_one_of_which_that_shows_only_at_the_launch(self, refused: str, name: str) -> None:
        launched = []

        def emulate(launch: Launch) -> Run:
            launched.append(launch)
            return Run(launch.arrays, (FINDINGS[refused],), completed=False)

        with pytest.raises(CheckFailed, match="the kernel does not compile") as caught:
            getattr(checker(emulate), name)()
        assert caught.value.blocked
        assert len(launched) == 1

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            (SOURCE.replace("twice", "thrice"), "twice"),
            (SOURCE.replace(", int n", ""), "2 arguments"),
            (SOURCE.replace("float* out", "double* out"), "out"),
        ],
    )
    def test_a_changed_signature_is_the_students_and_reported(self, text: str, says: str) -> None:
        with pytest.raises(CheckFailed, match=says) as caught:
            checker(answer=text).has_no_races()
        assert caught.value.blocked
        assert "could not be launched" in str(caught.value)


class TestValues:
    def exercise(self) -> Exercise:
        def launched(draw: Draw, launch: SimpleNamespace, n: int) -> Case:
            return Case(launch.grid, launch.block, [np.zeros(n, np.float32), Output(n, np.float32), n], [np.zeros(n)])

        return declare("x", launched, [{"n": 40}], values=("grid", "block"), kernel="twice")

    def check(self, text: str, emulate: Backend = right) -> Checker:
        return checker(emulate, exercise=self.exercise(), values=ValuesAnswer("\n" + text))

    def test_the_launch_is_the_students(self) -> None:
        seen = []

        def emulate(launch: Launch) -> Run:
            seen.append((launch.grid, launch.block))
            return right(launch)

        self.check("grid = ceil_div(n, 16), 2\nblock = 16, 2", emulate).matches_numpy()
        assert seen == [((3, 2, 1), (16, 2, 1))]

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("grid = 0\nblock = 16", "grid=0"),
            ("grid = 1\nblock = 2000", "block=2000"),
            ("grid = n / 16\nblock = 16", "grid=2.5 is not whole: / gives fractions, so write // or ceil_div()"),
            ("grid = 1", "block is missing"),
            ("grid = k\nblock = 16", "Line 2"),
            ("grid = 1 // (n - 40)\nblock = 16", "divided by zero"),
        ],
    )
    def test_a_bad_launch_is_the_students_and_reported(self, text: str, says: str) -> None:
        with pytest.raises(CheckFailed) as caught:
            self.check(text).has_no_races()
        assert says in " ".join(str(caught.value).split())
        assert caught.value.blocked

    def test_a_stub_is_not_written_yet(self) -> None:
        with pytest.raises(CheckFailed, match=r"Line 2 of its %%values cell"):
            self.check("// YOUR CODE HERE").has_no_races()


class TestTraffic:
    @pytest.mark.parametrize("name", LIMITED)
    def test_a_number_or_a_function_of_the_size(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        counted = self.counted_by(name)
        limit = self.check(name, counted)
        limit(5)
        limit(lambda n: n)
        for too_low in (4, lambda n: n - 1):
            with pytest.raises(CheckFailed, match="are enough") as caught:
                limit(too_low)
            assert not caught.value.blocked
        lines = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
        assert lines[-2:] == [f"x {claim_of_limit(counted, limit)}" for limit in (5, max)]

    def test_every_count_with_words_has_a_check(self) -> None:
        assert sorted(map(self.counted_by, LIMITED)) == sorted(LIMITS)

    def check(self, name: str, counted: str) -> Callable[[Limit], None]:
        """Of a launch that counts as much as the size."""

        def emulate(launch: Launch) -> Run:
            return Run(right(launch).outputs, counts=Counts(shared_stores=1, **{counted: int(launch.args[2])}))

        check: Callable[[Limit], None] = getattr(checker(emulate), name)
        return check

    def counted_by(self, name: str) -> str:
        """The one of the counts that the check is about."""
        failed = []
        for counted in LIMITS:
            try:
                self.check(name, counted)(0)
            except CheckFailed as error:
                failed += [] if error.blocked else [counted]
        only, *others = failed
        assert others in ([], ["global_atomics"])  # an atomic operation loads and stores
        return only

    def test_a_claim_is_a_sentence(self) -> None:
        assert claim_of_limit("global_loads", 5) == "loads from global memory at most 5 times"
        assert claim_of_limit("global_atomics", max) == (
            "makes atomic operations on global memory no more often than it must"
        )

    def test_of_no_shared_memory_it_cannot_be_said_that_it_is_loaded_rarely(self) -> None:
        with pytest.raises(CheckFailed, match="no thread of this launch uses shared memory") as caught:
            checker(finding(counts=Counts(global_loads=1))).shared_loads_at_most(1)
        assert caught.value.blocked


class TestFaults:
    @pytest.mark.parametrize(
        "emulate",
        [
            finding(completed=False),
            lambda launch: Run(right(launch).outputs, counts=None),
        ],
    )
    def test_what_a_backend_does_wrong_is_never_the_students(self, emulate: Backend) -> None:
        with pytest.raises(GraderFault):
            checker(emulate).has_no_bank_conflicts()

    def test_a_broken_contract_is_never_the_students(self) -> None:
        exercise = declare("x", lambda draw, n: Case(1, 1, [], [np.zeros(n)]), [{"n": 1}], kernel="twice")
        with pytest.raises(GraderFault, match="expected arrays"):
            checker(exercise=exercise).matches_numpy()


def test_a_report_is_told_once_and_the_exception_shows_one_line() -> None:
    announced = []
    with pytest.raises(CheckFailed) as caught:
        checker(finding(RACE), on_result=lambda *result: announced.append(result)).has_no_races()
    assert announced == [
        (CheckResult("x", "has_no_races", "x has no races", False, Outcome.FAILED), caught.value.report)
    ]
    assert str(caught.value) == str(announced[0][1])
    assert caught.value._render_traceback_() == ["x has no races: FAILED"]


def test_a_race_is_explained_with_what_numpy_expects() -> None:
    requested = []

    def explain(launch: Launch, run: Run, expected: Mapping[str, Expected]) -> Run:
        requested.append((launch.name, run.findings, expected))
        return replace(run, orders_all_right=8)

    with pytest.raises(CheckFailed, match="In all 8 orders"):
        checker(finding(RACE), explain=explain).has_no_races()
    ((name, findings, expected),) = requested
    assert name == "twice" and findings == (RACE,)
    assert list(expected) == ["out"]
    assert expected["out"].values.shape == (4,) and expected["out"].tolerance == 0
    with pytest.raises(CheckFailed) as caught:
        checker(finding(BOUNDS), explain=explain).stays_in_bounds()
    assert "orders" not in str(caught.value) and len(requested) == 1


class TestPrinting:
    def check(self, history: History | None = None, sizes: Sequence[int] = (4, 5), lines: int = 1) -> list[str]:
        """What is shown of a launch that prints, and gives a wrong result for n = 5."""
        shown: list[str] = []

        def emulate(launch: Launch) -> Run:
            n = len(launch.arrays[0])
            outputs = launch.arrays if n == 5 else right(launch).outputs
            return Run(outputs, counts=SHARED, printed=f"n is {n}\n" * lines)

        tools = Tools(emulate, show_printed=shown.append)
        exercise = replace(EXERCISE, visible=Sizes(tuple({"n": n} for n in sizes)), hidden=Sizes(({"n": 3},)))
        with suppress(CheckFailed):
            Checker(exercise, KernelAnswer(SOURCE), tools, history=history).matches_numpy()
        return shown

    def test_the_case_that_fails_is_shown_or_else_the_smallest(self) -> None:
        assert self.check() == ["case n=5, grid=1, block=32, on the emulator, prints:\nn is 5"]
        assert self.check(sizes=(9, 7)) == ["case n=7, grid=1, block=32, on the emulator, prints:\nn is 7"]

    def test_once_for_an_answer_and_again_when_the_cell_runs_again(self) -> None:
        history = History()
        assert len(self.check(history)) == len(self.check(history)) == 1
        assert not history.prints_in("x has no races")

    def test_much_is_cut(self) -> None:
        (text,) = self.check(lines=1000)
        assert text.endswith("... and 968 more lines: print from one thread, or from a few.")


class TestSmallestCase:
    """Kernels that are wrong from some size on."""

    DOMAIN: ClassVar = {"n": whole(1, 500), "block": whole(32, 1024, by=32)}

    def check(self, wrong: Callable[[int, int], bool], shrink: bool = True, found: Finding | None = None) -> Checker:
        def launched(draw: Draw, n: int, block: int) -> Case:
            return replace(case(draw, n), block=block)

        def emulate(launch: Launch) -> Run:
            is_wrong = wrong(int(launch.args[2]), launch.block[0])
            if found and is_wrong:
                return finding(found)(launch)
            return replace(right(launch), outputs=launch.arrays) if is_wrong else right(launch)

        exercise = declare("x", launched, [{"n": 480, "block": 128}], kernel="twice", domain=self.DOMAIN)
        return Checker(exercise, KernelAnswer(SOURCE), Tools(emulate, shrink=shrink))

    def test_it_is_looked_for_within_the_domain(self) -> None:
        with pytest.raises(CheckFailed, match="case n=1, grid=1, block=32,"):
            self.check(lambda n, block: True).matches_numpy()
        with pytest.raises(CheckFailed, match="case n=70, grid=1, block=32,"):
            self.check(lambda n, block: n >= 70).matches_numpy()
        with pytest.raises(CheckFailed, match="case n=33, grid=1, block=32,"):
            self.check(lambda n, block: n > block).matches_numpy()

    def test_of_a_race_the_first_case_is_shown_since_it_teaches_most(self) -> None:
        with pytest.raises(CheckFailed, match="case n=480, grid=1, block=128,"):
            self.check(lambda n, block: True, found=RACE).has_no_races()

    def test_where_nobody_asks_nothing_is_looked_for(self) -> None:
        with pytest.raises(CheckFailed) as caught:
            self.check(lambda n, block: n >= 200, shrink=False).matches_numpy()
        assert "case n=200," not in str(caught.value)

    def test_only_what_is_of_the_same_kind_is_smaller(self) -> None:
        def emulate(launch: Launch) -> Run:
            return (finding(BOUNDS) if len(launch.arrays[0]) >= 100 else finding(RACE))(launch)

        exercise = declare("x", case, [{"n": 400}], kernel="twice", domain={"n": whole(1, 500)})
        with pytest.raises(CheckFailed, match="case n=100,"):
            Checker(exercise, KernelAnswer(SOURCE), Tools(emulate, shrink=True)).stays_in_bounds()


class TestAgain:
    """What a kernel leaves in its variables, the next launch finds there."""

    def check(self, leaves: Mapping[str, bytes], first_is_right: bool = True) -> list[Mapping[str, bytes]]:
        """What the variables hold before each launch of a kernel that is right only where they hold nothing."""
        launched = []

        def emulate(launch: Launch) -> Run:
            launched.append(launch.symbols)
            is_right = first_is_right and not launch.symbols
            return replace(right(launch) if is_right else Run(launch.arrays), symbols=leaves)

        Checker(EXERCISE, KernelAnswer(SOURCE), Tools(emulate)).matches_numpy()
        return launched

    def test_a_second_launch_must_be_right_too(self) -> None:
        with pytest.raises(CheckFailed) as caught:
            self.check({"calls": b"1"})
        assert "case n=4, grid=1, block=32, on the emulator, the second launch in a row" in str(caught.value)
        assert "was launched several times in a row" in str(caught.value)

    def test_there_is_none_where_nothing_is_left(self) -> None:
        assert self.check({}) == [{}, {}]

    def count(self, launches: int, wrong_in: int = 0) -> list[int]:
        """Of a kernel that counts its launches up to this many, and is wrong in one: the count before each launch."""
        counts = []

        def emulate(launch: Launch) -> Run:
            counts.append(len(launch.symbols.get("calls", b"")))
            after = {"calls": bytes(min(counts[-1] + 1, launches))}
            return replace(Run(launch.arrays) if counts[-1] + 1 == wrong_in else right(launch), symbols=after)

        exercise = declare("x", case, [{"n": 4}], kernel="twice")
        Checker(exercise, KernelAnswer(SOURCE), Tools(emulate)).matches_numpy()
        return counts

    def test_there_are_as_many_as_find_something_new_and_no_more_than_four(self) -> None:
        assert self.count(1) == [0, 1]
        assert self.count(2) == [0, 1, 2]
        assert self.count(9) == [0, 1, 2, 3]

    @pytest.mark.parametrize(("wrong_in", "which"), [(3, "third"), (4, "fourth")])
    def test_one_of_them_must_not_be_wrong(self, wrong_in: int, which: str) -> None:
        with pytest.raises(CheckFailed, match=f"the {which} launch in a row"):
            self.count(9, wrong_in)

    def test_there_is_none_of_a_launch_that_is_wrong(self) -> None:
        with pytest.raises(CheckFailed) as caught:
            self.check({"calls": b"1"}, first_is_right=False)
        assert "second" not in str(caught.value)


class TestUninitializedFill:
    """What a kernel reads where nobody has written must not decide its results."""

    def check(self, saw: bool, matters: bool = True) -> list[int]:
        """Which bytes each launch finds there, of a kernel that is right only if they are as at first."""
        tried = []

        def emulate(launch: Launch) -> Run:
            tried.append(launch.experiment.uninitialized_fill)
            is_right = not launch.experiment.uninitialized_fill or not matters
            return replace(right(launch) if is_right else Run(launch.arrays), saw_uninitialized=saw)

        Checker(EXERCISE, KernelAnswer(SOURCE), Tools(emulate)).matches_numpy()
        return tried

    def test_results_that_depend_on_them_are_wrong(self) -> None:
        with pytest.raises(CheckFailed) as caught:
            self.check(saw=True)
        assert "on the emulator, with other values in memory that nobody had written" in " ".join(
            str(caught.value).split()
        )
        assert "With other values in it, the results of this case are right." in " ".join(str(caught.value).split())

    def test_where_they_do_not_matter_each_size_finds_others(self) -> None:
        first, other, second, another = self.check(saw=True, matters=False)
        assert first == second == 0 and len({other, another, 0}) == 3

    def test_where_nobody_saw_them_no_others_are_tried(self) -> None:
        assert self.check(saw=False) == [0, 0]


class TestThreadsThatEndEarly:
    """CUDA lets threads end before a barrier, so only the check of barriers speaks of it."""

    def tools(self, **other: Any) -> Tools:
        group, place = Waiting(2, "__syncthreads();", 20), Access((0, 0, 0), (12, 0, 0), 2, "__syncthreads();")
        stop = {"accesses": (place,) * 2, "waiting": (group,), "exited": 12, "threads": 32, "scope": "block", **other}

        def emulate(launch: Launch) -> Run:
            if launch.experiment.leave_early:
                return right(launch)
            return Run(launch.arrays, (BarrierDivergence(**stop),), completed=False)

        return Tools(emulate)

    def test_what_the_others_do_is_judged(self) -> None:
        checker = Checker(EXERCISE, KernelAnswer(SOURCE), self.tools())
        checker.matches_numpy()
        checker.has_no_races()
        with pytest.raises(CheckFailed) as caught:
            checker.reaches_every_barrier()
        assert not caught.value.blocked

    @pytest.mark.parametrize("other", [{"exited": 0}, {"scope": "grid"}, {"waiting": (Waiting(2, "", 9),) * 2}])
    def test_no_other_barrier_opens_so(self, other: dict[str, Any]) -> None:
        with pytest.raises(CheckFailed):
            Checker(EXERCISE, KernelAnswer(SOURCE), self.tools(**other)).matches_numpy()


class TestSeries:
    """A block that waits for a later one ends only where both run at the same time."""

    def check(self, stopped: str, grid: int = 2, atomics: int = 1, last: str = IN_SERIES[0]) -> list[str]:
        """The orders that are tried of a launch that is stopped for this reason where blocks run in this order."""
        tried = []

        def emulate(launch: Launch) -> Run:
            return replace(right(launch), counts=Counts(atomics=atomics))

        def reorder(launch: Launch, order: str) -> Run:
            tried.append(order)
            stop = StepLimit(reason=stopped)  # type: ignore[arg-type]
            return Run(launch.arrays, (stop,), completed=False) if order == last and stopped else right(launch)

        def launched(draw: Draw, n: int) -> Case:
            return replace(case(draw, n), grid=grid)

        exercise = declare("x", launched, [{"n": 4}], kernel="twice")
        Checker(exercise, KernelAnswer(SOURCE), Tools(emulate, reorder=reorder)).matches_numpy()
        return tried

    @pytest.mark.parametrize("last", IN_SERIES)
    @pytest.mark.parametrize("reason", ["spin", "steps"])
    def test_it_fails_and_is_told(self, reason: str, last: str) -> None:
        with pytest.raises(CheckFailed, match="ends only if several blocks run at the same time") as caught:
            self.check(reason, last=last)
        assert "one block after the other" in str(caught.value)

    @pytest.mark.parametrize("reason", ["", "time", "memory"])
    def test_nothing_else_is_taken_for_it(self, reason: str) -> None:
        assert self.check(reason) == [*ORDERS, *IN_SERIES]

    def test_one_that_gives_up_waiting_is_wrong_there(self) -> None:
        def reorder(launch: Launch, order: str) -> Run:
            return Run(launch.arrays) if order == "series" else right(launch)

        def emulate(launch: Launch) -> Run:
            return replace(right(launch), counts=Counts(atomics=1))

        exercise = declare("x", lambda draw, n: replace(case(draw, n), grid=2), [{"n": 4}], kernel="twice")
        with pytest.raises(CheckFailed, match="one block after the other") as caught:
            Checker(exercise, KernelAnswer(SOURCE), Tools(emulate, reorder=reorder)).matches_numpy()
        assert "In the ordinary order of the threads the results of this case are right." in str(caught.value)

    def test_it_is_tried_only_where_a_block_could_wait(self) -> None:
        assert "series" not in self.check("spin", grid=1) + self.check("spin", atomics=0)


class TestOrders:
    def check(self, atomics: int, wrong_in: str, on_gpu: bool = False) -> list[str]:
        """Which orders are tried of a launch that is wrong in one of them."""
        tried = []

        def emulate(launch: Launch) -> Run:
            return replace(right(launch), counts=Counts(atomics=atomics))

        def reorder(launch: Launch, order: str) -> Run:
            tried.append(order)
            return Run(launch.arrays) if order == wrong_in else right(launch)

        tools = Tools(emulate, emulate if on_gpu else None, reorder=reorder)
        with suppress(CheckFailed):
            Checker(EXERCISE, KernelAnswer(SOURCE), tools).matches_numpy()
            tried.append("passed")
        return tried

    def test_they_are_tried_where_there_are_atomics(self) -> None:
        assert self.check(atomics=1, wrong_in="") == [*ORDERS, *ORDERS, "passed"]
        assert self.check(atomics=1, wrong_in="", on_gpu=True) == [*ORDERS, *ORDERS, "passed"]
        assert self.check(atomics=0, wrong_in="lockstep") == ["passed"]

    def test_a_result_that_is_wrong_in_one_of_them_fails(self) -> None:
        assert "passed" not in self.check(atomics=1, wrong_in="lockstep")

    @pytest.mark.parametrize("order", ORDERS)
    def test_the_report_names_the_order(self, order: str) -> None:
        def emulate(launch: Launch) -> Run:
            return replace(right(launch), counts=Counts(atomics=1))

        def reorder(launch: Launch, schedule: str) -> Run:
            return Run(launch.arrays) if schedule == order else right(launch)

        with pytest.raises(CheckFailed, match=r"case n=4, grid=1, block=32, on the emulator, (the|all) "):
            Checker(EXERCISE, KernelAnswer(SOURCE), Tools(emulate, reorder=reorder)).matches_numpy()

    def test_one_thread_makes_no_more_atomic_operations_than_each_may(self) -> None:
        checker = Checker(EXERCISE, KernelAnswer(SOURCE), Tools(by_one_thread(5, 4)))
        checker.global_atomics_at_most(100, each=3)
        checker.global_atomics_at_most(100, each=lambda n, **_: 3)
        with pytest.raises(CheckFailed, match="One thread makes 3 atomic operations on global memory; 2 are enough"):
            checker.global_atomics_at_most(100, each=2)

    @pytest.mark.parametrize("order", [ORDERS[0], *IN_SERIES])
    def test_limits_hold_in_orders_without_competition(self, order: str) -> None:
        def loads(launch: Launch, count: int) -> Run:
            return replace(right(launch), counts=Counts(atomics=1, global_loads=count))

        tools = Tools(
            lambda launch: loads(launch, 1), reorder=lambda launch, tried: loads(launch, 1 + (tried == order))
        )
        exercise = declare("x", lambda draw, n: replace(case(draw, n), grid=2), [{"n": 4}], kernel="twice")
        checker = Checker(exercise, KernelAnswer(SOURCE), tools)
        checker.loads_at_most(2)
        with pytest.raises(CheckFailed):
            checker.loads_at_most(1)

    @pytest.mark.parametrize(("ordinary", "others"), [(True, False), (False, True)])
    def test_atomics_that_leave_the_result_to_chance_earn_no_points_for_races(
        self, ordinary: bool, others: bool
    ) -> None:
        def result(launch: Launch, is_right: bool) -> Run:
            partly = (*launch.arrays[:-1], np.append(right(launch).outputs[-1][:-1], 0).astype(np.float32))
            return replace(right(launch) if is_right else Run(partly), counts=Counts(atomics=1))

        def judge(in_others: bool) -> str:
            tools = Tools(lambda launch: result(launch, ordinary), reorder=lambda launch, _: result(launch, in_others))
            Checker(EXERCISE, KernelAnswer(SOURCE), tools).has_no_races()
            return "passed"

        with pytest.raises(CheckFailed, match="in one order of the threads the result is right") as caught:
            judge(others)
        assert caught.value.blocked
        assert judge(ordinary) == "passed"

    def test_what_one_check_launched_in_another_order_the_next_one_knows(self) -> None:
        launched = []

        def reorder(launch: Launch, order: str) -> Run:
            launched.append(order)
            return right(launch)

        checker = Checker(
            EXERCISE,
            KernelAnswer(SOURCE),
            Tools(lambda launch: replace(right(launch), counts=Counts(atomics=1)), reorder=reorder),
        )
        checker.has_no_races()
        checker.matches_numpy()
        assert launched == [*ORDERS, *ORDERS]  # of two sizes


def test_all_checks_together_compare_the_results_of_a_launch_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[object] = []

    def counted(want: np.ndarray, got: np.dtype[Any], terms: int) -> float:
        compared.append(want)
        return tolerance(want, got, terms)

    monkeypatch.setattr(trial, "tolerance", counted)
    checks = checker()
    for check in (checks.matches_numpy, checks.has_no_races, checks.stays_in_bounds):
        check()
    assert len(compared) == len(EXERCISE.sizes)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (
            SOURCE.replace("const float* in", "const double* in"),
            "the exercise gives an array of float: its type must be float*, or const float* if the kernel only reads",
        ),
        (
            SOURCE.replace("const float* in", "float in").replace("in[0]", "in"),
            "the exercise gives an array of float: its type must be float*",
        ),
        (
            SOURCE.replace("int n", "int* n"),
            "for the parameter int* n, the exercise gives one int: its type must be int.",
        ),
        (
            SOURCE.replace("__global__", "template <class T> __global__"),
            "twice is a template, and the exercise launches",
        ),
    ],
)
def test_a_kernel_that_the_exercise_cannot_launch_is_told_what_to_change_in_it(source: str, says: str) -> None:
    """And not in the launch, which is the exercise's."""
    with pytest.raises(CheckFailed) as caught:
        Checker(EXERCISE, KernelAnswer(source), Tools(right)).matches_numpy()
    message = " ".join(str(caught.value).split())
    assert says in message and "pass " not in message


@pytest.mark.parametrize("name", ["matches_numpy", "stays_in_bounds", "uses"])
def test_no_launch_begins_once_the_time_of_the_answer_is_used_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that a check makes after all cases: the third is one in which something is suppressed."""
    launched: list[Launch] = []
    most = 2 if name == "uses" else 1
    monkeypatch.setattr(processor_time, "is_used_up", lambda: len(launched) == most)

    def emulate(launch: Launch) -> Run:
        launched.append(launch)
        return right(launch)

    with pytest.raises(CheckFailed) as failed:
        getattr(checker(emulate), name)(*(["shared_memory"] if name == "uses" else []))
    assert failed.value.blocked and len(launched) == most
    assert "took all the processor" in str(failed.value)
