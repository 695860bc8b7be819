"""Runs in the process that owns the GPU: compiles a kernel, launches it, and sends back what it wrote.

`gpu` starts it as `python -m autograder.cuda.backends.gpu_worker READ_FD WRITE_FD`; its file descriptors 1 and 2
are files that it can read back. It is a separate process because an illegal address ruins a CUDA context
for good, and because the only way to stop an endless kernel is to kill its process.

We compile kernels with `nvrtc` and load them with CuPy's `Module`, not with CuPy's `RawModule`, which loads a
text only once (so `__device__` variables would keep their values from the previous launch), flushes
denormals to zero (-ftz=true), and caches what it compiled in the home folder.

First it reports what it found: {"device", "id", "arch", "max_shared", "processors", "reads_host", "versions"}, or
{"problem", ...} and exits. "reads_host": whether a kernel on any GPU here can read and write this process's own memory.
Then, for each request (see `gpu`), it sends what it does, {"phase": "compiling" | "running" | "copying"}, and finally
one of
  {"outcome": "completed", "damage"}            blobs: the arrays, and what the kernel printed
  {"outcome": "crash", "status", "text"}        blobs: what the kernel printed, the CUDA runtime's words;
                                                then it exits
  {"outcome": "compile_error", "messages", "log"}
  {"outcome": "unfit", "text"}                  this GPU can't run the launch
  {"outcome": "fault", "text"}                  our fault; then it exits

A request with "repeats" asks for timing. It has several kernels, "series", which take turns; `blobs` has the
arguments of a launch of each, then of the next of each, and so on. Each launch runs that many times; see `gpu_timer`.
The reply is {"outcome": "completed", "launches"}, a list of {"damage", "times"} in the same order, with the arrays of
all launches as blobs. Here phases, and replies that aren't "completed", have "series", the kernel that they tell of.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import math
import os
import resource
import select
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ..compiler.forbidden import find_forbidden
from ..nvrtc import compiler as nvrtc
from ..nvrtc.packages import Version, as_version
from .channel import Blob, Channel, Header
from .gpu_timer import Timed, arguments, cublas_product, time_launches
from .guards import Layout

Reply = tuple[Header, Sequence[Blob]]

#: Most bytes of a launch's output that we keep, and most that it may write.
PRINT_LIMIT, FILE_LIMIT = 1 << 20, 64 << 20
_TOO_OLD_DRIVER, _NO_DEVICE = 35, 100  # cudaErrorInsufficientDriver, cudaErrorNoDevice
_PAGEABLE_MEMORY_ACCESS = 88  # cudaDevAttrPageableMemoryAccess
_MAX_CUBINS = 64


class Device:
    """The first GPU that CUDA shows. `hello` describes it, or says why there is none."""

    def __init__(self) -> None:
        self.hello = self._look()

    def _look(self) -> Header:
        # Imported here because a broken CuPy is one of the possible answers.
        os.environ.pop("CUPY_TF32", None)  # a library product with less precision would be no fair baseline
        try:
            cupy: Any = importlib.import_module("cupy")
            runtime = cupy.cuda.runtime
        except Exception as error:  # usually an ImportError, but a broken install can raise anything
            return {"problem": "import", "text": _first_line(error)}
        try:
            numbers = range(runtime.getDeviceCount())
            properties = runtime.getDeviceProperties(0)
            reads_host = any(runtime.deviceGetAttribute(_PAGEABLE_MEMORY_ACCESS, number) for number in numbers)
        except runtime.CUDARuntimeError as error:
            if error.status == _NO_DEVICE:
                return {"problem": "no device"}
            if error.status == _TOO_OLD_DRIVER:
                if runtime.driverGetVersion() == 0:
                    return {"problem": "no driver"}
                needs = _dotted(as_version(runtime.runtimeGetVersion()))
                return {"problem": "old driver", "what": "CuPy", "needs": needs}
            return {"problem": "cuda", "text": _first_line(error)}
        if why := nvrtc.problem():
            return {"problem": "nvrtc", "text": why}
        if nvrtc.version()[0] > as_version(runtime.driverGetVersion())[0]:  # the driver would refuse its machine code
            return {"problem": "old driver", "what": "NVRTC", "needs": _dotted(nvrtc.version())}
        arch = _best_arch(properties["major"], properties["minor"], nvrtc.supported_archs())
        if arch is None:
            wanted = f"sm_{properties['major']}{properties['minor']}"
            oldest = nvrtc.supported_archs()[0]
            return {"problem": "arch", "arch": wanted, "oldest": oldest, "nvrtc": _dotted(nvrtc.version())}
        self._cuda = cupy.cuda
        return {
            "device": properties["name"].decode(),
            "id": runtime.deviceGetPCIBusId(0),
            "arch": arch,
            "max_shared": properties["sharedMemPerBlockOptin"],
            "processors": properties["multiProcessorCount"],
            "reads_host": reads_host,
            "versions": {
                "cupy": cupy.__version__,
                "cuda": _dotted(as_version(runtime.runtimeGetVersion())),
                "nvrtc": _dotted(nvrtc.version()),
                "driver": _dotted(as_version(runtime.driverGetVersion())),
            },
        }

    def run(self, request: Header, blobs: Sequence[Blob], send: Callable[[Header], None]) -> Reply:
        """The reply to `request`; `send` receives the messages before it."""
        if "repeats" in request:
            return self._time(request, blobs, send)
        function = self._load(request)
        if isinstance(function, dict):
            return function, ()
        return self._run_once(function, request, blobs, send)

    def _load(self, request: Header) -> Any:
        """The kernel of `request`, ready to be launched; a reply if it can't be."""
        if "cublas" in request:
            return cublas_product(request["cublas"])
        if find_forbidden(request["source"]):  # the client checks too, but may have been compromised
            return {"outcome": "fault", "text": "a forbidden text was sent to it"}
        compiled = _compile(request["source"], request["name"], self.hello["arch"])
        if not compiled.ok:
            return {"outcome": "compile_error", "messages": compiled.messages, "log": compiled.log}
        # Loaded again for each request, so that __device__ variables start with their initial values.
        module = self._cuda.Module()
        module.load(compiled.cubin)
        function = module.get_function(compiled.entry)
        cooperative = compiled.cooperative and request["cooperative"]
        if why := self._misfit(function, request, cooperative):
            return {"outcome": "unfit", "text": why}
        if cooperative:
            function = functools.partial(function, enable_cooperative_groups=True)
        return function

    def _run_once(self, function: Any, request: Header, blobs: Sequence[Blob], send: Callable[[Header], None]) -> Reply:
        arrays = [blob for blob, is_array in zip(blobs, request["is_array"], strict=True) if is_array]
        layout = Layout.of([len(array) for array in arrays])
        try:
            memory = self._cuda.Memory(layout.total)
        except self._cuda.memory.OutOfMemoryError:
            return _too_large(layout.total)
        block = layout.fill(arrays)
        runtime = self._cuda.runtime
        runtime.memcpy(memory.ptr, block.ctypes.data, layout.total, runtime.memcpyHostToDevice)
        values = arguments(request["is_array"], blobs, [memory.ptr + offset for offset in layout.offsets])
        _empty(1)
        _empty(2)
        send({"phase": "running"})
        try:
            function(tuple(request["grid"]), tuple(request["block"]), values, shared_mem=request["shared_mem"])
            runtime.deviceSynchronize()
        except (runtime.CUDARuntimeError, self._cuda.driver.CUDADriverError) as error:
            crash = {"outcome": "crash", "status": error.status, "text": _first_line(error)}
            return crash, (_written(1), _written(2))
        send({"phase": "copying"})
        runtime.memcpy(block.ctypes.data, memory.ptr, layout.total, runtime.memcpyDeviceToHost)
        return {"outcome": "completed", "damage": layout.damage(block)}, (*layout.arrays(block), _written(1))

    def _time(self, request: Header, blobs: Sequence[Blob], send: Callable[[Header], None]) -> Reply:
        at = 0

        def progress(what: Header) -> None:
            nonlocal at
            at = what["series"]
            send(what)

        timed = []
        for number, kernel in enumerate(request["series"]):
            progress({"phase": "compiling", "series": number})
            function = self._load(kernel)
            if isinstance(function, dict):
                return function | {"series": at}, ()
            timed.append(
                Timed(function, tuple(kernel["grid"]), tuple(kernel["block"]), kernel["shared_mem"], kernel["is_array"])
            )
        _empty(1)
        _empty(2)
        runtime = self._cuda.runtime
        try:
            launches, results = time_launches(self._cuda, timed, request["repeats"], blobs, progress)
        except self._cuda.memory.OutOfMemoryError:
            return _too_large(sum(map(len, blobs)))
        except (runtime.CUDARuntimeError, self._cuda.driver.CUDADriverError) as error:
            crash = {"outcome": "crash", "status": error.status, "text": _first_line(error), "series": at}
            return crash, (_written(1), _written(2))
        return {"outcome": "completed", "launches": launches}, results

    def _misfit(self, function: Any, request: Header, cooperative: bool) -> str | None:
        """Why this GPU can't launch `function` as requested; if it can, grant it its shared memory.

        The blocks of a `cooperative` launch wait for each other, so all must be on the GPU at once.
        """
        driver = self._cuda.driver

        def attribute(what: int) -> int:
            return int(driver.funcGetAttribute(what, function.ptr))

        device, name, dynamic = self.hello["device"], request["name"], request["shared_mem"]
        static, limit = attribute(driver.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), self.hello["max_shared"]
        if dynamic + static > limit:
            return (
                f"{name} needs {dynamic} bytes of dynamic and {static} bytes of static shared memory, but a "
                f"block can have {limit} bytes on this GPU ({device}): use smaller tiles."
            )
        threads = math.prod(request["block"])
        most = attribute(driver.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
        if threads > most:
            registers = attribute(driver.CU_FUNC_ATTRIBUTE_NUM_REGS)
            return (
                f"{name} was compiled to {registers} registers a thread, with which a block can have at most "
                f"{most} threads on this GPU ({device}), not {threads}: use a smaller block, or say "
                f"__launch_bounds__({threads}) before its name."
            )
        # Without this, a launch with more than 48 KB of shared memory fails.
        driver.funcSetAttribute(function.ptr, driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic)
        if cooperative:
            each = driver.occupancyMaxActiveBlocksPerMultiprocessor(function.ptr, threads, dynamic)
            blocks, fit = math.prod(request["grid"]), self.hello["processors"] * each
            if blocks > fit:
                return (
                    f"{name} synchronizes its whole grid, so all its {blocks} blocks must be on the GPU at once, but "
                    f"this GPU ({device}) has room for {fit} blocks of {threads} threads: use a smaller grid."
                )
        return None


def main() -> None:
    read_fd, write_fd = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
    threading.Thread(target=_end_with_client, args=(read_fd,), daemon=True).start()
    channel = Channel(read_fd, write_fd)
    device = Device()
    channel.send(device.hello)
    while "problem" not in device.hello:
        try:
            request, blobs = channel.receive()
        except EOFError:
            break
        try:
            reply, results = device.run(request, blobs, channel.send)
        except Exception as error:  # whatever it is, it must be reported to the client
            reply, results = {"outcome": "fault", "text": f"{type(error).__name__}: {_first_line(error)}"}, ()
        channel.send(reply, results)
        if reply["outcome"] in ("crash", "fault"):
            break
    # Not sys.exit: after a crash, CUDA's own cleanup can fail or hang.
    os._exit(0)


def _end_with_client(read_fd: int) -> None:
    """Exit this process when the client is gone, even in the middle of an endless kernel."""
    hang_up = select.poll()
    hang_up.register(read_fd, 0)  # 0: wake up only when the other end closes
    hang_up.poll()
    os._exit(1)


def _dotted(version: Version) -> str:
    return "{}.{}".format(*version)


def _best_arch(major: int, minor: int, supported: Sequence[str]) -> str | None:
    """The newest architecture whose machine code runs on compute capability major.minor: it has the same
    major number and no newer minor number; None if NVRTC has none."""
    fitting = [arch for n in range(minor + 1) if (arch := f"sm_{major}{n}") in supported]
    return fitting[-1] if fitting else None


@functools.lru_cache(_MAX_CUBINS)
def _compile(source: str, name: str, arch: str) -> nvrtc.NvrtcResult:
    return nvrtc.compile_for(source, name, arch)


def _too_large(size: int) -> Reply:
    text = f"The arrays take {size} bytes, more than the GPU has free: use smaller ones."
    return {"outcome": "unfit", "text": text}, ()


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _empty(fd: int) -> None:
    os.ftruncate(fd, 0)
    os.lseek(fd, 0, os.SEEK_SET)


def _written(fd: int) -> bytes:
    """What was written to `fd` since `_empty`, up to PRINT_LIMIT bytes."""
    ctypes.CDLL(None).fflush(None)  # CUDA prints through C's buffered streams
    return os.pread(fd, PRINT_LIMIT, 0)


if __name__ == "__main__":
    main()
