"""Tasks on a Dask cluster whose workers break, differ or die; `cluster_scripts` has what a worker does."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cluster_scripts
import inputs
import psutil
import pytest
from dask_processes import Scheduler
from small_course import ROOT, Course, submit

from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.execution import cluster, cluster_worker, dispatch, local
from autograder.classroom.execution.cluster import Cluster, Report, first_identity, scheduler_at, this_machine
from autograder.classroom.execution.cluster_worker import Identity, difference
from autograder.classroom.execution.task import Task, TaskResult
from autograder.classroom.grade import grade
from autograder.cli import main
from autograder.cuda.backends import gpu
from autograder.cuda.errors import GraderFault, UsageError

pytestmark = [inputs.grading, pytest.mark.starts_early]

TESTS = str(Path(__file__).parent)
GPU = Identity("checker", "NVIDIA H200")


class Watching(dispatch.Watch):
    """A `Watch` that keeps what it is told."""

    def __init__(self) -> None:
        self.message: list[str] = []

    def report(self, text: str) -> None:
        self.message.append(text)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scheduler]:
    """Two workers, which restart when they are killed."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{TESTS}"}
    with Scheduler(tmp_path_factory.mktemp("dask") / "scheduler.json", 2, environment) as scheduler:
        yield scheduler


def test_no_timer_is_left_when_the_event_loop_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or asyncio prints the error of one that expires then, on a busy machine."""
    distributed = cluster.import_distributed()
    streams: list[Any] = []
    left: list[list[float]] = []

    def begin(stream: Any, *arguments: Any, **options: Any) -> None:
        really_begin(stream, *arguments, **options)
        streams.append(stream)

    def stop(runner: Any, timeout: float) -> None:
        left.append([item.next_deadline for item in streams if item.next_deadline and not item.stopped.is_set()])
        really_stop(runner, timeout)

    really_begin, really_stop = distributed.batched.BatchedSend.__init__, distributed.utils.LoopRunner._real_stop
    monkeypatch.setattr(distributed.batched.BatchedSend, "__init__", begin)
    monkeypatch.setattr(distributed.utils.LoopRunner, "_real_stop", stop)
    for _ in range(2):
        with this_machine(1)(print) as here:
            assert here.client().submit(int, "1", pure=False).result() == 1
    assert len(streams) > 5 and left == [[], []]


def tasks(*names: str) -> dict[str, Task]:
    return {name: Task(name, (), 20) for name in names}


def test_no_page_is_open_while_this_machine_grades() -> None:
    def listening() -> set[object]:
        return {each.laddr for each in psutil.Process().net_connections() if each.status == psutil.CONN_LISTEN}

    before = listening()
    with this_machine(2)(Watching().report) as opened:
        assert opened.client().submit(sum, [1, 2]).result() == 3
        assert listening() == before


def test_one_notebook_at_a_time_is_no_plural() -> None:
    watch = Watching()
    with this_machine(1)(watch.report) as opened:
        first_identity(opened.client(), lambda waited: None, watch.report)
    assert watch.message[-1].startswith("1 notebook at a time on 1 worker, ")


@pytest.mark.rare
def test_a_task_that_kills_its_worker_takes_no_other_one_with_it(scheduler: Scheduler) -> None:
    watch = Watching()
    names = [f"innocent {number}" for number in range(8)]
    with scheduler_at(scheduler.address)(watch.report) as opened:
        wanted = tasks(*names[:4], "deadly", *names[4:])
        results = list(dispatch.run_all(opened, wanted, cluster_scripts.deadly, watch))
    found = {done.key: done.result for done in results}
    assert len(results) == len(found)
    assert found.pop("deadly") == TaskResult((), "each worker process that ran it died", 0.0)
    assert set(found) == set(names) and all(result.sound for result in found.values())


class Losing(queue.SimpleQueue[Any]):
    """Finished tasks, the first two of whose results are lost, as if their worker had died after it ran them."""

    def __init__(self) -> None:
        super().__init__()
        self.losses = 2

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        key, future = super().get(block, timeout)
        if self.losses:
            self.losses -= 1
            future._state.lose()
        return key, future


@pytest.mark.rare
def test_a_result_that_died_with_its_worker_is_made_again(
    scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "SimpleQueue", Losing)
    with scheduler_at(scheduler.address)(Watching().report) as opened:
        found = list(dispatch.run_all(opened, tasks("a", "b", "c"), cluster_scripts.passing, Watching()))
    assert sorted(done.key for done in found) == ["a", "b", "c"] and all(done.result.sound for done in found)


@pytest.mark.rare
def test_where_many_workers_break_the_fault_lies_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "MAX_BROKEN", 2)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{TESTS}"}
    watch = Watching()
    with (
        Scheduler(tmp_path / "scheduler.json", 3, environment) as scheduler,
        scheduler_at(scheduler.address)(watch.report) as opened,
        pytest.raises(GraderFault, match=r"Nothing runs here\. What was graded so far is kept"),
    ):
        list(dispatch.run_all(opened, tasks("a"), cluster_scripts.broken, watch))
    assert [message for message in watch.message if message.startswith("left out the worker")] == watch.message[-1:]


def test_a_broken_worker_that_does_not_go_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watching()
    with this_machine(1)(watch.report) as opened:
        monkeypatch.setattr(opened.client(), "retire_workers", lambda workers, close_workers: None)
        with pytest.raises(GraderFault, match=r"Nothing runs here\. What was graded so far is kept"):
            list(dispatch.run_all(opened, tasks("a"), cluster_scripts.broken, watch))
    assert not any(message.startswith("left out the worker") for message in watch.message)


@pytest.mark.rare
def test_a_worker_that_is_not_as_this_machine_is_refused(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_worker, "checker_version", lambda: "another version")
    with (
        pytest.raises(UsageError, match=r"The worker on tcp://.* has another version of the grader, .* install there"),
        scheduler_at(scheduler.address)(print),
    ):
        pass


@pytest.mark.rare
def test_a_worker_that_comes_later_and_is_not_as_the_others_ends_the_run(scheduler: Scheduler) -> None:
    with scheduler_at(scheduler.address)(print) as opened:
        other = Cluster(Identity("another version", "emulator"), opened.client, opened.no_worker)
        with pytest.raises(UsageError, match=r"another version of the grader.*What was graded so far is kept: run the"):
            list(dispatch.run_all(other, tasks("a"), cluster_scripts.passing, Watching()))


@pytest.mark.rare
def test_a_package_that_a_worker_has_not(tmp_path: Path) -> None:
    outside = {**os.environ, "PYTHONPATH": str(tmp_path)}
    (tmp_path / "autograder").mkdir()
    (tmp_path / "autograder" / "__init__.py").write_text("raise ImportError('not here')")
    with (
        Scheduler(tmp_path / "scheduler.json", 1, outside) as scheduler,
        pytest.raises(UsageError, match=r"The scheduler or a worker cannot load this package \(.*install there"),
        scheduler_at(scheduler.address)(print),
    ):
        pass


def test_kinds_of_machine_are_not_mixed() -> None:
    message = difference(GPU, Identity("checker", "NVIDIA T4"), "node7")
    assert message.startswith(
        "The worker on node7 runs kernels on another backend (NVIDIA T4) than the first one (NVIDIA"
    )
    assert difference(GPU, GPU, "node7") == ""


@contextmanager
def with_gpu(report: Report) -> Iterator[Cluster]:
    """This machine, as if it had a GPU."""
    with this_machine(1)(report) as here:
        yield Cluster(GPU, here.client, here.no_worker)


@pytest.fixture
def room(fresh: Course, tmp_path: Path) -> Classroom:
    shutil.copytree(fresh.root, tmp_path, dirs_exist_ok=True)
    for student in ("ada", "blaise", "carl"):
        submit(tmp_path, student, f"right {student}")
    return open_classroom(tmp_path)


@pytest.fixture
def private_fork_server() -> Iterator[None]:
    """A fork server for this test alone, since it keeps what was there when it started."""
    local.stop()
    yield
    local.stop()


@pytest.mark.rare
def test_a_gpu_that_falls_off_ends_the_run_and_costs_nobody_a_point(
    room: Classroom, private_fork_server: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_worker, "identity", lambda: GPU)
    monkeypatch.setattr(gpu.Gpu, "problem", cluster_scripts.problem)
    monkeypatch.setattr(gpu, "reads_host_memory", lambda: False)
    monkeypatch.setattr(cluster_scripts, "LEFT", left := [4])
    with pytest.raises(GraderFault, match=r"The GPU of .* is gone: It fell off. What was graded so far is kept"):
        grade(room, "words", cluster=with_gpu, execute=cluster_scripts.on_gpu)
    with room.gradebook() as gradebook:
        assert [student.score for student in gradebook.students if student.score] == [9.0, 9.0]
    left[0] = 100
    again = grade(room, "words", cluster=with_gpu, execute=cluster_scripts.on_gpu)
    assert (again.ran, again.reused) == (2, 4) and not again.notes
    with room.gradebook() as gradebook:
        assert [student.score for student in gradebook.students] == [9.0, 9.0, 9.0]


@pytest.mark.parametrize("expected", ["1", ""])
def test_the_emulator_never_speaks_for_a_gpu_that_is_gone(expected: str) -> None:
    code = "from autograder.exercises.notebook import session\nprint(session.find_gpu(), session.find_timer())"
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "AUTOGRADER_GPU_EXPECTED": expected}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    if expected:
        assert "MachineFault: The GPU that was here when grading began is gone: " in done.stderr
    else:
        assert done.stdout == "None None\n"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--cluster", "tcp://127.0.0.1:1"], "No Dask scheduler answers at tcp://127.0.0.1:1 ("),
        (["--cluster", "nowhere"], "--cluster is slurm, or a scheduler's address such as tcp://host:8786, not no"),
        (["--cluster", "tcp://a:1", "--jobs", "2"], "--jobs is for this machine"),
        (["--profile", "gpu"], "--profile goes with --cluster slurm."),
        (["--cluster", "slurm"], "There is no cluster.toml beside nbgrader_config.py"),
        (["--jobs", "0"], "--jobs must be at least 1."),
    ],
)
def test_options_that_cannot_be(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str], why: str
) -> None:
    monkeypatch.chdir(room.root)
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    assert main(["grade", "words", *options]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"autograder: {why}") and message.count("\n") == 1


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "NO_WORKER_SECONDS", 0.5)
    with (
        Scheduler(tmp_path / "scheduler.json", workers=0) as scheduler,
        pytest.raises(UsageError, match=r"There is no worker: the scheduler at tcp://.* has none: start `dask worker"),
        scheduler_at(scheduler.address)(print),
    ):
        pass


def test_who_has_everything_already_starts_no_cluster() -> None:
    code = (
        "import sys, autograder.classroom.grade as g\n"
        "print([m for m in ('dask', 'distributed', 'dask_jobqueue') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
