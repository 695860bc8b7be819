"""Builds the emulator's runtime for WebAssembly, a module of its own whose memory each kernel's module shares."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...errors import GraderFault
from ..cache import keeping, lock, workplace
from ..emulator_runtime import EMULATOR
from ..kernel_flags import Runtime
from ..verifier.entries import runtime_entries
from ..zig import build
from . import math_library
from .binary import BASE, KERNEL_BASE, MAX_MEMORY, exported_globals
from .math_library import FREESTANDING

#: What the runtime and a kernel tell each other in passing.
_WORDS = ("emu_index", "emu_running", "emu_shape", "emu_site", "emu_way")
_LINK = [
    *f"wasm-ld -mwasm64 --no-entry --global-base={BASE} -z stack-size=65536 --no-stack-first".split(),
    # A kernel's entry is put into place 1 of the table: see platform/wasm/kernel.h.
    *f"--export-memory=memory --export-table --table-base=2 --allow-undefined {MAX_MEMORY} -s".split(),
    *"--export=__stack_pointer --export=__heap_base".split(),
]
#: What a kernel calls besides the entries of the verifier: see retarget.py.
_CALLED = ("emu_frame", "emu_rounding", "emu_rounds_made")
_WHAT = "The emulator's runtime for WebAssembly"
_RUNTIME = "-x c++ -std=c++20 -fno-rtti -fno-builtin -Wall -Wextra -Werror".split()


def build_runtime_module(runtime: Runtime) -> Path:
    """The runtime, built on first use.

    Raises:
        GraderFault: it does not build.
    """
    math = build_math_library(runtime)
    return _build(runtime, runtime.prelude.with_name("emulator.wasm"), partial(_build_runtime, math))


def shared_words(runtime: Runtime) -> dict[str, int]:
    """The addresses of the runtime's variables that a kernel reads and writes, by name."""
    places = exported_globals(build_runtime_module(runtime).read_bytes())
    return {word: places[word] for word in _WORDS}


def build_math_library(runtime: Runtime) -> Path:
    """The math library that kernels are linked with, which hardly ever changes. Raises as `build_runtime_module`."""
    target = runtime.prelude.parents[2] / "wasm-math" / f"{math_library.key()}.o"
    return _build(runtime, target, lambda _, folder: math_library.build_in(folder))


def _build(runtime: Runtime, target: Path, make: Callable[[Path, Path], str]) -> Path:
    """Let `make` make a file, whose name it returns, unless it is there; it gets the runtime's folder and one to work
    in."""
    home, cache = runtime.prelude.parent, runtime.prelude.parents[2]
    if not target.exists():
        with keeping(), lock(cache / "runtime.lock"):
            if not target.exists():
                target.parent.mkdir(exist_ok=True)
                with workplace() as folder:
                    shutil.move(folder / make(home, folder), target)
    return target


def _build_runtime(math: Path, home: Path, folder: Path) -> str:
    source = EMULATOR / "main.cpp"
    build(["clang", *FREESTANDING, *_RUNTIME, "-I", home, "-I", EMULATOR, source, "-o", "emulator.o"], folder, _WHAT)
    entries = [name[1:] for name in runtime_entries() if name.startswith(("@emu_", "@__tsan_", "@__ubsan_"))]
    exports = [f"--export-if-defined={name}" for name in (*entries, *_CALLED, *_WORDS)]
    build([*_LINK, *exports, "emulator.o", math, "-o", "emulator.wasm"], folder, _WHAT)
    if exported_globals((folder / "emulator.wasm").read_bytes())["__heap_base"] > KERNEL_BASE:
        raise GraderFault("The emulator's runtime reaches to where a kernel's data begin.")
    return "emulator.wasm"
