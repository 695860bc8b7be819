"""Do ordinary launches of several processes share a GPU, and does a timed one have it alone?"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from test_gpu_client import SCRIPT, launch

from autograder.classroom.execution import sandbox
from autograder.cuda.backends import gpu, gpu_sharing
from autograder.cuda.core.launch import Series
from autograder.cuda.errors import GraderFault

#: Long enough for every thread that may go on to do so.
MOMENT = 0.3


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gpu_sharing, "LOCKS", tmp_path)
    return tmp_path


class User(threading.Thread):
    """Uses a GPU until it is told to leave."""

    def __init__(self, alone: bool, name: str = "0000:01:00.0") -> None:
        super().__init__(daemon=True)
        self._alone, self._gpu = alone, name
        self._inside, self._leave = threading.Event(), threading.Event()
        self.start()

    def run(self) -> None:
        with gpu_sharing.use(self._gpu, alone=self._alone):
            self._inside.set()
            self._leave.wait(30)

    def waits(self) -> bool:
        return not self._inside.wait(MOMENT)

    def has_it(self) -> bool:
        return self._inside.wait(10)

    def leave(self) -> None:
        self._leave.set()
        self.join(10)


def test_ordinary_launches_run_beside_each_other() -> None:
    users = [User(alone=False) for _ in range(3)]
    assert all(user.has_it() for user in users)
    for user in users:
        user.leave()


def test_a_timed_launch_waits_for_others_and_others_for_it() -> None:
    ordinary = User(alone=False)
    assert ordinary.has_it()
    timed = User(alone=True)
    assert timed.waits()
    late = User(alone=False)
    assert late.waits(), "or timed launches would starve"
    ordinary.leave()
    assert timed.has_it() and late.waits()
    second = User(alone=True)
    assert second.waits()
    timed.leave()
    assert late.has_it() or second.has_it()
    late.leave()
    assert second.has_it()
    second.leave()


def test_another_gpu_is_another_matter() -> None:
    timed, other = User(alone=True), User(alone=True, name="0000:02:00.0")
    assert timed.has_it() and other.has_it()
    timed.leave()
    other.leave()


def test_nobody_starves_and_nobody_is_beside() -> None:
    inside: set[int] = set()
    beside: list[set[int]] = []
    patience = time.monotonic() + 60
    counts = [0] * 6

    def use(number: int) -> None:
        alone = number < 2
        while min(counts) < 5 and time.monotonic() < patience:
            with gpu_sharing.use("gpu", alone=alone):
                inside.add(number)
                time.sleep(0.01)
                if alone:
                    beside.append(inside - {number})
                inside.discard(number)
            counts[number] += 1

    with ThreadPoolExecutor(6) as pool:
        wait([pool.submit(use, number) for number in range(6)])
    assert not any(beside)
    assert all(count >= 5 for count in counts), counts


def test_a_killed_process_lets_go(locks: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from autograder.cuda.backends import gpu_sharing as g\n"
        f"g.LOCKS = Path({str(locks)!r})\n"
        "with g.use('0000:01:00.0', alone=True):\n    print('in', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "in\n"
    other = User(alone=False)
    assert other.waits()
    process.send_signal(signal.SIGKILL)
    assert other.has_it()
    other.leave()
    process.communicate(timeout=60)


@pytest.fixture
def device() -> Iterator[gpu.Gpu]:
    device = gpu.Gpu(SCRIPT, look=lambda: None)
    assert device.problem() is None
    yield device
    device.close()


def test_every_use_of_the_gpu_takes_the_lock(device: gpu.Gpu) -> None:
    holder = User(alone=False, name="scripted:0")
    assert holder.has_it()
    assert device.run(launch("add 1")).completed
    with ThreadPoolExecutor(1) as pool:
        timed = pool.submit(device.time, [Series([launch("time 1 2")])], 2)
        assert not wait([timed], MOMENT).done
        holder.leave()
        assert timed.result(10)[0][0].times == (1, 2)
        holder = User(alone=True, name="scripted:0")
        assert holder.has_it()
        ordinary = pool.submit(device.run, launch("add 1"))
        assert not wait([ordinary], MOMENT).done
        holder.leave()
        assert ordinary.result(10).completed
    assert User(alone=True, name="scripted:0").has_it(), "and lets go of it"


def test_a_launch_that_fails_lets_go_too(device: gpu.Gpu) -> None:
    with pytest.raises(GraderFault, match="is gone"):
        device.run(launch("kill"))
    assert User(alone=True, name="scripted:0").has_it()


def test_where_there_can_be_no_lock_it_is_our_fault(device: gpu.Gpu, locks: Path) -> None:
    (locks / "nothing").touch()
    gpu_sharing.LOCKS = locks / "nothing"
    with pytest.raises(GraderFault, match="The GPU cannot be shared"):
        device.run(launch("add 1"))


@pytest.mark.parametrize("how", ["another user's", "open to others", "a link"])
def test_a_folder_of_somebody_else_is_not_used(locks: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    folder = locks / "autograder-7"
    monkeypatch.setattr(gpu_sharing, "LOCKS", folder)
    if how == "a link":
        (locks / "private").mkdir(mode=0o700)
        folder.symlink_to(locks / "private")
    else:
        folder.mkdir(mode=0o777)
        folder.chmod(0o777 if how == "open to others" else 0o700)
    if how == "another user's":
        monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    refused = pytest.raises(GraderFault, match=r"is not a folder of yours alone. Have it removed, or hide the GPU")
    with refused, gpu_sharing.use("gpu", alone=True):
        pass
    assert not any(folder.iterdir())
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    with pytest.raises(GraderFault, match="is not a folder of yours alone"):
        sandbox.prepare()


def test_the_gpus_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for message, visible in (("", ()), ("2", ("2",)), ("0, 3", ("0", "3")), ("MIG-a,MIG-b", ("MIG-a", "MIG-b"))):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", message)
        assert gpu_sharing.visible() == visible
