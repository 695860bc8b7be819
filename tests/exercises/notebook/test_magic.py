"""The cells of a notebook: what do they print, show and raise? In a real IPython shell."""

from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest
from findings_for_reports import FINDINGS, compile_error
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from autograder.cuda.core.findings import Finding
from autograder.cuda.core.launch import Launch
from autograder.cuda.core.run import Counts, Run
from autograder.cuda.errors import CellError
from autograder.exercises.declarations.declaration import Case, Output
from autograder.exercises.declarations.domain import one_of
from autograder.exercises.notebook import magic
from autograder.exercises.notebook.session import Session
from autograder.exercises.result import CheckFailed, CheckResult, Outcome, read_results

GOOD = "__global__ void ones(int* out) { out[threadIdx.x] = 1; }\n"


def right(launch: Launch) -> Run:
    """The run of a correct kernel, or of a racy one if its text says so."""
    found = (FINDINGS["race: two writes"],) if "race" in launch.source else ()
    return Run((np.ones_like(launch.args[0]),), found, Counts())


def find_errors(source: str, kernel: str) -> list[Finding]:
    return [compile_error((2, 3, "no such thing"))] if "wrong" in source else []


class Notebook:
    """A shell with the magics, and what its last cell gave: `error`, `text` (stdout), `rich`."""

    def __init__(self, folder: Path) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        self.session = Session(right, lambda: None, find_errors)
        self.shell = InteractiveShell(config=config, ipython_dir=str(folder))
        self.shell.user_ns["check"] = self.session.check
        magic.load(self.shell, self.session)
        self.session.exercise(
            "ones",
            lambda draw, n: Case(1, n, [Output(n, np.int32)], [np.ones(n)[:].astype(int)]),
            [{"n": 4}, {"n": 5}],
            domain={"n": one_of(4, 5)},
        )

    def run(self, cell: str) -> Self:
        self.shell.display_pub = CapturingDisplayPublisher()
        with capture_output(display=False) as captured:
            self.error = self.shell.run_cell(cell, store_history=False).error_in_exec
        self.text = captured.stdout
        self.rich = [output["data"] for output in self.shell.display_pub.outputs]
        assert captured.stderr == ""
        return self


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    return Notebook(tmp_path)


def test_an_answer_that_compiles_says_so_in_one_line(notebook: Notebook) -> None:
    notebook.run("%%cuda ones\n" + GOOD)
    assert (notebook.error, notebook.text, notebook.rich) == (None, "ones compiles.\n", [])


def test_an_answer_that_does_not_compile_shows_a_report_and_raises_nothing(notebook: Notebook) -> None:
    notebook.run("%%cuda ones\n  wrong\n" + GOOD)
    assert (notebook.error, notebook.text) == (None, "")
    (shown,) = notebook.rich
    assert shown["text/plain"] == "ones does not compile.\n\n    line 2   wrong\n             ^ no such thing"
    assert "no such thing" in shown["text/html"]


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("%%cuda ones\n// YOUR CODE HERE\n", "Line 2 of its %%cuda cell still says YOUR CODE HERE"),
        ("%%cuda ones\n\n", "Its %%cuda cell is empty"),
        ("%%values ones\n// YOUR CODE HERE\n", "Line 2 of its %%values cell still says YOUR CODE HERE"),
    ],
)
def test_a_stub_says_that_it_is_not_written_yet(notebook: Notebook, cell: str, says: str) -> None:
    notebook.run(cell)
    assert (notebook.error, notebook.text) == (None, f"ones: not written yet. {says}.\n")


def test_a_check_that_passes_shows_one_line(notebook: Notebook) -> None:
    notebook.run("%%cuda ones\n" + GOOD).run("check('ones').has_no_races()")
    (shown,) = notebook.rich
    assert (notebook.error, notebook.text) == (None, "")
    assert shown["text/plain"] == "ones has no races: passed in 2 cases, on the emulator."
    assert "text/html" not in shown


