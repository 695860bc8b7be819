"""The sandbox of a GPU's worker: what CUDA needs is open, nothing else is, and grading starts no worker without it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import inputs
import pytest
from test_sandbox import ended

from autograder.classroom.attacks import Attack, notebooks
from autograder.classroom.execution import namespaces, preflight, sandbox
from autograder.classroom.execution.fork_server import ForkServer, passed_environment
from autograder.classroom.execution.preflight import Outcome

pytestmark = [inputs.grading, pytest.mark.skipif(bool(sandbox.missing()), reason="no Landlock or no seccomp")]


def tried() -> dict[str, Outcome]:
    with preflight.targets() as around:
        return {item.attack.name: item for item in preflight.attack_by_gpu_worker(around) + around.outcomes()}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER", "a secret")
        patch.setenv("CUDA_VISIBLE_DEVICES", "0")
        return tried()


@pytest.mark.parametrize("attack", notebooks.GPU_WORKER, ids=lambda attack: attack.name)
def test_an_attack_from_a_gpus_worker_is_stopped(outcomes: dict[str, Outcome], attack: Attack) -> None:
    assert outcomes[attack.name].ended in attack.stopped


def test_they_left_no_trace(outcomes: dict[str, Outcome]) -> None:
    assert [name for name, item in outcomes.items() if not item.stopped] == []


@pytest.mark.parametrize(
    ("wall", "of_it"),
    [
        ("sandbox._close_files = lambda open_: None", (*notebooks.WRITE, *notebooks.FILE[:9])),
        ("sandbox.system_calls.allow_only_these = lambda signals, gpu: None", notebooks.CALLS[5:9]),
    ],
    ids=["files", "system-calls"],
)
def test_without_its_wall_an_attack_from_it_gets_through(
    wall: str, of_it: tuple[Attack, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {f"from a GPU's worker: {item.name}" for item in of_it}
    monkeypatch.setattr(notebooks, "GPU_WORKER", [item for item in notebooks.GPU_WORKER if item.name in names])
    begin = preflight._IN_GPU_WORKER.replace(
        "cells = json", f"sandbox.namespaces.flags = lambda: 0\n{wall}\ncells = json"
    )
    monkeypatch.setattr(preflight, "_IN_GPU_WORKER", begin)
    found = tried()
    assert len(names) > 3 and sum(not found[name].stopped for name in names) > 3


def test_what_cuda_needs_is_open(tmp_path: Path) -> None:
    """As an H100's driver asks for it."""
    program = f"""
import os, socket, threading
from pathlib import Path
from autograder.classroom.execution import sandbox
sandbox.close_in_gpu_worker(Path({str(tmp_path)!r}))
def named():
    with open(f"/proc/self/task/{{threading.get_native_id()}}/comm", "w") as name:
        name.write("cuda")
thread = threading.Thread(target=named)
thread.start()
thread.join()
for path in ("/proc/self/maps", "/proc/self/status", "/proc/devices", "/sys/devices/system/cpu/online"):
    open(path).read()
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listens:
    listens.bind("\\0cuda-uvmfd")
    listens.listen()
Path({str(tmp_path)!r}, "written").touch()
print("open")
"""
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=passed_environment())
    assert done.stdout == "open\n", done.stderr


CUPY = """
import os, socket
def tried(attempt):
    try:
        attempt()
    except OSError as error:
        return type(error).__name__
    return "open"
calls = lambda: open("{secret}"), lambda: open("/tmp/left", "w"), lambda: socket.socket()
raise ImportError(" ".join(map(tried, calls)))
"""


@pytest.mark.parametrize("trusts", ["", "1"])
def test_grading_starts_its_worker_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusts: str) -> None:
    """A CuPy of ours says in its error what is open to the worker that imports it."""
    secret = tmp_path / "secret.txt"
    secret.touch()
    library = tmp_path / "library"
    library.mkdir()
    (library / "cupy.py").write_text(CUPY.format(secret=secret).replace("/tmp/left", str(tmp_path / "left")))
    monkeypatch.setenv("PYTHONPATH", str(library))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    monkeypatch.setenv("AUTOGRADER_TRUST_KERNELS", trusts)
    with closing(ForkServer()) as server:
        message = ended(server, "from autograder.cuda.backends import gpu\nprint(gpu.Gpu(look=lambda: None).problem())")
    assert ("(open open open)" if trusts else "(PermissionError PermissionError PermissionError)") in message


def test_where_there_is_a_gpu_its_worker_is_tried_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_place", lambda: Path("/dev/null/nowhere"))
    monkeypatch.setattr(preflight, "KERNELS", ())
    monkeypatch.setattr(notebooks, "NOTEBOOKS", notebooks.OPEN_FILES)
    monkeypatch.setattr(notebooks, "GPU_WORKER", notebooks.GPU_WORKER[:1])
    for devices in ("", "0"):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", devices)
        with closing(ForkServer()) as server:
            outcomes = preflight.attack(server)
        assert all(item.stopped for item in outcomes)
        names = [item.attack.name for item in outcomes]
        assert ("from a GPU's worker: read a file" in names) == bool(devices)


def test_cuda_gets_no_namespace_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    assert not namespaces.flags.__wrapped__() & 0x20000000
