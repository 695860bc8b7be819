"""If grading a class is killed or stopped, the next run ends with the gradebook of an undisturbed one."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import inputs
import psutil
import pytest
from dask_processes import Scheduler
from small_course import Course, gradebook_rows, submit

from autograder.classroom.classroom import open_classroom
from autograder.classroom.execution.cluster import scheduler_at
from autograder.classroom.grade import RESULTS, grade

pytestmark = [inputs.grading, pytest.mark.starts_early]

GRADE = (sys.executable, "-m", "autograder", "grade", "words")
Rows = dict[str, set[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def whole(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Rows]:
    """A course with six submissions, and the gradebook that grading it gives. Not to be changed."""
    root = tmp_path_factory.mktemp("whole")
    shutil.copytree(fresh.root, root, dirs_exist_ok=True)
    for number in range(6):
        submit(root, f"student{number}", f"right {number}" if number else "wrong")
    graded = tmp_path_factory.mktemp("graded")
    shutil.copytree(root, graded, dirs_exist_ok=True)
    assert len(grade(open_classroom(graded), "words").recorded) == 6
    return root, gradebook_rows(graded)


@pytest.fixture
def root(whole: tuple[Path, Rows], tmp_path: Path) -> Path:
    shutil.copytree(whole[0], tmp_path / "course")
    return tmp_path / "course"


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    """A scheduler for all tests below; the last one kills it."""
    with Scheduler(tmp_path_factory.mktemp("dask") / "scheduler.json", workers=2) as scheduler:
        yield scheduler


def start(root: Path, *options: str) -> subprocess.Popen[str]:
    """Start a client that grades; return when it has at least three results."""
    pipe = subprocess.PIPE
    client = subprocess.Popen([*GRADE, *options], cwd=root, stdout=pipe, stderr=pipe, text=True)
    while len(list((root / RESULTS).rglob("*.json"))) < 3:
        assert client.poll() is None, client.communicate()
        time.sleep(0.02)
    return client


def goes_on(root: Path, expected: Rows) -> None:
    summary = grade(open_classroom(root), "words")
    assert summary.reused >= 3 and not summary.refused and not summary.notes
    assert gradebook_rows(root) == expected


@pytest.mark.sampled()
@pytest.mark.parametrize("victim", ["client", "fork server"])
def test_a_kill_on_this_machine(whole: tuple[Path, Rows], root: Path, victim: str) -> None:
    client = start(root)
    (server,) = psutil.Process(client.pid).children()
    (client if victim == "client" else server).send_signal(signal.SIGKILL)
    client.communicate()
    assert psutil.wait_procs([server], timeout=60)[1] == [], "the fork server outlives who started it"
    assert client.returncode == (-signal.SIGKILL if victim == "client" else 0)
    goes_on(root, whole[1])


@pytest.mark.rare
def test_an_interrupt_says_what_is_kept_and_leaves_no_process(whole: tuple[Path, Rows], root: Path) -> None:
    submit(root, "student6", "right, slowly")  # so that it is not over before the interrupt
    client = start(root)
    started = psutil.Process(client.pid).children(recursive=True)
    client.send_signal(signal.SIGINT)
    _, message = client.communicate(timeout=120)
    assert client.returncode == 130
    stored = len(list((root / RESULTS).rglob("*.json")))
    reported = f"the results of {stored} of 14 notebooks are kept; run the same command again to go on."
    assert message == f"autograder: stopped: {reported}\n"
    assert psutil.wait_procs(started, timeout=60)[1] == []
    shutil.rmtree(root / "submitted" / "student6")
    goes_on(root, whole[1])


@pytest.mark.rare
def test_a_client_of_a_cluster(whole: tuple[Path, Rows], root: Path, scheduler: Scheduler) -> None:
    client = start(root, "--cluster", scheduler.address)
    client.kill()
    client.communicate()
    summary = grade(open_classroom(root), "words", cluster=scheduler_at(scheduler.address))
    assert summary.reused >= 3 and not summary.refused and not summary.notes
    assert gradebook_rows(root) == whole[1]


@pytest.mark.rare
def test_a_worker_of_a_cluster(whole: tuple[Path, Rows], root: Path, scheduler: Scheduler) -> None:
    """The other worker runs again what the killed one ran."""
    client = start(root, "--cluster", scheduler.address)
    for process in psutil.Process(scheduler.workers[0].pid).children():  # its nanny starts another one
        process.kill()
    message, complaints = client.communicate(timeout=120)
    assert (client.returncode, complaints) == (0, "")
    assert "6 students recorded, 0 unchanged; 12 notebooks run" in message
    assert gradebook_rows(root) == whole[1]


@pytest.mark.rare
def test_the_scheduler_of_a_cluster(whole: tuple[Path, Rows], root: Path, scheduler: Scheduler) -> None:
    client = start(root, "--cluster", scheduler.address)
    scheduler.process.kill()
    _, message = client.communicate(timeout=120)
    assert client.returncode == 2
    assert message == (
        "autograder: The Dask scheduler is gone. What was graded so far is kept: run the same command again to go on.\n"
    )
    goes_on(root, whole[1])
