"""Which answers are shown as nearly the same, and the numbers of a class."""

from __future__ import annotations

import time

import pytest

from autograder.classroom.results import similarity as likeness
from autograder.classroom.results.class_data import ranked_findings, scores_by_exercise
from autograder.classroom.results.class_report import cell_of
from autograder.classroom.results.outcomes import GradedAnswer, GradedCheck, GradedExercise
from autograder.classroom.results.similarity import alike_answers
from autograder.classroom.submission.notes import DOUBTFUL, Note, NoteKind
from autograder.cuda.report import Report
from autograder.exercises.findings import BankConflicts
from autograder.exercises.result import Outcome

FIRST = """__global__ void sum(const float* in, float* out, int n)
{
    int tid = threadIdx.x;
    float total = 0.0f;
    for (int i = tid; i < n; i += blockDim.x)
        total += in[i];   // mine
    atomicAdd(out, total);
}
"""
RENAMED = FIRST.replace("total", "s").replace("tid", "me").replace("// mine", "/* all my own work */")
OTHER = """__global__ void sum(const float* in, float* out, int n)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) { if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half]; }
    if (threadIdx.x == 0) *out = tile[0];
}
"""


def exercise(student: str, text: str, score: float = 0.0) -> GradedExercise:
    answer = GradedAnswer("answer", "%%cuda sum", text)
    return GradedExercise(student, "sum", "A sum", (answer,), (), (), {}, 1.0, score, 4.0)


def test_renamed_and_commented_anew_is_alike() -> None:
    stub = "__global__ void sum()\n{\n    // YOUR CODE HERE\n}" + " " * 200
    graded = [exercise(*pair) for pair in (("a", FIRST), ("b", OTHER), ("c", RENAMED), ("d", stub), ("e", stub))]
    (alike,) = alike_answers(graded, {})
    assert alike.students == ("a", "c") and alike.similarity == 1 and alike.texts == (FIRST, RENAMED)


def test_moved_lines_are_alike_and_another_way_is_not() -> None:
    lines = FIRST.split("\n")
    moved = "\n".join([*lines[:2], lines[3], lines[2], *lines[4:]])
    (alike,) = alike_answers([exercise("a", FIRST), exercise("b", OTHER), exercise("c", moved)], {})
    assert alike.students == ("a", "c")


def test_what_the_stub_gives_and_what_most_have_is_no_likeness() -> None:
    stub = FIRST.replace("atomicAdd(out, total);", "// YOUR CODE HERE")
    given = {("sum", "%%cuda sum"): (stub, "")}
    assert alike_answers([exercise(*pair) for pair in (("a", FIRST), ("b", RENAMED))], given) == ()
    everybody = [exercise(f"s{number}", FIRST) for number in range(45)]
    pair = [exercise("t1", OTHER), exercise("t2", OTHER.replace("half", "stride"))]
    (alike,) = alike_answers([*everybody, *pair], {})
    assert alike.students == ("t1", "t2")


def test_short_answers_are_alike_by_nature() -> None:
    assert alike_answers([exercise("a", "int x;"), exercise("b", "int x;")], {}) == ()


def test_only_answers_of_nearly_the_same_length_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    class Counting(frozenset[int]):
        def __and__(self, other: object) -> frozenset[int]:
            compared.append(other)
            return super().__and__(other)  # type: ignore[operator]

    monkeypatch.setattr(likeness, "frozenset", Counting, raising=False)
    loops = [f"    for (int i{n} = 0; i{n} < {n}; i{n} += {n})\n        out[i{n}] = in[{n}];\n" for n in range(64)]
    answers = {f"s{n}": "".join(loops[:n]) for n in (4, 8, 16, 32, 64)}
    graded = [exercise(*pair) for pair in answers.items()]
    assert alike_answers(graded, {}) == () and compared == []
    (alike,) = alike_answers([*graded, exercise("twin", answers["s16"])], {})
    assert alike.students == ("s16", "twin") and len(compared) == 1


@pytest.mark.parametrize("text", ["int" + " " * 60_000, "int " + "* " * 30_000, "int a" + " " * 60_000, "/*" * 30_000])
def test_no_answer_takes_long_to_compare(text: str) -> None:
    before = time.process_time()
    assert alike_answers([exercise("a", f"{FIRST}{text}"), exercise("b", OTHER)], {}) == ()
    assert time.process_time() - before < 5  # it was 50 seconds where each two blanks could be parted in two


def test_scores_are_of_those_who_wrote_something() -> None:
    graded = [exercise("a", FIRST, 4), exercise("b", OTHER, 1), exercise("c", "// YOUR CODE HERE", 0)]
    (scores,) = scores_by_exercise(graded)
    assert (scores.written, scores.of, scores.mean, scores.median, scores.full) == (2, 3, 2.5, 2.5, 1)


def test_what_went_wrong_is_called_as_people_call_it() -> None:
    report = Report("sum has no bank conflicts: FAILED", kinds=(BankConflicts.kind,))
    failed = (
        GradedCheck("one", "sum has no bank conflicts", Outcome.FAILED, False, report),
        GradedCheck("two", "sum adds up", Outcome.FAILED, False, None),
    )
    ranked = ranked_findings([GradedExercise("a", "sum", "A sum", (), failed, (), {}, 1.0)])
    assert [found.finding for found in ranked] == ["failed", "bank conflicts"]


def test_a_cell_that_many_left_as_the_stub_is_a_mistake_of_the_class() -> None:
    """Though no check can judge it, and none has failed."""

    def left(student: str, values: str) -> GradedExercise:
        answers = (GradedAnswer("a", "%%cuda dot", FIRST), GradedAnswer("b", "%%values dot", values))
        return GradedExercise(student, "dot", "Dot", answers, (), (), {}, 1.0)

    stub = "# YOUR CODE HERE"
    some = [left(f"s{n}", stub) for n in range(10)] + [left(f"t{n}", "blocks = 8") for n in range(20)]
    (found,) = ranked_findings(some)
    assert (found.check, found.finding, found.count, found.of) == (
        "%%values dot is written",
        "left as the stub",
        10,
        30,
    )
    assert found.is_of_the_class and not ranked_findings(some[1:])[0].is_of_the_class
    assert not ranked_findings(some[:2])[0].is_of_the_class  # of so few, nothing is known
    nothing = GradedExercise("n", "dot", "Dot", (GradedAnswer("b", "%%values dot", stub),), (), (), {}, 1.0)
    assert not ranked_findings([nothing] * 9)  # who wrote nothing at all has another sign


@pytest.mark.parametrize("kind", sorted(DOUBTFUL))
def test_points_that_are_missing_where_answers_are_in_doubt_are_not_final(kind: NoteKind) -> None:
    notes = (Note(kind, "Two cells differ."),)
    for score, sign in ((2.0, "2?*"), (4.0, "4*")):
        assert cell_of(GradedExercise("a", "one", score=score, max_score=4.0, notes=notes)).text == sign
        exercise = GradedExercise("a", "one", "One", (), (), notes, {}, 1.0, score, 4.0)
        assert exercise.final is (score == 4.0)
