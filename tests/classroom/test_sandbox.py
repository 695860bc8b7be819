"""The sandbox of a notebook's process: what student Python could reach if it ever ran there."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import inputs
import psutil
import pytest
from nbformat.v4 import new_notebook
from rich.console import Console
from small_course import ROOT, take_gpu

from autograder.classroom.commands.progress import Display
from autograder.classroom.execution import local, sandbox
from autograder.classroom.execution.cluster import this_machine
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.preprocessors import Execute
from autograder.classroom.execution.task import Task
from autograder.cuda.backends import gpu
from autograder.cuda.compiler import cache as compile_cache
from autograder.cuda.compiler import zig
from autograder.cuda.compiler.emulator_runtime import build_runtime
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading

needs_files = pytest.mark.skipif("files" in "".join(sandbox.missing()), reason="no Landlock")
needs_filter = pytest.mark.skipif("system calls" in "".join(sandbox.missing()), reason="no seccomp")


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    server = ForkServer()
    yield server
    server.close()


def ended(server: ForkServer, cell: str) -> str:
    """What the cell printed, or the name of its error."""
    (outputs,) = server.run(Task("test", (cell,), 20)).cells
    assert outputs is not None and len(outputs) == 1, outputs
    return str(outputs[0].get("ename") or outputs[0]["text"].strip())


@needs_files
@pytest.mark.parametrize(
    "folder", "/tmp / ~ /usr/lib {cache} {cache}/runtime {cache}/modules {package} /dev/shm".split()
)
def test_nothing_else_is_written(server: ForkServer, folder: str) -> None:
    where = folder.format(cache=compile_cache.cache_folder(), package=Path(sandbox.__file__).parent)
    # A file without a name, so that nothing is left where there is no sandbox.
    cell = f"import os\nos.open(os.path.expanduser({where!r}), os.O_WRONLY | os.O_TMPFILE)"
    assert ended(server, cell) == "PermissionError"


@needs_files
@pytest.mark.parametrize("name", ["nbgrader_config.py", "solutions/threads/saxpy.ipynb", "pyproject.toml"])
def test_of_a_course_that_is_installed_in_place_only_the_package_is_read(server: ForkServer, name: str) -> None:
    assert (ROOT / name).exists() and ended(server, f"open({str(ROOT / name)!r})") == "PermissionError"


def test_what_was_installed_anywhere_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("target/x-1.0.dist-info", "target/x.libs", "course/solutions", "course/helpers"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("course/helpers/__init__.py", "course/more.py", "course/nbgrader_config.py"):
        (tmp_path / name).touch()
    monkeypatch.syspath_prepend(tmp_path / "target")
    monkeypatch.syspath_prepend(tmp_path / "course")
    readable = {str(p.relative_to(tmp_path)) for p in sandbox.readable.__wrapped__() if p.is_relative_to(tmp_path)}
    assert readable == {"target", "course/helpers", "course/more.py"}


HALF = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void twice(half* data) { data[threadIdx.x] = data[threadIdx.x] + data[threadIdx.x]; }
"""


@pytest.mark.skipif(zig.problem() is not None, reason="no emulator")
def test_what_a_kernel_needs_is_open(server: ForkServer) -> None:
    """The compiler, every header, the cache and the emulator; each run compiles a new text."""
    text = f"{HALF}// {time.time_ns()}"
    cell = "import numpy as np\nfrom autograder.cuda.kernel import Kernel\n"
    cell += f"run = Kernel({text!r}, 'twice').emulate(1, 4, [np.ones(4, np.float16)])\n"
    assert ended(server, cell + "print(run.completed, run.outputs[0].tolist())") == "True [2.0, 2.0, 2.0, 2.0]"


@pytest.mark.skipif(zig.problem() is not None, reason="no emulator")
def test_what_a_notebook_compiled_is_its_own(server: ForkServer) -> None:
    name = f"own_{time.time_ns()}"
    text = f"__global__ void {name}(int* x) {{ x[0] = 1; }}"
    cell = "from autograder.cuda.compiler.toolchain import compile_kernel\n"
    cell += f"print(compile_kernel({text!r}, {name!r}).path)"
    first, second = Path(ended(server, cell)), Path(ended(server, cell))
    assert first != second
    assert first.parent.name not in {path.name for path in (compile_cache.cache_folder() / "modules").iterdir()}


@needs_files
def test_the_emulator_cannot_be_exchanged_for_another(server: ForkServer) -> None:
    runner = build_runtime().runner
    copy = runner.with_name("copy")  # a copy that is not running: a running program cannot be written anyway
    shutil.copy(runner, copy)
    try:
        assert ended(server, f"open({str(copy)!r}, 'r+b')") == "PermissionError"
    finally:
        copy.unlink()


