"""Builds a WebAssembly module of a kernel's instrumented IR."""

from __future__ import annotations

from pathlib import Path

from ...errors import GraderFault
from ..clang import clang
from ..ir import Call, Module
from ..kernel_flags import Runtime
from ..module_info import ModuleInfo
from ..module_reader import refuse_foreign_names
from ..zig import executable, run
from .arrays import BASE, PADDED, describe_module, read_arrays
from .retarget import retarget, retargeted_text
from .runtime import build_runtime_objects

_COMPILE = "-target wasm64-freestanding -mbulk-memory -O0 -Wno-override-module -c".split()
_LINK = [
    *f"wasm-ld -mwasm64 --no-entry --global-base={BASE} -z stack-size=65536 --no-stack-first".split(),
    *"--export=__stack_pointer --export-memory=memory --allow-undefined".split(),
    # Without a limit, Firefox copies all of the memory whenever it grows. With one, it reserves addresses.
    f"--max-memory={16 << 30}",
]


def build_module(
    runtime: Runtime,
    module: Module,
    kernel: str,
    dynamic: tuple[str, int, str],
    target: Path,
) -> ModuleInfo | str:
    """Build the file `target`. Other files are left in its folder.

    Args:
        module: the IR, instrumented for x86-64; it is changed.
        kernel: the kernel's name in the text.
        dynamic: the dynamic shared memory, as for `module_reader.read_module`.

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
    (folder / "wasm.ll").write_text(retargeted_text(module), encoding="utf-8")
    log = clang([*_COMPILE, "wasm.ll", "-o", "wasm.o"], folder)
    if log is not None:
        return log
    exports = [f"--export={symbol}{PADDED}" for symbol in arrays]
    link: list[str | Path] = [executable(), *_LINK, *exports, "wasm.o", *build_runtime_objects(runtime)]
    done = run([*link, "-o", target], folder)
    if done.returncode:
        raise GraderFault(f"The emulator's linker failed: {done.stderr.strip()}")
    calls = tuple(name[1:] for name in names if name.startswith("@emu_") and name not in functions)
    return describe_module(target, arrays, lines, calls, kernel)
