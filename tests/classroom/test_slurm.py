"""Profiles, and an actual Slurm whose jobs grade a class."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
import slurm_daemons
from small_course import Course, gradebook_rows, submit

from autograder.classroom.classroom import open_classroom
from autograder.classroom.execution.slurm import Profile, read_profile, slurm
from autograder.classroom.grade import RESULTS, grade
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading

needs_slurm = pytest.mark.skipif(bool(slurm_daemons.missing()), reason=slurm_daemons.missing())


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        (None, "gpu", r"There is no cluster\.toml beside nbgrader_config\.py"),
        ("[gpu", "gpu", r"cluster\.toml cannot be read: Expected ']'"),
        ("", "", "--profile must say which profile of cluster.toml is meant: none"),
        ("[gpu]\n[cpu]", "", "which profile of cluster.toml is meant: gpu, cpu"),
        ("[gpu]", "gpus", r"no profile 'gpus' \(it has: gpu\)"),
        ("gpu = 1", "gpu", "no profile 'gpu'"),
        ("[gpu]\ncors = 2", "gpu", r"unknown key 'cors': did you mean cores\?"),
        ("[gpu]\nname = 'x'", "gpu", "unknown key 'name'"),
        ("[gpu]\ncores = '2'", "gpu", "cores must be an integer above 0, not '2'"),
        ("[gpu]\nworkers = 0", "gpu", "workers must be an integer above 0, not 0"),
        ("[gpu]\nmemory = 4", "gpu", "memory must be a text, not 4"),
        ("[gpu]\nprologue = 'x'", "gpu", "prologue must be a list of texts, not 'x'"),
        ("[gpu]\nmemory = '4GB'", "gpu", "lacks cores"),
        ("[gpu]\nmemory = '4 of them'\ncores = 1", "gpu", "memory must be a size such as \"16GB\", not '4 of them'"),
    ],
)
def test_a_wrong_profile_is_told_in_a_sentence(tmp_path: Path, text: str | None, name: str, why: str) -> None:
    if text is not None:
        (tmp_path / "cluster.toml").write_text(text)
    with pytest.raises(UsageError, match=why):
        read_profile(tmp_path / "cluster.toml", name)


def test_a_profile(tmp_path: Path) -> None:
    path = tmp_path / "cluster.toml"
    path.write_text('[gpu]\ncores = 8\nmemory = "32GB"\ngres = "gpu:1"\nprologue = ["module load cuda"]\n')
    expected = Profile("gpu", 8, "32GB", gres="gpu:1", prologue=("module load cuda",))
    assert read_profile(path) == read_profile(path, "gpu") == expected


def test_without_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(UsageError, match=r"Slurm is not here \(there is no program sbatch\)"),
        slurm(Profile("cpu", 1, "1GB"), tmp_path)(print),
    ):
        pass


@pytest.fixture(scope="module")
def daemons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[slurm_daemons.Slurm]:
    with slurm_daemons.Slurm(tmp_path_factory.mktemp("slurm")) as daemons:
        yield daemons


@pytest.fixture
def root(fresh: Course, tmp_path: Path) -> Path:
    shutil.copytree(fresh.root, tmp_path / "course")
    for number in range(6):
        submit(tmp_path / "course", f"student{number}", f"right {number}" if number else "wrong")
    return tmp_path / "course"


def start(daemons: slurm_daemons.Slurm, root: Path, profile: str) -> subprocess.Popen[str]:
    (root / "cluster.toml").write_text(profile)
    command = [sys.executable, "-m", "autograder", "grade", "words", "--cluster", "slurm"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=root, env=daemons.environment, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.rare
@needs_slurm
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_slurm_grades_as_this_machine_does_though_a_job_is_killed(
    daemons: slurm_daemons.Slurm, root: Path, tmp_path: Path, workers: int
) -> None:
    shutil.copytree(root, tmp_path / "here")
    client = start_and_wait(daemons, root, workers=workers)
    for _ in range(100):
        if len(daemons.jobs()) == workers:
            break
        time.sleep(0.1)
    daemons.request("scancel", "--signal=KILL", "--full", daemons.jobs()[0])
    message, complaints = client.communicate(timeout=200)
    assert not complaints and client.returncode == 0, complaints
    lines = message.splitlines()
    assert lines[0] == f"words: {workers} Slurm job{'s' * (workers > 1)} asked for by the profile 'cpu'"
    assert any(line.startswith("words: ") and " notebooks at a time on " in line for line in lines)
    assert lines[-1].startswith("6 students recorded, 0 unchanged; 12 notebooks run")
    grade(open_classroom(tmp_path / "here"), "words")
    assert gradebook_rows(root) == gradebook_rows(tmp_path / "here")
    nothing_is_left(daemons, root)


@pytest.mark.rare
@needs_slurm
@pytest.mark.parametrize("how", ["a node that dies", "time that is over"])
def test_jobs_that_slurm_ends_are_replaced(daemons: slurm_daemons.Slurm, root: Path, how: str) -> None:
    submit(root, "student6", "right, slowly")  # so that it is not over before that
    client = start_and_wait(daemons, root, workers=2)
    if how == "a node that dies":
        daemons.take_node_away(seconds=3)
    else:  # as at the end of their walltime: SIGTERM, and SIGKILL a moment later
        daemons.request("scancel", *daemons.jobs())
    message, complaints = client.communicate(timeout=200)
    assert (client.returncode, complaints) == (0, ""), complaints
    assert message.splitlines()[-1].startswith("7 students recorded, 0 unchanged; 14 notebooks run")
    nothing_is_left(daemons, root)


@pytest.mark.rare
@needs_slurm
def test_a_controller_that_restarts_ends_nothing(daemons: slurm_daemons.Slurm, root: Path) -> None:
    """While it is gone, squeue fails; the job goes on."""
    submit(root, "student6", "right, slowly")  # so that it is not over before the controller is back
    client = start_and_wait(daemons, root, results=1)
    daemons.restart_controller(seconds=6)
    message, complaints = client.communicate(timeout=200)
    assert (client.returncode, complaints) == (0, ""), complaints
    assert message.splitlines()[-1].startswith("7 students recorded, 0 unchanged; 14 notebooks run")
    nothing_is_left(daemons, root)


@pytest.mark.rare
@needs_slurm
def test_an_interrupt_ends_the_jobs(daemons: slurm_daemons.Slurm, root: Path) -> None:
    submit(root, "student6", "right, slowly")  # so that it is not over before the interrupt
    client = start_and_wait(daemons, root, results=1)
    client.send_signal(signal.SIGINT)
    _, message = client.communicate(timeout=60)
    assert client.returncode == 130
    stored = len(list((root / RESULTS).rglob("*.json")))
    assert message.startswith(
        f"autograder: stopped: the results of {stored} of 14 notebooks are kept; run the same "
    ), message
    nothing_is_left(daemons, root)


def start_and_wait(
    daemons: slurm_daemons.Slurm, root: Path, results: int = 3, workers: int = 1
) -> subprocess.Popen[str]:
    """Start a client; return when it has at least `results` of its 12 results."""
    cores = 1 if workers > 2 else 2  # of the node's 4
    profile = f'[cpu]\ncores = {cores}\nmemory = "1GB"\npartition = "class"\nworkers = {workers}\n'
    client = start(daemons, root, profile)
    while len(list((root / RESULTS).rglob("*.json"))) < results:
        assert client.poll() is None, client.communicate()
        time.sleep(0.05)
    return client


def nothing_is_left(daemons: slurm_daemons.Slurm, root: Path) -> None:
    """No job is in the queue, and no key on the disk."""
    for _ in range(50):
        if not daemons.jobs():
            break
        time.sleep(0.2)
    assert daemons.jobs() == []
    assert {path.suffix for path in (root / RESULTS / "slurm").iterdir()} == {".err", ".out"}


@pytest.mark.rare
@needs_slurm
@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('partition = "nowhere"', "Slurm does not take the profile 'cpu': .*[Ii]nvalid partition"),
        (
            f'python = "{os.devnull}/python"',
            "There is no worker: Slurm no longer has any of its jobs.*Not a directory",
        ),
        (
            'gres = "gpu:1"\nprologue = ["export CUDA_VISIBLE_DEVICES="]',
            r"The profile 'cpu' asks for a GPU \(gpu:1\), but its worker on .* can use none",
        ),
    ],
)
def test_what_goes_wrong_with_slurm_is_told_in_a_sentence(
    daemons: slurm_daemons.Slurm, root: Path, more: str, why: str
) -> None:
    client = start(daemons, root, f'[cpu]\ncores = 2\nmemory = "2GB"\n{more}\n')
    _, complaints = client.communicate(timeout=120)
    assert client.returncode == 2
    (line,) = complaints.splitlines()
    assert re.search(f"^autograder: {why}", line), line
