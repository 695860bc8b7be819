"""A notebook's state: what comes first, what replaces what, and what must run again."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from narrowing import checker

from autograder.compiler import zig
from autograder.core.findings import Finding
from autograder.core.launch import Launch
from autograder.core.run import Counts, Run
from autograder.errors import CellError, GraderFault, UsageError
from autograder.exercise.declaration import Case, Output
from autograder.exercise.result import CheckFailed, CheckResult, Outcome
from autograder.notebook.session import Session

GOOD = "__global__ void ones(int* out) { out[threadIdx.x] = 1; }"
BAD = GOOD.replace("= 1", "= 2")


def case(rng: np.random.Generator, n: int) -> Case:
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
    return Session(backend, lambda: None, lambda source: [])


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
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    for _ in range(2):
        checker(session, "ones").matches_numpy()
        checker(session, "ones").has_no_races()
        checker(session, "ones", [{"n": 4}, {"n": 5}]).has_no_races()
    assert backend.launched == [4, 5]
    session.answer("other", BAD)
    checker(session, "ones").matches_numpy()
    assert backend.launched == [4, 5]
    for change in (
        lambda: session.answer("ones", GOOD),
        lambda: session.exercise("ones", case, [{"n": 4}]),
        lambda: session.answer_values("ones", "grid = 1"),
    ):
        backend.launched.clear()
        change()
        checker(session, "ones").matches_numpy()
        assert backend.launched == [4]


def test_the_gpu_is_used_where_there_is_one(backend: Backend, capsys: pytest.CaptureFixture[str]) -> None:
    def gpu(launch: Launch) -> Run:
        run = backend(launch)
        return Run(run.outputs, backend="NVIDIA T4")

    session = Session(backend, lambda: gpu, lambda source: [])
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    checker(session, "ones").matches_numpy()
    assert capsys.readouterr().out == "ones matches numpy: 1 case, on the NVIDIA T4.\n"


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


def test_given_sizes_must_be_a_list_of_sizes(session: Session) -> None:
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    with pytest.raises(GraderFault, match="list of dicts"):
        session.check("ones", sizes=[])


class TestHiddenSizes:
    @pytest.fixture(autouse=True)
    def declared(self, session: Session) -> None:
        session.exercise("ones", case, [{"n": 4}])
        session.answer("ones", GOOD)

    def test_they_are_tried_behind_the_visible_ones(
        self, session: Session, backend: Backend, capsys: pytest.CaptureFixture[str]
    ) -> None:
        session.hidden_sizes("ones", [{"n": 6}, {"n": 7}])
        checker(session, "ones").matches_numpy()
        assert backend.launched == [4, 6, 7]
        assert capsys.readouterr().out.splitlines() == [
            "ones matches numpy: 1 case, on the emulator.",
            "ones matches numpy: 2 cases, on the emulator.",
        ]

    def test_a_check_may_have_its_own_or_none(self, session: Session, backend: Backend) -> None:
        session.hidden_sizes("ones", [{"n": 6}], has_no_races=[{"n": 8}], stays_in_bounds=[])
        checker(session, "ones").has_no_races()
        assert backend.launched == [4, 8]
        checker(session, "ones").stays_in_bounds()
        assert backend.launched == [4, 8]
        checker(session, "ones").matches_numpy()
        assert backend.launched == [4, 8, 6]

    @pytest.mark.parametrize(("wrong_at", "hidden"), [(4, False), (6, True)])
    def test_a_result_says_whether_its_case_is_hidden(
        self, session: Session, backend: Backend, wrong_at: int, hidden: bool
    ) -> None:
        backend.wrong_at = wrong_at
        session.hidden_sizes("ones", [{"n": 6}])
        results: list[CheckResult] = []
        session.tell = lambda result, said: results.append(result)
        with pytest.raises(CheckFailed):
            checker(session, "ones").matches_numpy()
        assert (results[-1].hidden, results[-1].outcome) == (hidden, Outcome.FAILED)
        assert [result.outcome for result in results[:-1]] == [Outcome.PASSED] * hidden

    def test_what_is_declared_again_has_none(self, session: Session, backend: Backend) -> None:
        session.hidden_sizes("ones", [{"n": 6}])
        session.exercise("ones", case, [{"n": 4}])
        checker(session, "ones").matches_numpy()
        assert backend.launched == [4]

    @pytest.mark.parametrize(
        ("name", "checks", "says"),
        [
            ("twos", {}, "declare exercise"),
            ("ones", {"has_no_rases": [{"n": 1}]}, "there is no check has_no_rases"),
            ("ones", {"_try": [{"n": 1}]}, "there is no check _try"),
            ("ones", {"has_no_races": {"n": 1}}, "list of dicts"),
        ],
    )
    def test_a_wrong_declaration_is_ours(self, session: Session, name: str, checks: Any, says: str) -> None:
        with pytest.raises(GraderFault, match=says):
            session.hidden_sizes(name, [{"n": 6}], **checks)


def test_a_stub_is_not_compiled(backend: Backend) -> None:
    asked: list[str] = []

    def find_errors(source: str) -> list[Finding]:
        asked.append(source)
        return []

    session = Session(backend, lambda: None, find_errors)
    session.answer("ones", "// YOUR CODE HERE")
    assert asked == []
    session.answer("ones", GOOD)
    assert asked == ["\n" + GOOD]
