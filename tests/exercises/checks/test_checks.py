"""Does each check find its own mistake, and only that?"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from findings_for_reports import FINDINGS
from numpy.typing import ArrayLike

from autograder.cuda.core.findings import Access, Action, Hazard, Kind, Mismatch, Race, Scope
from autograder.cuda.core.numerics import find_mismatch, tolerance
from autograder.cuda.core.races import find_races
from autograder.cuda.core.run import Counts, LineTraffic, MaximumWork, Run
from autograder.exercises.answers.tools import Tools
from autograder.exercises.answers.trial import Trial
from autograder.exercises.checks.constructs import times_used
from autograder.exercises.checks.kernels.has_no_bank_conflicts import FEW, find_bank_conflicts
from autograder.exercises.checks.kernels.is_coalesced import find_uncoalesced
from autograder.exercises.checks.kernels.limits import find_excess
from autograder.exercises.checks.kernels.shares_the_work import (
    find_idle_threads,
    find_load_imbalance,
    find_unshared_loads,
)
from autograder.exercises.declarations.declaration import poison
from autograder.exercises.findings import ExcessTraffic, IdleThreads, LoadImbalance, UnsharedLoads
from autograder.exercises.report.limits import LIMITS


def used(construct: str, run: Run) -> int:
    """How often a launch that ran like this uses `construct`."""
    trial = SimpleNamespace(run=run, counts=run.counts)
    return times_used(construct, cast(Trial, trial), Tools(lambda launch: run))


def at(line: int, action: Action = "write") -> Access:
    return Access((0, 0, 0), (0, 0, 0), line, "", action, "tile", (0,), "shared")


def race(
    lines: Sequence[int] = (1, 2),
    hazard: Hazard = "read-after-write",
    scope: Scope = "block",
    same_value: bool = False,
) -> Race:
    accesses = tuple(map(at, lines))
    return Race(accesses=accesses, hazard=hazard, scope=scope, same_value=same_value)


def test_the_check_of_races_takes_all_races_and_nothing_else() -> None:
    found = find_races(Run((), tuple(FINDINGS.values())))
    assert sorted(map(id, found)) == sorted(id(f) for f in FINDINGS.values() if f.kind is Kind.RACE)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (race(scope="block"), race(scope="warp")),
        (race(same_value=False), race(same_value=True)),
        (race((3, 3), "write-after-write"), race((3, 3), "read-after-write")),
    ],
)
def test_the_race_that_explains_most_comes_first(better: Race, worse: Race) -> None:
    assert find_races(Run((), (worse, better))) == [better, worse]
    assert find_races(Run((), (better, worse))) == [better, worse]


class TestNumerics:
    def judge(
        self, got: ArrayLike, want: ArrayLike, tolerance: float = 0.0, untouched: np.ndarray | None = None
    ) -> list[Mismatch]:
        got, want = np.asarray(got), np.asarray(want)
        return find_mismatch("out", got, want, tolerance, np.zeros(got.shape, bool) if untouched is None else untouched)

    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    def test_untouched_elements_are_compared_without_a_warning(self, dtype: type[np.floating]) -> None:
        # pytest turns a warning into an error; a notebook would show it on stderr, which costs the points.
        assert self.judge(poison(3, dtype), np.ones(3), 1.0)
        assert self.judge(poison(3, dtype), np.ones(3, dtype))

    def test_an_expected_number_has_the_digits_of_the_outputs_type(self) -> None:
        third = np.array([1 / 3])
        (finding,) = self.judge(np.array([0.5], np.float32), third)
        assert (finding.got, finding.expected) == ("0.5", "0.33333334")
        (finding,) = self.judge(third.astype(np.float32), third)
        assert (finding.got, finding.expected) == ("0.33333334", "0.3333333333333333")

    def test_equal_passes(self) -> None:
        assert self.judge([1, 2], [1, 2]) == []

    def test_within_the_tolerance_passes_and_beyond_it_fails(self) -> None:
        want = np.array([1.0, 2.0])
        assert self.judge(want + np.array([0, 0.125]), want, 0.125) == []
        assert self.judge(want + np.array([0, 0.126]), want, 0.125) != []

    def test_large_unsigned_numbers_that_float64_cannot_tell_apart(self) -> None:
        assert self.judge(np.array([2**63 + 1], np.uint64), np.array([2**63], np.uint64))

    @pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.uint64, np.bool_])
    def test_what_is_no_float_must_be_equal(self, dtype: type[np.generic]) -> None:
        assert tolerance(np.ones(3, dtype), dtype, terms=1000) == 0

    @pytest.mark.parametrize("want", [np.inf, 1.0])
    def test_nan_is_always_wrong(self, want: float) -> None:
        assert self.judge([np.nan], [want], 1.0)

    def test_infinity_equals_itself(self) -> None:
        assert self.judge([np.inf], [np.inf], 1.0) == []
        assert self.judge([-np.inf], [np.inf], 1.0) != []

    def test_the_finding_says_where_and_how_many(self) -> None:
        got = np.zeros((3, 4), np.int32)
        got[1, 2] = got[2, 0] = 5
        untouched = np.zeros((3, 4), bool)
        untouched[2, 0] = untouched[0, 0] = True
        (found,) = self.judge(got, np.zeros((3, 4), np.int32), untouched=untouched)
        assert found == Mismatch(
            output="out",
            index=(1, 2),
            flat=6,
            got="5",
            expected="0",
            wrong=2,
            size=12,
            low=(1, 2),
            high=(2, 0),
            unwritten=1,
            tolerance=0.0,
        )


class TestCounts:
    @pytest.mark.parametrize("action", ["load", "store"])
    def test_sectors_beyond_the_limit(self, action: str) -> None:
        def counts(sectors: int) -> Counts:
            return Counts(
                **{
                    f"global_{action}_requests": 10,
                    f"global_{action}_sectors": sectors,
                    f"global_{action}_sectors_at_best": 50,
                }
            )

        assert find_uncoalesced(counts(53)) == []
        (found,) = find_uncoalesced(counts(54))
        assert (found.action, found.requests, found.sectors, found.limit) == (action, 10, 54, 50)
        assert find_uncoalesced(counts(80), at_most=8) == []
        assert find_uncoalesced(counts(81), at_most=8) != []  # a limit that an author states is one

    def test_a_few_passes_over_the_banks_too_many_are_not_worth_a_word(self) -> None:
        def counts(passes: int) -> Counts:
            at_best = {"shared_load_wavefronts_at_best": 60, "shared_store_wavefronts_at_best": 20}
            conflicts = {"shared_store_conflicts": passes - 80}
            return Counts(shared_load_wavefronts=60, shared_store_wavefronts=passes - 60, **conflicts, **at_best)

        assert find_bank_conflicts(counts(94)) == []
        (found,) = find_bank_conflicts(counts(95))
        assert (found.passes, found.at_best) == (95, 80)
        assert find_bank_conflicts(counts(98), blocks=2) == [] != find_bank_conflicts(counts(99), blocks=2)

    def test_lanes_that_take_turns_without_a_conflict_may_take_twice_as_many(self) -> None:
        at_best = {"shared_load_wavefronts_at_best": 80}
        assert find_bank_conflicts(Counts(shared_load_wavefronts=164, **at_best)) == []
        assert find_bank_conflicts(Counts(shared_load_wavefronts=165, **at_best)) != []

    def test_an_atomic_stands_for_a_store_however_contended(self) -> None:
        best = {"global_atomic_sectors_at_best": 5, "shared_atomic_wavefronts_at_best": 8}
        contended = Counts(global_atomic_sectors=32, shared_atomic_wavefronts=32, **best)
        assert not find_uncoalesced(contended) and not find_bank_conflicts(contended)
        apart = {"shared_atomic_wavefronts_as_stores": 14, "shared_atomic_conflicts_as_stores": 6}
        scattered = Counts(global_atomic_sectors_as_stores=32, **apart, **best)
        (found,) = find_uncoalesced(scattered)
        assert (found.action, found.sectors, found.limit) == ("atomic", 32, 5)
        assert not find_uncoalesced(scattered, atomics=32) and find_uncoalesced(scattered, atomics=31)
        (conflicts,) = find_bank_conflicts(scattered)
        assert (conflicts.passes, conflicts.at_best) == (14, 8)

    def test_conflicts_of_loads_and_of_stores_are_told_together(self) -> None:
        loads = {"shared_load_wavefronts": 60, "shared_load_conflicts": 20}
        (found,) = find_bank_conflicts(Counts(**loads, shared_store_wavefronts=9, shared_store_conflicts=3))
        assert (found.passes, found.conflicts) == (69, 23)

    def test_what_loads_save_does_not_pay_for_conflicts_of_stores(self) -> None:
        def counts(loads: int, stores: int) -> Counts:
            at_best = {"shared_load_wavefronts_at_best": 60, "shared_store_wavefronts_at_best": 20}
            conflicts = {"shared_load_conflicts": max(0, loads - 60), "shared_store_conflicts": max(0, stores - 20)}
            return Counts(shared_load_wavefronts=loads, shared_store_wavefronts=stores, **at_best, **conflicts)

        assert find_bank_conflicts(counts(30, 21)) == [] == find_bank_conflicts(counts(60, 20), exactly=True)
        (stores,) = find_bank_conflicts(counts(30, 21), exactly=True)
        (loads,) = find_bank_conflicts(counts(61, 10), exactly=True)
        assert (stores.action, stores.passes, stores.at_best) == ("store", 21, 20)
        assert (loads.action, loads.passes, loads.at_best) == ("load", 61, 60)

    def test_lanes_that_take_turns_have_no_conflict(self) -> None:
        def counts(stores: int) -> Counts:
            return Counts(shared_store_wavefronts=stores, shared_store_wavefronts_at_best=20)

        assert find_bank_conflicts(counts(40 + FEW), exactly=True) == []
        assert len(find_bank_conflicts(counts(41 + FEW), exactly=True)) == 1

    def test_coalesced_loads_do_not_hide_scattered_stores(self) -> None:
        mixed = Counts(
            global_load_requests=100,
            global_load_sectors=100,
            global_load_sectors_at_best=500,
            global_store_requests=1,
            global_store_sectors=32,
            global_store_sectors_at_best=5,
        )
        assert [f.action for f in find_uncoalesced(mixed)] == ["store"]

    def test_a_launch_that_touches_nothing(self) -> None:
        assert (
            not find_uncoalesced(Counts())
            and not find_bank_conflicts(Counts())
            and not find_excess(Counts(), "global_loads", 0)
        )

    def test_the_worst_line_is_that_which_moves_most_in_vain(self) -> None:
        lines = [
            LineTraffic(3, "a", "global", "load", 100, 400, 0, 500),
            LineTraffic(4, "b", "global", "load", 2, 64, 0, 10),
            LineTraffic(5, "c", "global", "store", 2, 64, 0, 10),
            LineTraffic(6, "d", "shared", "load", 2, 64, 62, 2),
            LineTraffic(7, "e", "shared", "store", 2, 4, 2, 2),
        ]
        counts = Counts(global_load_sectors=464, global_load_sectors_at_best=430, shared_load_wavefronts=64)
        (found,) = find_uncoalesced(counts, traffic=lines)
        assert found.worst is not None and found.worst.line == 4
        (conflict,) = find_bank_conflicts(counts, lines)
        assert conflict.worst is not None and conflict.worst.line == 6
        assert find_uncoalesced(counts)[0].worst is find_bank_conflicts(counts)[0].worst is None

    @pytest.mark.parametrize(
        ("counts", "shared"),
        [
            (Counts(global_loads=5, atomics=3, global_atomics=3), 0),
            (Counts(shared_loads=1), 1),
            (Counts(shared_stores=1), 1),
            (Counts(atomics=3, global_atomics=2), 1),
        ],
    )
    def test_who_uses_shared_memory(self, counts: Counts, shared: int) -> None:
        assert used("shared_memory", Run((), counts=counts)) == shared

    @pytest.mark.parametrize("counted", LIMITS)
    def test_traffic_beyond_the_limit(self, counted: str) -> None:
        counts = Counts(**{counted: 101})
        assert find_excess(counts, counted, 101) == []
        assert find_excess(counts, counted, 100) == [ExcessTraffic(counted=counted, measured=101, limit=100)]

    @pytest.mark.parametrize(
        ("counted", "atomics"), [("global_loads", 6), ("global_stores", 6), ("shared_loads", 3), ("barriers", 0)]
    )
    def test_an_atomic_operation_loads_and_stores(self, counted: str, atomics: int) -> None:
        counts = Counts(**{counted: 10}, atomics=9, global_atomics=6)
        assert find_excess(counts, counted, 10 + atomics) == []
        (found,) = find_excess(counts, counted, 9 + atomics)
        assert (found.measured, found.atomics) == (10 + atomics, atomics)


def test_the_thread_of_most_work_may_use_memory_as_often_as_is_allowed_and_no_more() -> None:
    work = MaximumWork(
        (1, 0, 0), (3, 0, 0), uses=20, line=7, at_line=12, text="x[i] = y[i];", together=32, shared_out=100, blocks=2,
        global_loads=9, global_atomics=2, loading=40, storing=30,
    )  # fmt: skip
    counts = Counts(global_loads=30, global_stores=8, shared_loads=5, shared_stores=4, atomics=3, global_atomics=2)
    assert not find_load_imbalance(work, counts, threads=64, at_most=20)
    (found,) = find_load_imbalance(work, counts, threads=64, at_most=19)
    access = Access((1, 0, 0), (3, 0, 0), 7, "x[i] = y[i];")
    assert found == LoadImbalance(accesses=(access,), measured=20, at_line=12, limit=19, total=50, threads=64)
    assert not find_unshared_loads(work, at_most=9)
    assert find_unshared_loads(work, at_most=8) == [UnsharedLoads(measured=9, limit=8)]
    assert not find_idle_threads(work, loading=40, storing=30)
    assert find_idle_threads(work, loading=41, storing=31) == [IdleThreads(action="load", measured=40, wanted=41)]
    assert find_idle_threads(work, loading=0, storing=31) == [IdleThreads(action="store", measured=30, wanted=31)]


@pytest.mark.parametrize(
    ("construct", "counts"),
    [
        ("constant_memory", Counts(constant_loads=3)),
        ("barriers", Counts(barriers=3)),
        ("atomics", Counts(atomics=3, global_atomics=1)),
        ("compare_and_swap", Counts(atomics=9, compare_and_swaps=3)),
        ("shuffles", Counts(shuffles=3, votes=5)),
        ("matrix_products", Counts(matrix_products=3, votes=5)),
        ("distributed_shared_memory", Counts(remote_loads=1, remote_stores=1, remote_atomics=1, shared_loads=5)),
        ("lane_exchanges", Counts(shuffles=2, votes=1)),
    ],
)
def test_constructs_are_counted_in_the_run(construct: str, counts: Counts) -> None:
    assert used(construct, Run((), counts=counts)) == 3
    assert used(construct, Run((), counts=Counts())) == 0


def test_shared_memory_of_fixed_size_is_what_the_compiled_kernel_declares() -> None:
    assert used("static_shared_memory", Run((), static_shared=1024)) == 1024
