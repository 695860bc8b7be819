"""The fork server: everything is imported once, and each notebook runs in a fork of it.

Started by `fork_server`, with the file descriptor of its end of a socket, and the limits of a notebook. Each message
carries two more: a file that holds the task, and a pipe for the results, one JSON document a line. First come the id of
the process that runs the task, and its folder, then the outputs of one cell after the other, and finally `"end"`.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import importlib
import io
import itertools
import json
import os
import resource
import select
import signal
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

import numpy as np

from ...cuda.backends import gpu, gpu_sharing
from ...cuda.backends.emulator_reply import TRUSTED
from ...cuda.backends.processor_time import limit_launches
from ...cuda.backends.worker_process import start_outside
from ...cuda.compiler import zig
from ...cuda.compiler.cache import keep_apart
from ...cuda.compiler.emulator_runtime import build_preludes
from ...cuda.compiler.module_reader import read_module
from ...cuda.compiler.toolchain import Module, compile_kernel
from ...cuda.errors import MachineFault
from ...cuda.programs.building.cpp_library import system_libraries
from ...cuda.report.kinds import kinds
from ...exercises.checks.checker import Checker
from ...exercises.declarations.declaration import Case, Output
from ...exercises.notebook.session import Session
from ...exercises.notebook.shell import Output as CellOutput
from ...exercises.notebook.shell import Shell, make_shell
from . import control_groups, namespaces, sandbox
from .fork_server import MAX_FAULT, READY
from .task import Task
from .usage import Limits

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
#: `gpu.WORKER` in a sandbox of its own.
_SANDBOXED_WORKER = (sys.executable, "-P", "-m", "autograder.classroom.execution.sandboxed_worker")
#: Processes and threads of this user that may be started while a notebook runs, by it and by others.
_MORE_TASKS = 4096
#: More than the emulator's memory of a launch, which is a file, too.
_FILE_BYTES = 4 << 30
#: Where /proc is closed, Python closes every number that a file could have before it starts a program, and each launch
#: is one. A system may allow a million of them.
_OPEN_FILES = 1024


def main() -> None:
    """Serve requests until the other end is closed; then end what still runs."""
    running: dict[int, tuple[Path, Path | None]] = {}
    limits = Limits(**json.loads(sys.argv[2]))
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        requests.set_inheritable(False)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            shell = _warm_up()
        except MachineFault as fault:
            requests.send(str(fault).encode()[:MAX_FAULT])
            return
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)  # who outlives its notebook's process becomes our child
        woken = _wake_at_ends()
        requests.send(READY)
        devices = itertools.cycle(gpu_sharing.visible() or (None,))
        while True:
            left = control_groups.SWEEP_SECONDS if control_groups.sweep() else None
            ready, _, _ = select.select([requests.fileno(), woken], [], [], left)
            if woken in ready:
                os.read(woken, 1 << 16)
                _end_with(running)
            if requests.fileno() not in ready:
                continue
            message, descriptors, _, _ = socket.recv_fds(requests, 1, 2)
            if not message:
                break
            device, home, group = next(devices), Path(tempfile.mkdtemp()), control_groups.make(limits)
            with namespaces.for_children():
                process = os.fork()
            if process == 0:
                os.close(signal.set_wakeup_fd(-1))
                requests.close()
                os.close(woken)
                if device is not None:
                    os.environ["CUDA_VISIBLE_DEVICES"] = device  # one for each notebook, in turn
                _answer(shell, home, group, *descriptors)
            running[process] = home, group
            for descriptor in descriptors:
                os.close(descriptor)
    for process, (_, group) in running.items():
        _end_all(process, group)
    control_groups.finish()


def _wake_at_ends() -> int:
    """The end of a pipe that can be read once a child has ended."""
    read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return read


def _end_with(running: dict[int, tuple[Path, Path | None]]) -> None:
    """End what still runs of each notebook whose process has ended, and remove its folder. Nobody else gets its number
    until we wait for it."""
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if ended is None:
            return
        if ended.si_pid in running:
            home, group = running.pop(ended.si_pid)
            _end_all(ended.si_pid, group)
            # Not by Python, which a folder in a folder in a folder, a thousand times, would end.
            os.posix_spawnp("rm", ["rm", "-rf", "--", str(home)], os.environ)
        os.waitpid(ended.si_pid, 0)


def _end_all(process: int, group: Path | None) -> None:
    """End the process group of `process`, and its control group."""
    with suppress(ProcessLookupError, PermissionError):  # it has ended, or was only just forked and ends with us
        os.killpg(process, signal.SIGKILL)
    if group:
        control_groups.end(group)


_KERNEL = """
__global__ void warm_up(const float* in, float* out, int n)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
"""


#: What IPython imports for `%load_ext autograder`, and numpy for np.unique.
#: A cell that ran here instead would leave traces in the forks.
_IMPORTED_LATE = (
    "autograder.exercises.notebook.magic",
    "IPython.core.magics.extension",
    "IPython.core.logger",
    "bdb",
    "numpy.ma",
)


def _warm_up() -> Shell:
    """Do once what every notebook does up to its first result: forks inherit what that imports and
    caches."""
    shell = make_shell(Path.cwd())
    for name in _IMPORTED_LATE:
        importlib.import_module(name)
    package = importlib.import_module("autograder")
    for name in package.__all__:  # each imports its module when it is first used
        getattr(package, name)
    kinds()  # the words of reports
    if zig.problem() is None:
        numbers = np.random.default_rng(0).random(32, np.float32)
        exercise = Session(find_gpu=lambda: None, find_timer=lambda: None)
        exercise.exercise(
            "warm_up", lambda draw: Case(1, 32, [numbers, Output(32, np.float32), 32], [numbers[::-1]]), [{}]
        )
        exercise.answer("warm_up", _KERNEL)
        check = exercise.check("warm_up")
        assert isinstance(check, Checker)
        with redirect_stdout(io.StringIO()):
            check.matches_numpy()
        module = compile_kernel(f"\n{_KERNEL}", "warm_up")
        assert isinstance(module, Module)
        read_module(module.path, {})
        build_preludes()
        system_libraries()
    sandbox.prepare()
    gc.freeze()  # a fork that collects garbage would copy every page
    return shell


def _answer(shell: Shell, home: Path, group: Path | None, request: int, reply: int) -> NoReturn:
    """Run as a fork: alone in its process group, and until the fork server ends at the latest."""
    status = 1
    folder, kernels = home / "own", home / "kernels"
    try:
        process = int(os.readlink("/proc/self"))  # as others know it; within its namespace it is number 1
        if group:
            control_groups.enter(group)
        folder.mkdir()
        kernels.mkdir()
        keep_apart(kernels)  # nobody else loads what a notebook's process wrote
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
        os.setsid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _limit_resources()
        os.dup2(0, 2)  # /dev/null: the next notebook's process could read what this one wrote into the file
        _open_anew()
        os.chdir(folder)
        if gpu_sharing.visible():
            trusts = os.environ.get(TRUSTED) == "1"  # the way out where a driver does not bear the walls
            start_outside(gpu.WORKER, gpu.WORKER if trusts else _SANDBOXED_WORKER)
        sandbox.close_in(home)
        with open(request, encoding="utf-8") as file, open(reply, "w", encoding="utf-8") as answers:
            task = Task.from_json(file.read())
            print(json.dumps([process, str(home)]), file=answers, flush=True)
            # A cell that takes too long is our fault, and what a kernel takes is not: a slow answer is stopped before.
            limit_launches(task.cell_seconds / 2)
            for cell in task.cells:
                print(json.dumps(_run_in_time(shell, cell, task.cell_seconds)), file=answers, flush=True)
            print('"end"', file=answers)
        status = 0
    finally:
        os._exit(status)


def _open_anew() -> None:
    """Open anew what libraries of the fork server keep open to read, as libffi does its own file: the forks share one
    position in an open file, where one notebook's process could leave a number for the next."""
    for number in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):  # the listing's own is closed by now
            reads = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY
            if reads and stat.S_ISREG(os.fstat(number).st_mode):
                opened = os.open(f"/proc/self/fd/{number}", os.O_RDONLY)
                os.dup2(opened, number, inheritable=False)
                os.close(opened)