def test_its_own_folder_is_open_and_empty(server: ForkServer) -> None:
    cell = "import os, tempfile\nprint(os.listdir(), tempfile.gettempdir() == os.getcwd())\nopen('x', 'w').write('y')"
    for _ in range(2):
        outputs = server.run(Task("test", (cell,), 20)).cells[0]
        assert outputs is not None and outputs[0]["text"] == "[] True\n" and outputs[-1]["data"]["text/plain"] == "1"


@needs_files
@needs_filter
def test_one_notebook_reaches_neither_another_nor_its_owner(server: ForkServer) -> None:
    before = set(psutil.Process(server._process.pid).children())  # an earlier test's may be about to end
    other = threading.Thread(target=server.run, args=(Task("other", ("import time\ntime.sleep(60)",), 90),))
    other.start()
    while not (forks := set(psutil.Process(server._process.pid).children()) - before):
        assert other.is_alive()
        time.sleep(0.01)
    reach = """
import os
reached = []
for process in {others}:
    for reach in (lambda: os.kill(process, 0), lambda: open(f"/proc/{{process}}/mem", "rb"),
                  lambda: open(f"/proc/{{process}}/environ").read(), lambda: os.listdir(f"/proc/{{process}}/cwd")):
        try:
            reach()
            reached.append(process)
        except (PermissionError, ProcessLookupError):
            pass
print(reached)
"""
    others = [os.getpid(), server._process.pid, *(fork.pid for fork in forks)]
    try:
        assert len(others) > 2 and ended(server, reach.format(others=others)) == "[]"
        assert other.is_alive()
    finally:
        for fork in forks:
            fork.kill()
        other.join()


@needs_files
def test_it_stands_where_there_is_a_gpu_and_lets_it_be_shared(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    with closing(ForkServer()) as server:
        assert ended(server, "open('/etc/passwd')") == "PermissionError"
        use = "gpu_sharing.use('test', alone=True)"
        assert (
            ended(server, f"from autograder.cuda.backends import gpu_sharing\nwith {use}:\n    print('alone')")
            == "alone"
        )
        for attempt in ("open(gpu_sharing.LOCKS / 'test.held', 'w')", "gpu_sharing.LOCKS.iterdir().__next__()"):
            assert ended(server, f"from autograder.cuda.backends import gpu_sharing\n{attempt}") == "PermissionError"


def test_a_machine_without_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_has_seccomp", lambda: False)
    monkeypatch.setattr(local, "_server", None)  # another test's, which was let in
    why = r"open are system calls: use Linux .* Grade on another machine, or set AUTOGRADER_TRUST_KERNELS=1 if"
    with pytest.raises(UsageError, match=why), this_machine()(print):  # `autograder grade`
        pass
    with pytest.raises(UsageError, match=why):  # `nbgrader autograde`
        Execute().preprocess(new_notebook(), {"nbgrader": {"notebook": "one"}})


def test_a_gpu_that_reads_the_memory_of_its_worker_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (sys.executable, "-P", str(ROOT / "tests" / "cuda" / "backends" / "scripted_worker.py"))
    for reads, why in (("", ""), ("1", "open are the memory of the GPU's worker, to kernels: load nvidia_uvm")):
        with monkeypatch.context() as patch, closing(gpu.Gpu(script, look=lambda: None)) as device:
            if reads:
                patch.setenv("SCRIPTED_READS_HOST", reads)
            take_gpu(patch, device)
            assert why in sandbox.refusal() and bool(why) == bool(sandbox.refusal())
            patch.setenv("AUTOGRADER_TRUST_KERNELS", "1")
            assert not sandbox.refusal()


def test_a_machine_without_it_goes_on_if_told_so_and_says_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUTOGRADER_TRUST_KERNELS", "1")
    monkeypatch.setattr(sandbox, "_landlock_version", lambda: -1)
    monkeypatch.setattr(sandbox, "_has_seccomp", lambda: False)
    assert not sandbox.refusal()
    files, calls = sandbox.missing()
    shown = io.StringIO()
    Display(Console(file=shown, width=200), "words").begin(3, 0)
    message = shown.getvalue()
    assert message.count("On this machine, notebooks run in a weaker sandbox; open are files: use Linux") == 1
    assert files.startswith("files: use Linux 5.13") and calls.startswith("system calls: use Linux on x86-64")
    # In a process of its own: a fork of this one would lack threads that other tests started.
    program = f"""
import pathlib, socket
from autograder.classroom.execution import sandbox
sandbox._landlock_version, sandbox._has_seccomp = lambda: -1, lambda: False
sandbox.close_in(pathlib.Path({str(tmp_path / "own")!r}))
socket.socket().close()
pathlib.Path({str(tmp_path / "written")!r}).touch()
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    assert (tmp_path / "written").exists()
