"""Predictions: what passes, what fails with which words, and what can be judged at all?"""

from collections.abc import Mapping, Sequence
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode

from autograder.cuda.errors import CellError, GraderFault
from autograder.cuda.performance.roofline import Machine
from autograder.cuda.report.chapters import reference
from autograder.exercises.answers.answer import ValuesAnswer
from autograder.exercises.checks.prediction import Prediction, PredictionChecker
from autograder.exercises.declarations.values import ceil_div
from autograder.exercises.notebook.magic import take_values
from autograder.exercises.notebook.run_notebook import run
from autograder.exercises.notebook.session import Session, emulate
from autograder.exercises.result import CheckFailed, Outcome

SOURCE = """
__global__ void twice(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0f * in[i];
}
"""
RIGHT = "operations = n\nbytes = 8 * n\nintensity = 1 / 8\nlimit = memory\n"
Sizes = Sequence[Mapping[str, int]]
GPU = Machine("GPU", memory=1e9, shared=1e12, arithmetic=1e12)


def launch(n: int) -> dict[str, Any]:
    return {"grid": ceil_div(n, 32), "block": 32, "args": [np.ones(n, np.float32), np.zeros(n, np.float32), n]}


def declared(
    name: str = "twice", source: str = SOURCE, sizes: Sizes = ({"n": 40}, {"n": 3}), machine: Machine = GPU
) -> Prediction:
    measured = ({"n": 1000}, 0.01)
    return Prediction(name, source, launch, list(sizes), machine, measured, grows=lambda n: n)


def predict(word: str, text: str = RIGHT, requested: Prediction | None = None) -> None:
    PredictionChecker(requested or declared(), ValuesAnswer("\n" + text), emulate).predicts(word)


def failure(word: str, text: str, requested: Prediction | None = None) -> CheckFailed:
    with pytest.raises(CheckFailed) as caught:
        predict(word, text, requested)
    return caught.value


@pytest.mark.parametrize(
    ("word", "by", "passes"), [("bytes", 1, False), ("operations", 1e-9, True), ("intensity", 1e-4, True)]
)
def test_what_is_counted_is_exact_and_an_intensity_may_be_rounded(word: str, by: float, passes: bool) -> None:
    text = RIGHT.replace(f"{word} = ", f"{word} = {by} + ")
    large = declared(sizes=({"n": 100_000},))
    if passes:
        predict(word, text, large)
    else:
        assert "100000" in str(failure(word, text, large))


