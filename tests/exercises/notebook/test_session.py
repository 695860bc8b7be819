"""A notebook's state: what comes first, what replaces what, and what must run again."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from kernel_checker import checker

from autograder.cuda.backends import gpu
from autograder.cuda.compiler import zig
from autograder.cuda.core.findings import Finding
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Counts, Run
from autograder.cuda.errors import CellError, GraderFault, UsageError
from autograder.cuda.report import Report
from autograder.cuda.source.generation import runs_on
from autograder.exercises.declarations.declaration import Case, Output
from autograder.exercises.declarations.domain import whole
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.notebook.magic import take_kernel
from autograder.exercises.notebook.session import Session
from autograder.exercises.result import CheckFailed, CheckResult, Outcome

GOOD = "__global__ void ones(int* out) { out[threadIdx.x] = 1; }"
BAD = GOOD.replace("= 1", "= 2")


def case(draw: Draw, n: int) -> Case:
    return Case(1, n, [Output(n, np.int32)], [np.ones(n, np.int32)])


class Backend:
    """Does what the text says, and remembers its launches."""

    def __init__(self) -> None:
        self.launched: list[int] = []
        self.wrong_at: int | None = None

    def __call__(self, launch: Launch) -> Run:
        self.launched.append(launch.block[0])
        value = 1 if "= 1" in launch.source and launch.block[0] != self.wrong_at else 2
        return Run((np.full(launch.args[0].shape, value, np.int32),), counts=Counts())


@pytest.fixture
def backend() -> Backend:
    return Backend()


@pytest.fixture
def session(backend: Backend) -> Session:
    return Session(backend, lambda: None, lambda *_: [])


def test_what_must_run_first_is_said_in_one_sentence(session: Session) -> None:
    with pytest.raises(CellError, match=r'Run the cell that holds exercise\("ones", \.\.\.\) first\.$'):
        session.check("ones")
    session.exercise("ones", case, [{"n": 4}], values=("grid",))
    with pytest.raises(CellError, match=r'first \(this notebook has "ones"\)'):
        session.check("once")
    with pytest.raises(CellError, match="Run the cell that begins %%cuda ones first"):
        session.check("ones")
    session.answer("ones", GOOD)
    with pytest.raises(CellError, match="Run the cell that begins %%values ones first") as caught:
        session.check("ones")
    assert isinstance(caught.value, UsageError)
    assert caught.value._render_traceback_() == [str(caught.value)]


def test_a_newer_answer_replaces_an_older_one(session: Session) -> None:
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", BAD)
    with pytest.raises(CheckFailed):
        checker(session, "ones").matches_numpy()
    session.answer("ones", GOOD)
    checker(session, "ones").matches_numpy()
    session.answer("ones", BAD)
    with pytest.raises(CheckFailed):
        checker(session, "ones").matches_numpy()


def test_runs_are_kept_until_something_they_follow_from_changes(session: Session, backend: Backend) -> None:
    session.exercise("ones", case, [{"n": 4}, {"n": 5}])
    session.answer("ones", GOOD)
    for _ in range(2):
        checker(session, "ones").matches_numpy()
        checker(session, "ones").has_no_races()
    assert backend.launched == [4, 5]
    session.answer("other", BAD)
    checker(session, "ones").matches_numpy()
    assert backend.launched == [4, 5]
    for change in (
        lambda: session.answer("ones", GOOD),
        lambda: session.exercise("ones", case, [{"n": 4}, {"n": 5}]),
        lambda: session.answer_values("ones", "grid = 1"),
    ):
        backend.launched.clear()
        change()
        checker(session, "ones").matches_numpy()
        assert backend.launched == [4, 5]


def test_the_gpu_is_used_where_there_is_one(backend: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    def gpu(launch: Launch) -> Run:
        run = backend(launch)
        return Run(run.outputs, backend="NVIDIA T4")

    session = Session(backend, lambda: gpu, lambda *_: [])
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    checker(session, "ones").matches_numpy()
    assert capsys.readouterr().out == "ones matches numpy: passed in 1 case, on the NVIDIA T4.\n"


@pytest.mark.parametrize(("arch", "backend_named"), [("sm_80", "emulator"), ("sm_90", "NVIDIA T4")])
def test_where_the_gpu_is_too_old_for_an_answer_the_emulator_runs_it(
    arch: str, backend_named: str, backend: Backend, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu, "is_too_old_for", lambda source: not runs_on(source, arch))
    session = Session(backend, lambda: lambda launch: replace(backend(launch), backend="NVIDIA T4"), lambda *_: [])
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD.replace("__global__ void", "__global__ void __cluster_dims__(1)"))
    checker(session, "ones").matches_numpy()
    assert capsys.readouterr().out == f"ones matches numpy: passed in 1 case, on the {backend_named}.\n"


def test_without_a_compiler_nobody_looks_for_a_writer(monkeypatch: pytest.MonkeyPatch, backend: Backend) -> None:
    def gpu(launch: Launch) -> Run:
        return replace(backend(launch), backend="NVIDIA T4")

    monkeypatch.setattr(zig, "problem", lambda: "there is none")
    session = Session(backend, lambda: gpu)
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", BAD)
    with pytest.raises(CheckFailed, match="numpy says 1") as caught:
        checker(session, "ones").matches_numpy()
    assert "wrote it last" not in str(caught.value)


class TestHiddenCases:
    @pytest.fixture(autouse=True)
    def declared(self, session: Session) -> None:
        session.exercise(
            "ones", case, [{"n": 4}], domain={"n": whole(4, 400)}, narrow={"has_no_races": {"n": whole(500, 900)}}
        )
        session.answer("ones", GOOD)

    def test_they_are_tried_behind_the_visible_ones(
        self, session: Session, backend: Backend, capsys: pytest.CaptureFixture[str]
    ) -> None:
        checker(session, "ones").matches_numpy()
        shown = list(backend.launched)
        assert shown[0] == 4 and {*shown} < {*range(4, 401)}
        session.hidden_cases("ones", seed=1)
        checker(session, "ones").matches_numpy()
        hidden = backend.launched[len(shown) :]
        assert hidden and {*hidden} < {*range(4, 401)}
        assert capsys.readouterr().out.splitlines()[-2:] == [
            f"ones matches numpy: passed in {len(shown)} cases, on the emulator.",
            f"ones matches numpy: passed in {len(hidden)} cases, on the emulator.",
        ]

    def test_a_check_may_have_a_part_of_the_domain(self, session: Session, backend: Backend) -> None:
        session.hidden_cases("ones", seed=1)
        checker(session, "ones").has_no_races()
        assert {*backend.launched} - {4} <= {*range(500, 901)}

    @pytest.mark.parametrize("hidden", [False, True])
    def test_a_result_says_whether_its_case_is_hidden(self, session: Session, backend: Backend, hidden: bool) -> None:
        session.hidden_cases("ones", seed=1)
        requested = session.exercise_named("ones")
        assert requested is not None
        shown = {size["n"] for size in requested.sizes}
        others = [size["n"] for size in requested.hidden.others if size["n"] not in shown]
        backend.wrong_at = others[0] if hidden else 4
        results: list[CheckResult] = []
        session.on_result = lambda result, message: results.append(result)
        with pytest.raises(CheckFailed):
            checker(session, "ones").matches_numpy()
        assert (results[-1].hidden, results[-1].outcome) == (hidden, Outcome.FAILED)
        assert [result.outcome for result in results[:-1]] == [Outcome.PASSED] * hidden

    def test_what_is_declared_again_has_none(self, session: Session, backend: Backend) -> None:
        session.hidden_cases("ones", seed=1)
        session.exercise("ones", case, [{"n": 4}])
        checker(session, "ones").matches_numpy()
        assert backend.launched == [4]

    @pytest.mark.parametrize(("name", "seed", "says"), [("twos", 1, "declare exercise"), ("ones", 0, "1 or more")])
    def test_a_wrong_declaration_is_ours(self, session: Session, name: str, seed: int, says: str) -> None:
        with pytest.raises(GraderFault, match=says):
            session.hidden_cases(name, seed)

    @pytest.mark.parametrize(
        ("narrow", "says"), [({"has_no_rases": {}}, "there is no check has_no_rases"), ({"_try": {}}, "no check _try")]
    )
    def test_a_part_of_no_check_is_ours(self, session: Session, narrow: Any, says: str) -> None:
        with pytest.raises(GraderFault, match=says):
            session.exercise("ones", case, [{"n": 4}], domain={"n": whole(4, 400)}, narrow=narrow)


def test_a_stub_is_not_compiled(backend: Backend) -> None:
    requested: list[str] = []

    def find_errors(source: str, kernel: str) -> list[Finding]:
        requested.append(source)
        return []

    session = Session(backend, lambda: None, find_errors)
    session.answer("ones", "// YOUR CODE HERE")
    assert requested == []
    session.answer("ones", GOOD)
    assert requested == ["\n" + GOOD]


def test_what_is_refused_of_a_text_is_the_texts_fault(backend: Backend) -> None:
    def fails(source: str, kernel: str) -> list[Finding]:
        raise UsageError("This kernel has no name.")

    session = Session(backend, lambda: None, fails)
    session.exercise("ones", case, [{"n": 4}])
    shown: list[Report] = []
    session.show = shown.append
    take_kernel(session, "ones", GOOD)
    assert "no name" in str(shown[0])
    with pytest.raises(CheckFailed, match="does not compile yet") as caught:
        checker(session, "ones").matches_numpy()
    assert caught.value.blocked and not backend.launched


@pytest.mark.parametrize(
    "error", [GraderFault("The compiler failed."), OSError("No space left on device"), KeyError("x")]
)
def test_what_the_grader_fails_at_is_not(error: Exception, backend: Backend) -> None:
    def fails(source: str, kernel: str) -> list[Finding]:
        raise error

    with pytest.raises(type(error)):
        Session(backend, lambda: None, fails).answer("ones", GOOD)
