"""A check of another package is found, and works in a notebook like those of the course; a bad one is reported."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from inspect import signature
from pathlib import Path
from types import NoneType
from typing import Any, get_type_hints

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder import Case, Run, whole
from autograder.cuda.errors import UsageError
from autograder.exercises.answers.answer import KernelAnswer
from autograder.exercises.answers.tools import Tools
from autograder.exercises.checks import frame, kernels
from autograder.exercises.checks.checker import Checker
from autograder.exercises.checks.frame import Checks, with_checks
from autograder.exercises.checks.judge import KernelCheck, kernel_check
from autograder.exercises.checks.program_checker import ProgramChecker
from autograder.exercises.checks.program_judge import ProgramCheck, program_check
from autograder.exercises.declarations.declaration import declare

ROOT = Path(__file__).parents[3]
README = (ROOT / "autograder/exercises/checks/README.md").read_text()
CONTRACT = """\
import numpy as np
from autograder import Case, InOut, check, exercise, whole
exercise(
    "total",
    lambda draw, n: Case(1, 64, [np.ones(n, np.int32), InOut(np.zeros(1, np.int32)), n], [np.int32([n])]),
    [dict(n=5)],
    domain=dict(n=whole(1, 40)),
)
"""
HIDDEN = 'from autograder import hidden_cases\nhidden_cases("total", seed=7)'
KERNEL = """\
__global__ void total(const int* in, int* out, int n)
{
    if (threadIdx.x < n) atomicAdd(out, in[threadIdx.x]);
}
"""


def install(site: Path) -> None:
    """The package that the README shows, beside those that are installed."""
    code, points = (re.search(rf"```{language}\n(.*?)```", README, re.DOTALL) for language in ("python", "toml"))
    assert code and points
    package = site / "their_package"
    package.mkdir()
    (package / "__init__.py").touch()
    text = (
        code[1]
        .replace("from ... ", "from autograder.exercises ")
        .replace("..judge", "autograder.exercises.checks.judge")
    )
    (package / "checks.py").write_text(text)
    info = site / "their_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their_package\nVersion: 1.0\n")
    lines = points[1].replace('[project.entry-points."autograder.checks"]', "[autograder.checks]").replace('"', "")
    (info / "entry_points.txt").write_text(lines)


def checked(site: Path, call: str) -> dict[str, Any]:
    """What a notebook reports of `call`, a check of the exercise, with that package."""
    graded = {"nbgrader": {"grade": True, "grade_id": "test", "points": 1, "solution": False}}
    cells = ["%load_ext autograder", CONTRACT, HIDDEN, f"%%cuda total\n{KERNEL}"]
    notebook = new_notebook(cells=[*map(new_code_cell, cells), new_code_cell(call, metadata=graded)])
    nbformat.write(notebook, site / "total.ipynb")
    (site / "answer.cu").write_text(f"%%cuda total\n{KERNEL}")
    command = [sys.executable, "-m", "autograder", "check", "total.ipynb", "answer.cu", "--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}
    done = subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    (result,) = json.loads(done.stdout)["checks"]
    found: dict[str, Any] = result
    return found


def test_a_check_of_another_package_works_in_a_notebook(tmp_path: Path) -> None:
    install(tmp_path)
    passed = checked(tmp_path, 'check("total").makes_few_atomics(at_most=40)')
    assert (passed["outcome"], passed["check"]) == ("passed", "makes_few_atomics")
    visible, hidden = passed["report"].splitlines()
    assert visible.startswith("total makes few atomics: passed in ") and hidden.startswith(visible[:30])
    failed = checked(tmp_path, 'check("total").makes_few_atomics(at_most=2)')
    assert failed["outcome"] == "failed" and failed["report"].startswith("total makes few atomics: FAILED")


@kernel_check
def looks_twice(at_least: int = 2) -> KernelCheck:
    """It looks twice."""
    return KernelCheck()


@program_check
def ends_soon() -> ProgramCheck:
    """It ends soon."""
    return ProgramCheck()


def registered(monkeypatch: pytest.MonkeyPatch, **found: object) -> type[Checks[Any, Any]]:
    """A class with the checks of kernels, where other packages register these."""
    monkeypatch.setattr(frame, "plugins", {"checks": found}.get)
    return with_checks(KernelCheck, kernels)(type("Kernels", (Checks,), {}))


def test_a_check_belongs_to_the_answers_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    found = registered(monkeypatch, looks_twice=looks_twice, ends_soon=ends_soon)
    assert hasattr(found, "looks_twice") and hasattr(found, "matches_numpy") and not hasattr(found, "ends_soon")
    assert str(signature(found.looks_twice)) == "(self, at_least: 'int' = 2) -> None"
    assert get_type_hints(found.looks_twice) == {"at_least": int, "return": NoneType}
    assert found.looks_twice.__doc__ == "It looks twice."


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            {"reads": len},
            r"^reads in autograder\.checks is not a check: decorate it with @kernel_check or @program_check",
        ),
        ({"is_coalesced": looks_twice}, r"^Kernels has a check is_coalesced: rename the one that is in"),
    ],
)
def test_a_bad_one_is_reported(found: dict[str, object], sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=sentence):
        registered(monkeypatch, **found)


@pytest.mark.parametrize(("checker", "least"), [(Checker, 19), (ProgramChecker, 12)])
def test_each_file_of_the_folder_gives_its_checks(checker: type[Checks[Any, Any]], least: int) -> None:
    methods = [name for name in vars(checker) if not name.startswith("_")]
    assert len(methods) >= least and all(getattr(checker, name).__name__ == name for name in methods)


def test_a_check_of_the_visible_cases_alone_is_recorded_once() -> None:
    recorded: list[bool] = []

    check = KernelCheck(method="always", judge_alone=lambda judge, title: title, visible_only=True)
    exercise = declare("k", lambda draw, n: Case(1, 1, [n], []), [{"n": 1}], domain={"n": whole(1, 9)}).hide(5)
    tools = Tools(lambda launch: Run(()), on_result=lambda result, line: recorded.append(result.hidden))
    checker = Checker(exercise, KernelAnswer("\n__global__ void k(int n) { int m = n; }"), tools)
    checker._try(check)
    assert recorded == [False]
    checker._try(replace(check, visible_only=False))
    assert recorded == [False, False, True]