@pytest.mark.parametrize("word", ["operations", "bytes", "intensity"])
def test_what_is_right_is_one_line(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    predict(word)
    assert capsys.readouterr() == (f"twice predicts {word}: passed in 2 cases, on the emulator.\n", "")


def test_a_right_limit_comes_with_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    predict("limit")
    assert capsys.readouterr().out == (
        "twice predicts limit: passed in 2 cases, on the emulator. On the GPU, n=1000 took 10 us; "
        "global memory alone takes about 8 us for that.\n"
    )


@pytest.mark.parametrize(
    ("word", "given", "says"),
    [
        ("operations", "2 * n", "You say 80. The emulator counts 0.5 times that."),
        ("bytes", "12 * n", "You say 480. The emulator counts 0.667 times that."),
        ("intensity", "8", "You say 8. The emulator counts 0.0156 times that."),
        ("operations", "0", "You say 0. The emulator counts some."),
        ("operations", "n, n", "operations is one number here, and not (40, 40)."),
        (
            "limit",
            "arithmetic",
            "You say that arithmetic is the limit. On the GPU, n=1000 took 10 us; arithmetic alone",
        ),
        ("limit", "7", "7 is none of the limits: write memory, shared or arithmetic."),
    ],
)
def test_what_is_wrong_says_how_far_off_it_is_and_not_what_is_right(word: str, given: str, says: str) -> None:
    lines = {line.split(" =")[0]: line for line in RIGHT.splitlines()} | {word: f"{word} = {given}"}
    error = failure(word, "\n".join(lines.values()))
    assert not error.blocked
    text = " ".join(str(error).split())
    assert text.startswith(f"twice predicts {word}: FAILED case n=40, on the emulator") and says in text
    assert reference("measuring") in text


def test_one_size_is_not_enough() -> None:
    text = RIGHT.replace("8 * n", "320")
    predict("bytes", text, declared(sizes=[{"n": 40}]))
    assert "case n=3," in str(failure("bytes", text))


def test_of_none_nothing_but_none_is_right() -> None:
    copy = declared(source=SOURCE.replace("2.0f * ", ""))
    predict("operations", RIGHT.replace("= n", "= 0"), copy)
    assert "The emulator counts none." in str(failure("operations", RIGHT, requested=copy))


@pytest.mark.parametrize("text", ["", "// YOUR CODE HERE"])
def test_a_stub_is_not_written_yet(text: str) -> None:
    error = failure("bytes", text)
    assert error.blocked and "not written yet" in str(error)


@pytest.mark.parametrize(("text", "says"), [("limit = 1", "bytes is missing"), ("x", "no =")])
def test_lines_that_cannot_be_used_block(text: str, says: str) -> None:
    error = failure("bytes", text)
    assert error.blocked and says in " ".join(str(error).split())


def test_a_wrong_line_blocks_its_own_check_only() -> None:
    text = "operations = k\nbytes = 8 * n\nintensity = n / bytes\nlimit = memory\n"
    for word in ("bytes", "intensity", "limit"):
        predict(word, text)
    assert failure("operations", text).blocked


WAITS = """
#include <cuda/barrier>
__global__ void meet(int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        auto token = bar.arrive();
        if (threadIdx.x % 2)
            bar.wait(static_cast<decltype(token)&&>(token));
        __syncwarp();
    }
}
"""


def test_waits_at_barriers_are_predicted_without_a_machine() -> None:
    meet = Prediction("meet", WAITS, lambda n: {"grid": 3, "block": 8, "args": [n]}, [{"n": 1}, {"n": 5}])
    predict("waits", "waits = 3 * (8 + 4 * n)", meet)
    error = " ".join(str(failure("waits", "waits = 3 * (8 + 8 * n)", meet)).split())
    assert "FAILED case n=1," in error and "You say 48. The emulator counts 0.75 times that." in error
    with pytest.raises(GraderFault, match="a prediction has waits"):
        predict("bytes", requested=meet)


def test_what_is_wrong_with_the_declaration_is_our_fault() -> None:
    with pytest.raises(GraderFault, match="a prediction has operations, bytes, intensity, limit"):
        predict("speed")
    with pytest.raises(GraderFault, match="cannot be launched"):
        predict("bytes", requested=declared(name="thrice"))
    with pytest.raises(GraderFault, match="must be a list of dicts"):
        declared(sizes=())


def predicting(checker: object) -> PredictionChecker:
    assert isinstance(checker, PredictionChecker)
    return checker


def test_a_session_keeps_a_prediction_as_it_keeps_exercises() -> None:
    session = Session()
    session.prediction("twice", SOURCE, launch, [{"n": 40}], GPU, ({"n": 1000}, 0.01), lambda n: n)
    with pytest.raises(CellError, match="Run the cell that begins %%values twice first"):
        session.check("twice")
    session.answer_values("twice", RIGHT)
    predicting(session.check("twice")).predicts("bytes")
    session.answer_values("twice", RIGHT.replace("8 * n", "4 * n"))
    with pytest.raises(CheckFailed):
        predicting(session.check("twice")).predicts("bytes")


def test_a_values_cell_says_what_its_lines_come_to(capsys: pytest.CaptureFixture[str]) -> None:
    session = Session()
    session.prediction("twice", SOURCE, launch, [{"n": 40}], GPU, ({"n": 1000}, 0.01), lambda n: n)
    take_values(session, "twice", RIGHT)
    assert capsys.readouterr().out == ("twice: operations = 40, bytes = 320, intensity = 0.125, limit = 1 for n=40.\n")


CONTRACT = f"""
import numpy as np
from autograder import Machine, check, prediction

def launch(n):
    return dict(grid=2, block=32, args=[np.ones(n, np.float32), np.zeros(n, np.float32), n])

prediction("twice", {SOURCE!r}, launch, sizes=[dict(n=40)], machine=Machine("GPU", 1e9, 1e12, 1e12),
           measured=(dict(n=1000), 0.01), grows=lambda n: n)
"""


def test_in_a_notebook_each_word_is_a_check_of_its_own() -> None:
    def cell(source: str, **nbgrader: int) -> NotebookNode:
        metadata = {"nbgrader": {"grade_id": source[:9], **nbgrader}}
        new: NotebookNode = nbformat.v4.new_code_cell(source, metadata=metadata)
        return new

    tests = [cell(f'check("twice").predicts("{word}")', grade=True, points=1) for word in declared().values]
    cells = [cell("%load_ext autograder"), cell(CONTRACT), cell(f"%%values twice\n{RIGHT}", solution=True), *tests]
    notebook = nbformat.v4.new_notebook(cells=cells)
    assert {r.check: r.outcome for r in run(notebook, {"%%values twice": RIGHT.replace("8 * n", "n")})} == {
        "predicts_operations": Outcome.PASSED,
        "predicts_bytes": Outcome.FAILED,
        "predicts_intensity": Outcome.PASSED,
        "predicts_limit": Outcome.PASSED,
    }
