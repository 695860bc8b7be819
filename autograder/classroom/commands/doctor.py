"""Reports what works on this machine, and how to fix the rest."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...cuda.backends import gpu, gpu_problems
from ...cuda.backends.emulator_reply import TRUSTED
from ...cuda.compiler import engine, zig
from ...cuda.compiler.canary import canary_for
from ...cuda.compiler.emulator_runtime import build_runtime
from ...cuda.compiler.toolchain import require_compiler
from ...cuda.errors import GraderFault, UsageError
from ...cuda.kernel import Kernel
from ...cuda.nvrtc import compiler as nvrtc
from ...cuda.nvrtc import packages
from ...cuda.programs.building import build
from ...cuda.programs.building.cpp_library import library_is_begun
from ...cuda.programs.building.nvidia_headers import LIBRARIES, install
from ...cuda.programs.building.runtime_build import runtime

#: Versions as in pyproject.toml: of Python, the oldest that will do, and the newest that everything is tested on.
OLDEST, NEWEST = (3, 11), (3, 14)
NEEDED = ("numpy>=2.0", zig.WHEEL)
_KERNEL = """\
__global__ void doubled(int* data)
{
    data[threadIdx.x] *= 2;
}
"""


@dataclass(frozen=True)
class Health:
    """The result of one check of the machine. `message` describes what was found and, unless it is `good`, what
    to do; exercises can't be checked without anything that is `needed`."""

    what: str
    good: bool
    message: str
    needed: bool = True


def examine() -> Iterator[Health]:
    """Check everything in turn; nothing here raises or changes the machine."""
    yield _python()
    yield _system()
    for requirement in NEEDED:
        yield _package(requirement)
    yield _package("ipython", needed=False)
    if engine.native_problem():
        yield _package(engine.NODE)
    yield _emulator()
    yield _sandbox()
    yield _notebook_sandbox()
    yield _nvrtc()
    if why := gpu_problems.two_cupys(packages.here()):
        yield Health("CuPy", False, why, needed=False)
    yield _gpu()
    if engine.native_problem() is None:  # whole programs run
        yield examine_libraries()
    # Only for instructors: a student's copy of the course has no nbgrader.
    if Path("_config.yml").exists() and importlib.util.find_spec("nbgrader"):
        if platform.system() == "Linux":  # where notebooks are graded
            yield _attacks()
        yield _repository()


def try_attacks() -> Iterator[Health]:
    """Try the attacks of `classroom/attacks` here, whatever was tried before; one result for each.

    Raises:
        UsageError: this machine lacks a wall, so nothing is graded on it anyway.
        GraderFault: no notebook can be run.
    """
    from ..execution import preflight, sandbox
    from ..execution.fork_server import ForkServer

    if why := sandbox.refusal():
        raise UsageError(why)
    with closing(ForkServer()) as server:
        for outcome in [*preflight.attack(server), *preflight.attack_by_program()]:
            message = " ".join(outcome.ended.split())
            yield Health(
                outcome.attack.name, outcome.stopped, message if outcome.stopped else f"got through: {message}"
            )


def _python() -> Health:
    here, oldest, newest = platform.python_version(), "{}.{}".format(*OLDEST), "{}.{}".format(*NEWEST)
    if sys.version_info[:2] < OLDEST:
        return Health("Python", False, f"{here}; the course needs {oldest} or later: make .venv with it")
    newer = f"; the course is tested on {oldest} to {newest}" if sys.version_info[:2] > NEWEST else ""
    return Health("Python", True, here + newer)


def _system() -> Health:
    here = f"{platform.system()} {platform.machine()}"
    try:
        wasm = engine.engine() is engine.Engine.WEBASSEMBLY
    except UsageError as error:
        return Health("system", False, f"{here}: {error}")
    slower = f"WebAssembly in Node, since {why}" if (why := engine.native_problem()) else "WebAssembly in Node"
    return Health("system", True, f"{here}; kernels run as {slower if wasm else 'native code'}")


