"""Runs a launch on this machine's GPU, in a worker process: see `gpu_worker`.

Checking for a GPU takes two steps. If CuPy or the driver library is missing, we answer here, in a few
milliseconds, without importing CuPy (half a second) and without starting CUDA in the notebook's process.
Otherwise we start the worker, which a launch needs anyway (about a second), and it reports what it found.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable, Sequence

import numpy as np

from ..compiler.forbidden import find_forbidden
from ..core.launch import Launch, Series
from ..core.run import Run, TimedRun
from ..core.signature import TEXTURES
from ..errors import CellError, GraderFault, UsageError
from ..nvrtc import packages
from ..source.generation import runs_on
from . import gpu_sharing
from .channel import Blob, Header
from .gpu_problems import look_for_driver, problem_message
from .gpu_reply import as_run, stopped
from .worker_process import GRACE, WorkerDied, WorkerProcess

#: Most seconds that a kernel may run.
TIME_LIMIT = 10.0
#: Most seconds for compiling and sending the arrays, and for getting them back.
COMPILE_LIMIT, COPY_LIMIT = 60.0, 60.0
# -P: the worker must not import modules from the notebook's folder by accident.
WORKER = (sys.executable, "-P", "-m", "autograder.cuda.backends.gpu_worker")


def _refuse_objects(launch: Launch) -> None:
    """On a GPU, a texture or a tensor map is no array of ours."""
    # (Of a text that is refused, no parameters are known.)
    for parameter, arg in zip(launch.signature.parameters, launch.args, strict=False):
        if parameter.type in TEXTURES:
            raise UsageError(f"{parameter.declaration} is a texture or surface, which no GPU is given: use emulate.")
        if isinstance(arg, np.ndarray) and not parameter.is_pointer:
            raise UsageError(f"{parameter.declaration} is a tensor map, which no GPU is given: use emulate.")


class Gpu:
    """A GPU, used through one worker process that starts on demand; thread-safe.

    Args:
        worker: the worker's command.
        time_limit: most seconds that a kernel may run.
        compile_limit: most seconds that compiling it may take.
        look: the first step of `problem`.
    """

    def __init__(
        self,
        worker: Sequence[str] = WORKER,
        time_limit: float = TIME_LIMIT,
        compile_limit: float = COMPILE_LIMIT,
        look: Callable[[], str | None] | None = None,
    ) -> None:
        self._command, self._look = worker, look or look_for_driver
        self._limits = {"compiling": compile_limit, "running": time_limit, "copying": COPY_LIMIT}
        self._lock = threading.RLock()
        self._worker: WorkerProcess | None = None
        self._requested = False
        self._problem: str | None = None
        self._name = self._id = ""
        self._hello: Header = {}
        atexit.register(self.close)
        if sys.platform != "win32":
            os.register_at_fork(after_in_child=self._after_fork)

    def problem(self) -> str | None:
        """Why no GPU can be used here, in one sentence that says what to do; None if one can. Checks only once."""
        with self._lock:
            if not self._requested:
                self._problem = self._look() or self._problem_of_worker()
                self._requested = True
            return self._problem

    def device_name(self) -> str:
        """The GPU's name, for example "NVIDIA H200". Raises UsageError: there is no usable GPU."""
        if why := self.problem():
            raise CellError(why)
        return self._name

    def versions(self) -> str:
        """What runs kernels on the GPU: "CuPy 14.2.0 for CUDA 13.0, NVRTC 13.5, driver for CUDA 13.0". Raises
        UsageError: there is no usable GPU."""
        if why := self.problem():
            raise CellError(why)
        return "CuPy {cupy} for CUDA {cuda}, NVRTC {nvrtc}, driver for CUDA {driver}".format(**self._hello["versions"])

    def is_too_old_for(self, source: str) -> bool:
        """Whether there is a usable GPU here, and it lacks something that CUDA C++ text `source` uses: clusters."""
        return self.problem() is None and not runs_on(source, self._hello["arch"])

    def processors(self) -> int:
        """How many multiprocessors the GPU has. Raises UsageError: there is no usable GPU."""
        if why := self.problem():
            raise CellError(why)
        return int(self._hello["processors"])

    def reads_host_memory(self) -> bool:
        """Whether a kernel on a GPU here can read and write all memory of its worker process (Heterogeneous Memory
        Management, or Grace), and so forge its answers. False where no GPU can be used."""
        return self.problem() is None and bool(self._hello["reads_host"])

    def run(self, launch: Launch) -> Run:
        """Run `launch` on the GPU. `Run.counts` is None; `Run.backend` is the GPU's name.

        Raises:
            UsageError: there is no usable GPU, or this one can't run the launch.
            GraderFault: the worker process failed.
        """
        name = self.device_name()
        _refuse_objects(launch)
        # (NVRTC reads the files that a text includes.)
        if found := launch.refusal or find_forbidden(launch.source):
            return stopped(launch, name, [found])
        reply, blobs = self._exchange(_kernel(Series([launch])), [np.asarray(arg) for arg in launch.args])
        return as_run(launch, name, reply, blobs)

    def time(self, series: Sequence[Series], repeats: int = 1) -> tuple[tuple[TimedRun, ...], ...]:
        """Run and time each launch `repeats` times, after a warm-up of each series with its first one.

        The series have equally many launches and take turns: the first launch of each, then the second of each, and so
        on. That way a clock that changes meanwhile moves the times of all. Each launch finds its arrays as they were
        given, in global memory and not in the L2 cache.

        If a launch of the first series stops, all of its runs say why, and the others have none: ().

        Raises:
            GraderFault: a launch of a later series, a baseline, stopped or doesn't fit this GPU, or cuBLAS can't
                compute it; otherwise what `run` raises.
        """
        name, launches = self.device_name(), series[0].launches
        _refuse_objects(launches[0])
        if found := launches[0].refusal or find_forbidden(launches[0].source):
            return (tuple(TimedRun(stopped(launch, name, [found])) for launch in launches), *((),) * (len(series) - 1))
        order = [launch for turn in zip(*(each.launches for each in series), strict=True) for launch in turn]
        request = {"series": [_kernel(each) for each in series], "repeats": repeats}
        reply, blobs = self._exchange(request, [np.asarray(arg) for launch in order for arg in launch.args])
        if reply["outcome"] != "completed":
            if at := reply.get("series", 0):
                baseline = "cuBLAS" if series[at].cublas else series[at].launches[0].name
                raise GraderFault(f"The baseline {baseline} does not run on this GPU ({name}): {reply}.")
            return (
                tuple(TimedRun(as_run(launch, name, reply, blobs)) for launch in launches),
                *((),) * (len(series) - 1),
            )
        done, left = [], iter(blobs)
        for launch, result in zip(order, reply["launches"], strict=True):
            arrays = [next(left) for _ in launch.arrays]
            run = as_run(launch, name, {"outcome": "completed", "damage": result["damage"]}, [*arrays, bytearray()])
            done.append(TimedRun(run, tuple(result["times"]) if run.completed else ()))
        return tuple(tuple(done[at :: len(series)]) for at in range(len(series)))

    def close(self) -> None:
        """End the worker; the next launch starts a new one."""
        with self._lock:
            if self._worker:
                self._worker.end()
                self._worker = None

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id; None if there is no worker."""
        return self._worker.pid if self._worker else None

    def _problem_of_worker(self) -> str | None:
        try:
            self._worker = WorkerProcess(self._command)
        except WorkerDied as died:
            return f"The GPU's worker process does not start ({died}): run `nvidia-smi` to see if the GPU works."
        hello = self._worker.hello
        if "problem" in hello:
            self.close()
            return problem_message(hello, packages.here())
        self._name, self._id, self._hello = hello["device"], hello["id"], hello
        return None

    def _exchange(self, request: Header, blobs: Sequence[Blob]) -> tuple[Header, list[bytearray]]:
        """The worker's reply; if it ran out of time, {"outcome": "timeout", "phase", "series"}."""
        with self._lock, gpu_sharing.use(self._id, alone="repeats" in request):
            return self._exchange_unlocked(request, blobs)

    def _exchange_unlocked(self, request: Header, blobs: Sequence[Blob]) -> tuple[Header, list[bytearray]]:
        at: Header = {"phase": "compiling", "series": 0}
        try:
            if self._worker is None:
                self._worker = WorkerProcess(self._command)
            channel = self._worker.channel
            channel.send(request, blobs)
            reply, results = channel.receive(self._limits[at["phase"]])
            while "phase" in reply:
                at |= reply
                reply, results = channel.receive(self._limits[at["phase"]])
        except TimeoutError:
            self.close()
            return {"outcome": "timeout", **at}, []
        except WorkerDied as died:
            raise GraderFault(f"The GPU's worker process does not start ({died}).") from None
        except (EOFError, BrokenPipeError):
            how = self._worker.end(GRACE) if self._worker else ""
            self._worker = None
            raise GraderFault(f"The GPU's worker process is gone ({how}); the next launch starts a new one.") from None
        except BaseException:  # such as an interrupt: the next request must not read this one's reply
            self.close()
            raise
        if reply["outcome"] in ("crash", "fault"):
            self.close()
        return reply, results

    def _after_fork(self) -> None:
        # The worker belongs to the parent: two processes must not talk to it at once.
        self._lock = threading.RLock()
        if self._worker:
            self._worker.abandon()
            self._worker = None