def test_each_check_leaves_its_result_as_data(notebook: Notebook) -> None:
    notebook.session.hidden_cases("ones", seed=1)
    notebook.run("%%cuda ones\n// race\n" + GOOD)
    notebook.run("check('ones').matches_numpy()\ncheck('ones').has_no_races()")
    assert read_results({"data": shown} for shown in notebook.rich) == (
        CheckResult("ones", "matches_numpy", "ones matches numpy", False, Outcome.PASSED),
        CheckResult("ones", "matches_numpy", "ones matches numpy", True, Outcome.PASSED),
        CheckResult("ones", "has_no_races", "ones has no races", False, Outcome.FAILED),
    )
    notebook.run("%%cuda ones\n// YOUR CODE HERE\n").run("check('ones').uses('shared_memory')")
    (result,) = read_results({"data": shown} for shown in notebook.rich)
    assert result == CheckResult("ones", "uses_shared_memory", "ones uses shared memory", False, Outcome.BLOCKED)


def test_a_check_that_fails_shows_its_report_and_one_line_of_error(notebook: Notebook) -> None:
    notebook.run("%%cuda ones\n// race\n" + GOOD).run("check('ones').has_no_races()")
    assert isinstance(notebook.error, CheckFailed)
    (shown,) = notebook.rich
    assert shown["text/plain"] == str(notebook.error)
    assert shown["text/html"].startswith("<style>")
    assert notebook.text == "ones has no races: FAILED\n"


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("%%cuda\nx", "After %%cuda stands one word, the exercise's name: %%cuda histogram_shared"),
        ("%%cuda one two\nx", "the exercise's name, not 'one two': "),
        ("%%cuda {1 + 1}\nx", "not '{1 + 1}'"),
        ("%%cuda $magic\nx", "not '$magic'"),
        ("%%values\nx", "After %%values stands one word"),
        ("%cuda ones", "Begin the cell with %%cuda (two percent signs)"),
        ("check('nothing')", 'Run the cell that holds exercise("nothing", ...) first'),
    ],
)
def test_a_wrong_cell_gives_one_sentence_and_no_traceback(notebook: Notebook, cell: str, says: str) -> None:
    notebook.run(cell)
    assert isinstance(notebook.error, CellError)
    assert says in notebook.text
    assert notebook.text.count("\n") == 1


def test_the_name_is_taken_as_typed(notebook: Notebook) -> None:
    notebook.shell.user_ns["ones"] = "twos"
    notebook.run("%%cuda {ones}\n" + GOOD)
    assert isinstance(notebook.error, CellError)


class TestValues:
    @pytest.fixture
    def notebook(self, tmp_path: Path) -> Notebook:
        def case(draw: Any, launch: Any, n: int) -> Case:
            raise AssertionError("a values cell makes no case")

        notebook = Notebook(tmp_path)
        notebook.session.exercise("fill", case, [{"n": 4}, {"n": 40}], values=("grid",))
        return notebook

    def test_the_cell_says_what_its_lines_give_for_the_last_size(self, notebook: Notebook) -> None:
        notebook.run("%%values fill\ngrid = ceil_div(n, 16), 2\n")
        assert (notebook.error, notebook.text) == (None, "fill: grid = (3, 2) for n=40.\n")

    def test_a_line_that_cannot_be_used_shows_a_report(self, notebook: Notebook) -> None:
        notebook.run("%%values fill\ngrid = k\n")
        (shown,) = notebook.rich
        assert notebook.error is None
        assert shown["text/plain"].startswith("The values of fill cannot be used.\n\nLine 2: k is not known")

    def test_a_launch_with_a_fraction_is_told_at_once(self, notebook: Notebook) -> None:
        notebook.run("%%values fill\ngrid = n / 16\n")
        (shown,) = notebook.rich
        assert "grid=2.5 is not whole" in shown["text/plain"]

    def test_before_the_exercise_is_declared_the_lines_are_kept(self, notebook: Notebook) -> None:
        notebook.run("%%values later\ngrid = 1\n")
        assert (notebook.error, notebook.rich) == (None, [])
        assert notebook.text.startswith("later: kept until")


def test_loading_twice_keeps_the_answers(notebook: Notebook) -> None:
    notebook.run("%%cuda ones\n" + GOOD)
    magic.load(notebook.shell, notebook.session)
    notebook.run("check('ones').matches_numpy()")
    assert notebook.error is None