def _package(requirement: str, needed: bool = True) -> Health:
    match = re.fullmatch(r"([\w-]+)(?:(==|>=)(.+))?", requirement)
    assert match is not None, requirement
    name, operator, wanted = match.groups()
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Health(name, False, f"not installed: run `pip install '{requirement}'`", needed)
    if (operator == "==" and found != wanted) or (operator == ">=" and _numbers(found) < _numbers(wanted)):
        return Health(name, False, f"{found}, which is the wrong version: run `pip install '{requirement}'`", needed)
    return Health(name, True, found, needed)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:2]]


def _emulator() -> Health:
    start = time.monotonic()
    try:
        require_compiler(build_runtime(), canary_for(""))
        if engine.native_problem() is None and library_is_begun():
            build.require_compiler(runtime(), untrusted=False)
        run = Kernel(_KERNEL, "doubled").emulate(1, 32, [np.arange(32, dtype=np.int32)])
    except (UsageError, GraderFault, OSError) as error:
        return Health("emulator", False, f"it does not run a kernel: {error}")
    if not run.completed or run.outputs[0].tolist() != list(range(0, 64, 2)):
        return Health("emulator", False, "it ran a kernel, and the result is wrong: please report this")
    return Health("emulator", True, f"compiled and ran a kernel in {time.monotonic() - start:.1f} s")


def _sandbox() -> Health:
    if engine.native_problem():
        return Health("seccomp", True, "not needed: kernels run as WebAssembly, which can reach nothing")
    try:
        with open("/proc/sys/kernel/seccomp/actions_avail") as file:
            good = "trap" in file.read().split()
    except OSError:
        good = False
    trusted = os.environ.get(TRUSTED) == "1"
    without = f"use another machine, or set {TRUSTED}=1 if you trust every kernel that is run here"
    if not good and not trusted:
        return Health("seccomp", False, f"this system has none, and the emulator runs nothing without it: {without}")
    text = "available" if good else f"this system has none, and {TRUSTED}=1 says that every kernel is trusted"
    return Health("seccomp", True, text)


def _notebook_sandbox() -> Health:
    if platform.system() != "Linux":
        return Health("sandbox", False, "notebooks are graded only under Linux", needed=False)
    from ..execution import control_groups, namespaces, sandbox

    if missing := sandbox.missing():
        return Health(
            "sandbox", False, f"not restricted for a notebook that is graded: {'; '.join(missing)}", needed=False
        )
    apart = namespaces.summary() or "nothing: this system does not let this user make any"
    closed = "a notebook that is graded reaches no files (Landlock) and no network (seccomp)"
    counted = "memory use is checked every second (under systemd, `systemd-run --user --scope` has Linux count it)"
    counted = "Linux limits its memory (control group)" if control_groups.parent() else counted
    return Health("sandbox", True, f"{closed}; separate namespaces for {apart}; {counted}", needed=False)


def _attacks() -> Health:
    from ..execution import preflight

    if day := preflight.known():
        return Health("attacks", True, f"every one was stopped here ({day})", needed=False)
    message = "not tried here by this version: grading does it first, and `autograder doctor --attacks` lists them"
    return Health("attacks", False, message, needed=False)


def _nvrtc() -> Health:
    if reason := nvrtc.problem():
        return Health("NVRTC", False, reason, needed=False)
    return Health("NVRTC", True, "from CUDA {}.{}".format(*nvrtc.version()), needed=False)


def examine_libraries() -> Health:
    """Whether NVIDIA's libraries of headers are there, for whole programs that include them."""
    if missing := tuple(library for library in LIBRARIES if not library.place()):
        names = " and ".join(library.what for library in missing)
        return Health(
            "libraries", False, f"{names}, for programs that need them: run `{install(missing)}`", needed=False
        )
    found = ", ".join(f"{library.what} ({library.package} {library.version()})" for library in LIBRARIES)
    return Health("libraries", True, found, needed=False)


def _gpu() -> Health:
    reason = gpu.problem()
    return Health("GPU", reason is None, reason or f"{gpu.device_name()}; {gpu.versions()}", needed=False)


def _repository() -> Health:
    from ...exercises.authoring.repository import course_address, owner_problem

    try:
        problem = owner_problem(Path.cwd())
        return Health("repository", problem is None, problem or course_address(Path.cwd()), needed=False)
    except UsageError as error:
        return Health("repository", False, str(error), needed=False)