def _kernel(series: Series) -> Header:
    """What the worker must know of a kernel and its launch but for the arguments.

    Raises:
        GraderFault: cuBLAS can't compute it.
    """
    first = series.launches[0]
    header: Header = {
        "grid": first.grid,
        "cooperative": first.cooperative,
        "block": first.block,
        "shared_mem": first.shared_mem,
        "is_array": [isinstance(arg, np.ndarray) for arg in first.args],
    }
    if not series.cublas:
        return header | {"source": first.source, "name": first.name}
    shapes = [array.shape for array in first.arrays[:3]]
    fit = len(shapes) == 3 and all(len(shape) == 2 for shape in shapes)
    if not fit or (shapes[0][0], shapes[1][1]) != shapes[2] or shapes[0][1] != shapes[1][0]:
        raise GraderFault(f"cuBLAS cannot stand in for {first.name}: its first arguments must be A, B and C.")
    return header | {"cublas": shapes}


_gpu = Gpu()
#: This machine's GPU.
problem, device_name, versions, processors = _gpu.problem, _gpu.device_name, _gpu.versions, _gpu.processors
is_too_old_for, reads_host_memory = _gpu.is_too_old_for, _gpu.reads_host_memory
run, time, close = _gpu.run, _gpu.time, _gpu.close
