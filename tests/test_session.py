"""A notebook's state: what comes first, what replaces what, and what must run again."""

import numpy as np
import pytest

from autograder.core.run import Counts, Run
from autograder.errors import CellError, GraderFault, UsageError
from autograder.exercise.declaration import Case, Output
from autograder.exercise.result import CheckFailed
from autograder.notebook.session import Session

GOOD = "__global__ void ones(int* out) { out[threadIdx.x] = 1; }"
BAD = GOOD.replace("= 1", "= 2")


def case(rng, n):
    return Case(1, n, [Output(n, np.int32)], [np.ones(n, np.int32)])


class Backend:
    """Does what the text says, and remembers what it was asked."""

    def __init__(self):
        self.launched = []

    def __call__(self, launch):
        self.launched.append(launch.block[0])
        value = 1 if "= 1" in launch.source else 2
        return Run((np.full(launch.args[0].shape, value, np.int32),), counts=Counts())


@pytest.fixture
def backend():
    return Backend()


@pytest.fixture
def session(backend):
    return Session(backend, lambda: None, lambda source: [])


def test_what_must_run_first_is_said_in_one_sentence(session):
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


def test_a_newer_answer_replaces_an_older_one(session):
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", BAD)
    with pytest.raises(CheckFailed):
        session.check("ones").matches_numpy()
    session.answer("ones", GOOD)
    session.check("ones").matches_numpy()
    session.answer("ones", BAD)
    with pytest.raises(CheckFailed):
        session.check("ones").matches_numpy()


def test_runs_are_kept_until_something_they_follow_from_changes(session, backend):
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    for _ in range(2):
        session.check("ones").matches_numpy()
        session.check("ones").has_no_races()
        session.check("ones", sizes=[{"n": 4}, {"n": 5}]).has_no_races()
    assert backend.launched == [4, 5]
    session.answer("other", BAD)
    session.check("ones").matches_numpy()
    assert backend.launched == [4, 5]
    for change in (
        lambda: session.answer("ones", GOOD),
        lambda: session.exercise("ones", case, [{"n": 4}]),
        lambda: session.answer_values("ones", "grid = 1"),
    ):
        backend.launched.clear()
        change()
        session.check("ones").matches_numpy()
        assert backend.launched == [4]


def test_the_gpu_is_used_where_there_is_one(backend, capsys):
    def gpu(launch):
        run = backend(launch)
        return Run(run.outputs, backend="NVIDIA T4")

    session = Session(backend, lambda: gpu, lambda source: [])
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    session.check("ones").matches_numpy()
    assert capsys.readouterr().out == "ones matches numpy: 1 case, on the NVIDIA T4.\n"


def test_hidden_sizes_must_be_a_list_of_sizes(session):
    session.exercise("ones", case, [{"n": 4}])
    session.answer("ones", GOOD)
    with pytest.raises(GraderFault, match="list of dicts"):
        session.check("ones", sizes=[])


def test_a_stub_is_not_compiled(backend):
    asked = []
    session = Session(backend, lambda: None, lambda source: asked.append(source) or [])
    session.answer("ones", "// YOUR CODE HERE")
    assert asked == []
    session.answer("ones", GOOD)
    assert asked == ["\n" + GOOD]
