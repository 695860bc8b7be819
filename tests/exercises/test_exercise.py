"""Cases: are they reproducible, poisoned, and rejected if the contract contradicts itself?"""

import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from autograder.cuda.core.numerics import tolerance
from autograder.cuda.errors import GraderFault
from autograder.exercises.declarations.declaration import (
    Case,
    Exercise,
    InOut,
    Output,
    checked_sizes,
    declare,
    is_poison,
    poison,
    seeded,
)
from autograder.exercises.declarations.domain import one_of, whole
from autograder.exercises.declarations.draw import Draw


def one_output(buffer: Any, want: Any, **kwargs: Any) -> Case:
    return Case(grid=1, block=1, args=[buffer], expected=[want], **kwargs)


class TestSeed:
    def test_same_name_and_size_give_same_numbers_in_any_process(self) -> None:
        code = (
            "from autograder.exercises.declarations.declaration import seeded\n"
            "print(seeded('blur', {'n': 5, 'm': 2}).integers(0, 10**9))"
        )
        runs = {
            subprocess.run(
                [sys.executable, "-c", code],
                env={"PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert runs == {f"{seeded('blur', {'n': 5, 'm': 2}).integers(0, 10**9)}\n"}

    def test_the_order_of_a_sizes_words_does_not_matter(self) -> None:
        assert seeded("a", {"n": 1, "m": 2}).random() == seeded("a", {"m": 2, "n": 1}).random()

    @pytest.mark.parametrize(("name", "size"), [("b", {"n": 1}), ("a", {"n": 2}), ("a", {"m": 1})])
    def test_another_name_or_size_gives_other_numbers(self, name: str, size: dict[str, int]) -> None:
        assert seeded("a", {"n": 1}).random() != seeded(name, size).random()

    def test_hidden_cases_have_inputs_that_only_their_seed_gives(self) -> None:
        def case(draw: Draw, n: int) -> Case:
            return Case(1, 1, [draw.whole(0, 10**9, n), Output(n, np.int32)], [np.zeros(n, np.int32)])

        shown = declare("x", case, [{"n": 3}], domain={"n": whole(1, 9)})
        item, other = shown.hide(5), shown.hide(6)

        def inputs(exercise: Exercise, n: int) -> list[int]:
            given: list[int] = exercise.build({"n": n}).args[0].tolist()
            return given

        assert inputs(shown, 3) == inputs(item, 3) == inputs(other, 3)
        assert inputs(item, 4) == inputs(item, 4) != inputs(other, 4)


class TestPoison:
    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    def test_floats_are_nan(self, dtype: type[np.number]) -> None:
        assert np.isnan(poison((2, 3), dtype)).all()

    def test_ints_are_0xa5_bytes(self) -> None:
        assert poison(3, np.uint32).tolist() == [0xA5A5A5A5] * 3
        assert poison(3, np.uint8).tolist() == [0xA5] * 3

    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, np.uint64])
    def test_only_untouched_elements_are_poison(self, dtype: type[np.number]) -> None:
        array = poison((2, 2), dtype)
        array[1, 0] = 7
        assert is_poison(array).tolist() == [[True, True], [False, True]]

    def test_a_computed_nan_is_not_poison(self) -> None:
        with np.errstate(invalid="ignore"):
            computed = np.float32(np.inf) - np.float32(np.inf)
        assert not is_poison(np.array([computed, np.float32(np.nan)])).any()

    @pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
    def test_arithmetic_does_not_keep_it_and_copies_do(self, dtype: type[np.number]) -> None:
        array = poison(3, dtype)
        with np.errstate(invalid="ignore"):
            assert not is_poison(array + dtype(1)).any()
        assert is_poison(array.copy()).all()

    def test_an_output_with_fill_is_not_poisoned(self) -> None:
        assert Output(3, np.uint32, fill=0).before().tolist() == [0, 0, 0]
        assert is_poison(Output(3, np.uint32).before()).all()

    def test_inout_is_copied(self) -> None:
        array = np.arange(3)
        InOut(array).before()[0] = 9
        assert array[0] == 0


class TestTolerance:
    def test_ints_must_be_equal(self) -> None:
        assert tolerance(np.array([1000]), np.int32, 50) == 0

    def test_floats_follow_the_rule(self) -> None:
        eps = np.finfo(np.float32).eps
        assert tolerance(np.array([-8.0, 2.0]), np.float32, 3) == 4 * eps * 3 * 8
        assert tolerance(np.array([0.25]), np.float32, 1) == 4 * eps
        assert tolerance(np.array([np.inf, 2.0]), np.float32, 1) == 4 * eps * 2


class TestContract:
    def test_args_for_a_launch_hold_new_arrays_in_the_place_of_buffers(self) -> None:
        given = np.arange(4)
        case = Case(1, 1, [given, Output(2, np.float32), InOut(given), 7], [np.zeros(2), given])
        first, second, third, fourth = case.launch_args()
        assert first is given and fourth == 7
        assert np.isnan(second).all()
        assert third is not given and third.tolist() == given.tolist()

    @pytest.mark.parametrize(
        ("make", "says"),
        [
            (lambda: Case(1, 1, [Output(2, np.int32)], []), "1 Output and InOut arguments but 0 expected"),
            (lambda: one_output(Output(2, np.int32), np.zeros(3, int)), r"shape \(3,\) .* shape \(2,\)"),
            (lambda: one_output(Output(2, np.int32), np.zeros(2)), r"add \.astype\(np\.int32\)"),
            (lambda: one_output(Output(1, np.float32), np.array([np.nan])), "holds NaN"),
            (lambda: one_output(Output(1, np.float32), np.zeros(1), terms=-1), "terms=-1"),
            (lambda: declare("two words", one_output, [{"n": 1}]), "must be one word"),
            (lambda: declare("x", cast(Any, None), [{"n": 1}]), "must be a function"),
            (lambda: declare("x", one_output, [{"n": 1}], values=["gird"]), "not 'gird'"),
            (lambda: checked_sizes("x", [], {}), "list of dicts"),
            (lambda: declare("x", one_output, [{"n": 9}], domain={"n": whole(1, 8)}), "not in its domain: n=9"),
            (lambda: declare("x", one_output, [{"m": 1}], domain={"n": whole(1, 8)}), "has other words"),
            (lambda: declare("x", one_output, [{"n": 1}], domain={"n": 8}), "n must be whole"),
            (lambda: declare("x", one_output, [{"n": 1}], domain={"n": whole(1, "m")}), "the bounds of n"),
            (lambda: declare("x", one_output, [{"n": 1}]).hide(1), "has no domain"),
            (lambda: whole(2, 1), "no such number"),
            (lambda: one_of(), "at least one"),
            (lambda: checked_sizes("x", cast(Any, {"n": 1}), {}), "list of dicts"),
            (lambda: checked_sizes("x", cast(Any, [3]), {}), "list of dicts"),
        ],
    )
    def test_a_contradiction_is_our_fault_and_one_sentence(self, make: Callable[[], object], says: str) -> None:
        with pytest.raises(GraderFault, match=says) as caught:
            make()
        assert "\n" not in str(caught.value)

    def test_a_case_function_that_fails_is_our_fault(self) -> None:
        def broken(draw: Draw, n: int) -> Case:
            raise KeyError(n)

        with pytest.raises(GraderFault, match="The case of x failed for n=3: KeyError: 3"):
            declare("x", broken, [{"n": 3}]).build({"n": 3})

    def test_a_case_function_must_return_a_case(self) -> None:
        with pytest.raises(GraderFault, match="must return a Case, not 3"):
            declare("x", lambda draw, n: n, [{"n": 3}]).build({"n": 3})


def test_a_case_gets_its_size_a_generator_and_the_students_launch() -> None:
    seen = []

    def case(draw: Draw, launch: SimpleNamespace, n: int) -> Case:
        seen.append((draw.whole(0, 10**9, ()), launch.grid, n))
        return one_output(Output(n, np.int32), np.zeros(n, np.int32))

    exercise = declare("x", case, [{"n": 3}], values=("grid",))
    exercise.build({"n": 3}, {"grid": (2, 4)})
    exercise.build({"n": 3}, {"grid": (2, 4)})
    exercise.build({"n": 3, "data": "extreme"}, {"grid": (2, 4)})
    assert seen[:2] == [(Draw(seeded("x", {"n": 3})).whole(0, 10**9, ()), (2, 4), 3)] * 2
    assert seen[2][0] in (0, 1, 10**9 - 1, 10**9)  # what kind of data is asked for; the contract is not told