def _limit_resources() -> None:
    tasks = int(Path("/proc/loadavg").read_text().split()[3].split("/")[1])
    limits = {
        resource.RLIMIT_NPROC: tasks + _MORE_TASKS,  # of this user; for root, only the client counts: see `fork_server`
        resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
    }
    for what, limit in limits.items():
        _, most = resource.getrlimit(what)
        limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(what, (limit, limit))


#: As nbgrader words it.
_TIMEOUT = {"ename": "CellTimeoutError", "evalue": "", "traceback": ["CellTimeoutError: the cell ran too long"]}


def _run_in_time(shell: Shell, cell: str, seconds: int) -> list[CellOutput] | None:
    """Run one cell; one that takes longer than `seconds` is interrupted, and its last output says so."""
    outputs = None
    with _limit(seconds) as expired:
        outputs = shell.run(cell)
    if expired:
        outputs = [*shell.outputs, {"output_type": "error", **_TIMEOUT}]
    return outputs


@contextmanager
def _limit(seconds: int) -> Iterator[list[bool]]:
    """Interrupt the body after `seconds`; the list then has an element."""
    expired: list[bool] = []

    def interrupt(signum: int, frame: FrameType | None) -> None:
        expired.append(True)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield expired
    except KeyboardInterrupt:  # it came between two statements of ours
        if not expired:
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    main()
