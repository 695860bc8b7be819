"""Builds a WebAssembly module of a kernel's instrumented IR. It shares the runtime's memory and stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...errors import GraderFault
from ..clang import WASM, clang
from ..entry import DYNAMIC_BYTES
from ..ir import Call, Module
from ..kernel_flags import Runtime
from ..module_info import DynamicArray, ModuleInfo
from ..module_reader import refuse_foreign_names
from ..variables import Arrays, read_arrays
from ..zig import executable, run
from .binary import KERNEL_BASE, MAX_MEMORY, exported_globals, with_shared_stack
from .retarget import GAP, PADDED, retarget, retargeted_text
from .runtime import build_math_library, shared_words

_COMPILE = [*WASM, *"-x ir -O0 -Wno-override-module -emit-obj".split()]
_LINK = [
    *f"wasm-ld -mwasm64 --no-entry --global-base={KERNEL_BASE} -z stack-size=0 --no-stack-first".split(),
    *f"--import-memory --allow-undefined {MAX_MEMORY} -s --export=__heap_base".split(),
    *(f"--export={name}" for name in ("emu_entry", "emu_parameters", "emu_accesses", "emu_returns")),
]


def build_module(
    runtime: Runtime,
    module: Module,
    dynamic: DynamicArray,
    target: Path,
) -> ModuleInfo | str:
    """Build the file `target`. Other files are left in its folder.

    Args:
        module: the IR, instrumented for x86-64; it is changed.
        dynamic: the dynamic shared memory, as for `arrays.read_arrays`.

    Returns:
        what the module holds, or the compiler's messages if it rejects the IR.

    Raises:
        ForbiddenModuleError: the kernel calls or defines what it may not.
        GraderFault: the compiler failed.
    """
    functions = module.functions
    called = {i.callee for f in functions.values() for i in f.instructions() if isinstance(i, Call) and i.is_direct}
    names = sorted(name for name in called | functions.keys() if not name.startswith("@llvm."))
    refuse_foreign_names({name[1:].strip('"'): name in functions for name in names})
    arrays = read_arrays(module, dynamic)
    lines = retarget(module)
    folder = target.parent
    (folder / "wasm.ll").write_text(retargeted_text(module, shared_words(runtime)), encoding="utf-8")
    log = clang([*_COMPILE, "wasm.ll", "-o", "wasm.o"], folder)
    if log is not None:
        return log
    exports = [f"--export={symbol}{PADDED}" for symbol in arrays]
    done = run([executable(), *_LINK, *exports, "wasm.o", build_math_library(runtime), "-o", target], folder)
    if done.returncode:
        raise GraderFault(f"The emulator's linker failed: {done.stderr.strip()}")
    calls = tuple(name[1:] for name in names if name.startswith("@emu_") and name not in functions)
    linked = target.read_bytes()
    target.write_bytes(with_shared_stack(linked))
    return _describe(linked, arrays, lines, calls)


def _describe(linked: bytes, arrays: Arrays, lines: Sequence[int], calls: tuple[str, ...]) -> ModuleInfo:
    """Describe a linked module."""
    places = exported_globals(linked)
    placed = {symbol: replace(array, start=places[symbol + PADDED] + GAP) for symbol, array in arrays.items()}
    data = min(a.start for a in placed.values()) - GAP, max(a.start + a.bytes for a in placed.values()) + DYNAMIC_BYTES
    return ModuleInfo(
        tuple(sorted(placed.values(), key=lambda array: array.start)),
        tuple(enumerate(lines)),
        data,
        (KERNEL_BASE, data[0]),
        places["__heap_base"],
        calls,
    )
