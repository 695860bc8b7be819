"""From a kernel's text to its report: does it report the mistake that the student made?"""

from collections.abc import Callable

import inputs
import numpy as np
import pytest
from kernel_checker import checker

from autograder.cuda.compiler import toolchain
from autograder.cuda.report import Report
from autograder.cuda.report.compile_errors import in_words
from autograder.exercises.declarations.declaration import Case, InOut, Output
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.notebook import magic
from autograder.exercises.notebook.session import Session
from autograder.exercises.result import CheckFailed

pytestmark = inputs.book

KERNEL = """\
__global__ void product(const float* A, const float* B, float* C, int n)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
BODY
}
"""
GUARD = "    if (r >= n || c >= n) return;\n"
SUM = "    float s = 0;\n    for (int k = 0; k < n; k++)\n        s += A[r * n + k] * B[k * n + c];\n"
RIGHT = GUARD + SUM + "    C[r * n + c] = s;"


def case(draw: Draw, n: int) -> Case:
    a, b = (draw.real(0, 1, (n, n)) for _ in range(2))
    tiles = -(-n // 16)
    return Case((tiles, tiles), (16, 16), [a, b, Output((n, n), np.float32), n], [a @ b], terms=n)


def sums(draw: Draw, n: int) -> Case:
    """Column sums of A are added to the first row of C."""
    a, c = (draw.real(0, 1, (n, n)) for _ in range(2))
    want = c.copy()
    want[0] += a.sum(0)
    return Case((2, 2), (16, 16), [a, a, InOut(c), n], [want], terms=n)


def reported(check: str, body: str, cases: Callable[..., Case] = case, n: int = 20) -> str:
    """The report of a check on the kernel with this body, its lines joined; "" if it passes."""
    session = Session(find_gpu=lambda: None, find_timer=lambda: None)
    session.exercise("product", cases, [{"n": n}])
    session.answer("product", KERNEL.replace("BODY", body))
    try:
        getattr(checker(session, "product"), check)()
    except CheckFailed as failed:
        return " ".join(str(failed).split())
    return ""


@pytest.mark.parametrize("check", ["matches_numpy", "has_no_races", "stays_in_bounds"])
def test_a_right_kernel_passes(check: str) -> None:
    assert reported(check, RIGHT) == ""


class TestTwoWrites:
    def test_a_wrong_index(self) -> None:
        text = reported("has_no_races", RIGHT.replace("C[r", "C[threadIdx.y"))
        assert "Two blocks use C[0] (row 0, column 0), and nothing orders" in text
        assert "let only one thread write an element" in text
        assert "atomic" not in text

    def test_a_change_by_several_threads(self) -> None:
        text = reported("has_no_races", GUARD + "    C[c] += A[r * n + c];", sums)
        assert "one step that no other thread can come between: an atomic operation" in text


class TestBlocksThatChangeOneElement:
    ADDS = "    if (r < n && c < n) C[c] += A[r * n + c];"

    def test_need_an_atomic_operation(self) -> None:
        text = reported("has_no_races", self.ADDS, sums)
        assert "each change (read, compute, write) must be one step" in text and "an atomic operation" in text

    def test_and_who_reads_what_another_block_writes_needs_an_order(self) -> None:
        text = reported("has_no_races", "    if (r == 0 && c < n - 1) C[c] = C[c + 1] + A[c];", sums)
        assert "Two blocks use C[" in text
        assert "Blocks run at the same time and in any order" in text and "must be one step" not in text


def test_a_wide_access_that_begins_within_the_array() -> None:
    text = reported("stays_in_bounds", "    if (r + c == 0) ((float4*)C)[0] = ((const float4*)A)[n * n / 4];")
    assert "reads A[400], but A has 400 elements" in text
    text = reported("stays_in_bounds", "    if (r + c == 0) ((float2*)C)[0] = ((const float2*)A)[n * n / 2];", n=5)
    assert "reads several elements at once, from A[24] on, but A has 25 elements" in text


class TestAnOutputThatIsReadFirst:
    def test_by_a_sum(self) -> None:
        text = reported("matches_numpy", RIGHT.replace("] = s", "] += s"))
        assert "C[0][0] (C[0] in the kernel) is nan" in text
        assert "Line 9 reads C before anything was written to it." in text
        assert "what adds to it must set it first" in text
        assert "still holds" not in text

    def test_an_element_that_nobody_wrote_is_still_told_as_that(self) -> None:
        text = reported("matches_numpy", RIGHT.replace("c >= n", "c >= n - 1"))
        assert "C[0][19] (C[19] in the kernel) still holds what it held before the launch" in text

    @pytest.mark.parametrize(("type_", "dtype"), [("float", np.float32), ("double", np.float64)])
    def test_arithmetic_does_not_keep_the_poison(self, type_: str, dtype: type[np.floating]) -> None:
        text = f"__global__ void product({type_}* C, int n) {{ if (threadIdx.x < 3) C[threadIdx.x] += 1; }}\n"
        session = Session(find_gpu=lambda: None, find_timer=lambda: None)
        session.exercise("product", lambda draw, n: Case(1, 32, [Output(n, dtype), n], [np.ones(n, dtype)]), [{"n": 4}])
        session.answer("product", text)
        with pytest.raises(CheckFailed) as failed:
            checker(session, "product").matches_numpy()
        assert "C[0] is nan" in str(failed.value)
        assert "1 of them was never written." in str(failed.value)


class TestOutOfBounds:
    def test_one_round_too_many_is_told_as_that(self) -> None:
        assert "Hint Look at the first and the last round of each loop" in reported(
            "stays_in_bounds", RIGHT.replace("k < n", "k <= n")
        )

    def test_a_missing_guard_is_told_as_that(self) -> None:
        assert "Hint A grid nearly always has more threads" in reported("stays_in_bounds", RIGHT.removeprefix(GUARD))


class TestValuesThatWereNeverSet:
    FORGOTTEN = RIGHT.replace("s = 0", "s")

    def test_the_cell_warns_of_it_and_the_wrong_result_too(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown: list[Report] = []
        session = Session(find_gpu=lambda: None, find_timer=lambda: None, show=shown.append)
        magic.take_kernel(session, "product", KERNEL.replace("BODY", self.FORGOTTEN))
        (warned,) = map(str, shown)
        assert warned.startswith("product compiles. The compiler warns:\n\n    line 8 ")
        assert "variable 's' is uninitialized when used here" in warned
        assert capsys.readouterr() == ("", "")
        text = reported("matches_numpy", self.FORGOTTEN)
        assert "is nan" in text
        assert "The compiler warns on line 8: variable 's' is uninitialized when used here." in text
        assert (
            "The launch makes another mistake, which may be the reason: Thread (0, 0) of block (0, 0) reads s" in text
        )

    def test_a_slip_is_warned_of_without_a_word_on_values(self) -> None:
        shown: list[Report] = []
        session = Session(find_gpu=lambda: None, find_timer=lambda: None, show=shown.append)
        magic.take_kernel(session, "product", KERNEL.replace("BODY", RIGHT.replace(") return;", "); return;")))
        (warned,) = map(str, shown)
        assert "the if ends at this ;" in warned and "first value" not in warned and "Hint" not in warned
        text = reported("matches_numpy", RIGHT.replace(") return;", "); return;"))
        assert "The compiler warns on line 5: the if ends at this ; and what follows is not part of it." in text

    def test_nothing_is_said_of_a_right_kernel(self) -> None:
        assert toolchain.find_warnings(KERNEL.replace("BODY", RIGHT)) == ()

    def test_other_warnings_are_not_shown(self) -> None:
        assert toolchain.find_warnings(KERNEL.replace("BODY", "    int unused; unsigned u = -1;\n" + RIGHT)) == ()

    def test_a_way_on_which_it_is_not_set(self) -> None:
        text = "__global__ void f(float* x, int n)\n{\n    float s;\n    if (n) s = 1;\n    x[0] = s;\n}\n"
        ((line, _, message),) = in_words(toolchain.find_warnings(text))
        assert line == 4
        assert "used uninitialized whenever" in message


def test_banks_of_a_kernel_without_shared_memory_cannot_be_judged() -> None:
    text = reported("has_no_bank_conflicts", RIGHT)
    assert text.startswith("product has no bank conflicts: BLOCKED")
    assert "no thread of this launch uses shared memory" in text
    tile = "    __shared__ float tile[16][16];\n    tile[threadIdx.y][threadIdx.x] = 0;\n"
    assert reported("has_no_bank_conflicts", tile + RIGHT) == ""
