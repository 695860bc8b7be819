"""Builds the emulator's runtime for WebAssembly, a module of its own whose memory each kernel's module shares."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from ...errors import GraderFault
from ..cache import build_once, workplace
from ..emulator_runtime import EMULATOR, WARNINGS, includes
from ..kernel_flags import Runtime
from ..observer_list import write_observer_list
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
_RUNTIME = [*"-x c++ -std=c++20 -fno-rtti -fno-builtin".split(), *WARNINGS]


def build_runtime_module(runtime: Runtime) -> Path:
    """The runtime, built on first use.

    Raises:
        GraderFault: it does not build.
    """
    home = runtime.prelude.parent
    math = build_math_library(runtime)

    def build_in(folder: Path) -> str:
        return _build_runtime(home, math, folder)

    return _build(home / "wasm", build_in) / "emulator.wasm"


def shared_words(runtime: Runtime) -> dict[str, int]:
    """The addresses of the runtime's variables that a kernel reads and writes, by name."""
    places = exported_globals(build_runtime_module(runtime).read_bytes())
    return {word: places[word] for word in _WORDS}


def build_math_library(runtime: Runtime) -> Path:
    """The math library that kernels are linked with, which hardly ever changes. Raises as `build_runtime_module`."""
    home = runtime.prelude.parents[2] / "wasm-math" / math_library.key()
    return _build(home, math_library.build_in) / "built.o"


def _build(home: Path, build_in: Callable[[Path], str]) -> Path:
    """Let `build_in` build a file, whose name it returns, in a folder to work in; put it into `home`, unless it is
    there."""

    def build(made: Path) -> None:
        with workplace() as folder:
            name = build_in(folder)
            shutil.move(folder / name, made / name)

    return build_once(home, build)


def _build_runtime(home: Path, math: Path, folder: Path) -> str:
    source = EMULATOR / "main.cpp"
    write_observer_list(folder, EMULATOR)
    flags: list[str | Path] = [*FREESTANDING, *_RUNTIME, *includes(EMULATOR), "-I", home]
    build(["clang", *flags, source, "-o", "emulator.o"], folder, _WHAT)
    entries = [name[1:] for name in runtime_entries() if name.startswith(("@emu_", "@__tsan_", "@__ubsan_"))]
    exports = [f"--export-if-defined={name}" for name in (*entries, *_CALLED, *_WORDS)]
    build([*_LINK, *exports, "emulator.o", math, "-o", "emulator.wasm"], folder, _WHAT)
    if exported_globals((folder / "emulator.wasm").read_bytes())["__heap_base"] > KERNEL_BASE:
        raise GraderFault("The emulator's runtime reaches to where a kernel's data begin.")
    return "emulator.wasm"
