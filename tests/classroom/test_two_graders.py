"""Do two runs of `autograder grade` on one folder share its work, whoever of them is killed?"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import inputs
import pytest
from small_course import Course, gradebook_rows, submit

from autograder.classroom.classroom import open_classroom
from autograder.classroom.execution.sharing import share
from autograder.classroom.execution.store import Store
from autograder.classroom.execution.task import TaskResult
from autograder.classroom.grade import RESULTS, grade

pytestmark = [inputs.grading, pytest.mark.starts_early]

GRADE = (sys.executable, "-m", "autograder", "grade", "words", "--jobs", "2")
_STUDENTS = 6
Rows = dict[str, set[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def whole(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Rows]:
    """A course with two different notebooks of each student, and the gradebook that grading it gives."""
    root = tmp_path_factory.mktemp("whole")
    shutil.copytree(fresh.root, root, dirs_exist_ok=True)
    for number in range(_STUDENTS):
        submit(root, f"student{number}", f"right {number}" if number else "wrong")
    graded = tmp_path_factory.mktemp("graded")
    shutil.copytree(root, graded, dirs_exist_ok=True)
    grade(open_classroom(graded), "words")
    return root, gradebook_rows(graded)


@pytest.fixture
def root(whole: tuple[Path, Rows], tmp_path: Path) -> Path:
    shutil.copytree(whole[0], tmp_path / "course")
    return tmp_path / "course"


def start(root: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(GRADE, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def numbers(client: subprocess.Popen[str]) -> list[int]:
    """How many students it recorded, and found unchanged; how many notebooks it ran, and found."""
    message, complaints = client.communicate(timeout=120)
    assert (client.returncode, complaints) == (0, "")
    found = re.search(r"(\d+) students? recorded, (\d+) unchanged; (\d+) notebooks? run, (\d+) taken", message)
    assert found, message
    return [int(number) for number in found.groups()]


@pytest.mark.rare
def test_two_runs_make_each_result_once_and_record_each_student_once(whole: tuple[Path, Rows], root: Path) -> None:
    item, other = map(numbers, [start(root), start(root)])
    assert item[0] + other[0] == _STUDENTS == item[0] + item[1] == other[0] + other[1]
    assert item[2] + other[2] == 2 * _STUDENTS == item[2] + item[3]
    assert gradebook_rows(root) == whole[1]


@pytest.mark.rare
def test_what_a_killed_run_worked_on_is_done_by_the_other(whole: tuple[Path, Rows], root: Path) -> None:
    victim, other = start(root), start(root)
    while len(list((root / RESULTS).rglob("*.json"))) < 4:
        assert victim.poll() is None and other.poll() is None
        time.sleep(0.02)
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    recorded, unchanged, ran, found = numbers(other)
    assert recorded + unchanged == _STUDENTS and ran + found == 2 * _STUDENTS
    assert gradebook_rows(root) == whole[1]


HOLD = """\
import sys
from pathlib import Path
from autograder.classroom.execution.sharing import share
from autograder.classroom.execution.store import Store
with share(Store(Path(sys.argv[1]))) as sharing:
    print(sharing.take("mine"), flush=True)
    sys.stdin.read()
"""


def test_a_task_is_another_runs_until_it_is_dropped_or_the_process_ends(tmp_path: Path) -> None:
    store = Store(tmp_path)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout and holder.stdout.readline() == "True\n"
    with share(store) as sharing:
        assert not sharing.take("mine") and sharing.take("another") and sharing.found("mine") is None
        holder.kill()
        holder.communicate()
        assert sharing.take("mine")
        store.put("mine", TaskResult((), "", 0.0))
        assert sharing.found("mine") == TaskResult((), "", 0.0)
        third = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert third.communicate("")[0] == "False\n"
        sharing.drop("mine")
        assert subprocess.run(command, input="", capture_output=True, text=True).stdout == "True\n"
