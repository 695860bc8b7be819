"""From prepared LLVM IR to a linked module: instrumented, verified, translated, confined, linked, and read."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from ..core.diagnostics import Problem
from ..core.findings import Finding
from ..errors import GraderFault
from . import messages
from .clang import ASSEMBLE, FUCHSIA, LINUX, PIC, clang
from .fault_isolation import confine, prove, with_our_stack, with_two_stacks
from .front_end import ir_of
from .ir import Module as IrModule
from .kernel_flags import Runtime
from .module_info import DynamicArray, ModuleInfo
from .module_reader import ForbiddenModuleError, read_module, spread_variables
from .passes import MAX_INLINED, finish, finish_unchecked, name_buffer, rename_user_functions
from .variables import read_arrays
from .verifier import UnprovenError, verify
from .webassembly.build import build_module
from .zig import WROTE_TOO_MUCH, executable, require_share, run

NATIVE_MODULE, WASM_MODULE = "module.so", "module.wasm"
#: The folder, in the one where a kernel is compiled, that holds what it becomes.
MADE = "made"

# A path that the compiler takes for impossible must not go on into the next function.
_ENDS_IN_TRAPS = "-mllvm -trap-unreachable -mllvm -no-trap-after-noreturn=false".split()
# read-before-write: without it, we would miss the read in `x[i] += 2`.
INSTRUMENT = [
    *LINUX,
    *PIC,
    *"-x ir -O0 -fdata-sections -fsanitize=thread,local-bounds".split(),
    *"-mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-instrument-func-entry-exit=0".split(),
]
# On Fuchsia, SafeStack has a fixed place for its pointer. Jumps go to labels alone, not where a table says; and RBP is
# always a frame's pointer, in hooks too.
_CONFINED = [*FUCHSIA, *PIC, *"-x ir -w -fsanitize=safe-stack -mllvm -min-jump-table-entries=1000000000".split()]
# Equal accesses in two branches must stay two instructions, and each instruction must stay one: a barrier that was
# copied into two branches would be two barriers.
OPTIMIZE = [
    *_CONFINED,
    *"-O1 -fdata-sections -fno-unroll-loops".split(),
    *"-mllvm -simplifycfg-hoist-common=false -mllvm -simplifycfg-sink-common=false".split(),
    *"-mllvm -simplifycfg-max-small-block-size=0 -mllvm -enable-tail-merge=false".split(),
    *"-mllvm -disable-tail-duplicate -mllvm -disable-early-taildup -mllvm -tail-dup-placement=false".split(),
    *_ENDS_IN_TRAPS,
]
# ThreadSanitizer's pass takes such a load for no access.
_SPECIAL_LOAD = re.compile(r"^(  %\S+ = load [^!\n]*(?:!dbg !\d+)?), !nosanitize !\d+", re.M)
_ASSEMBLE = ["clang", *ASSEMBLE, *"-dwarf-version=4 -mrelocation-model pic confined.s -o kernel.o".split()]


class Build(StrEnum):
    """How to compile a kernel. Optimizing it doubles the compile time and halves the run time."""

    #: Every access calls a hook.
    PLAIN = "plain"
    #: The hooks are inlined.
    OPTIMIZED = "optimized"
    #: Like OPTIMIZED, for runs that only count and don't look for races or uninitialized reads.
    COUNTING = "counting"
    #: No access calls a hook, and nobody watches: for launches of one's own program that are only computed.
    UNCHECKED = "unchecked"
    #: Like PLAIN, for the engine in WebAssembly.
    WEBASSEMBLY = "webassembly"
    #: Like PLAIN and WEBASSEMBLY, for a debugger: it reports lines, calls and variables, too.
    DEBUG = "debug"
    DEBUG_WEBASSEMBLY = "debug-webassembly"

    @property
    def is_plain(self) -> bool:
        """Whether it is native code, and every access calls a hook."""
        return self in (Build.PLAIN, Build.DEBUG)

    @property
    def is_for_debugger(self) -> bool:
        return self in (Build.DEBUG, Build.DEBUG_WEBASSEMBLY)

    @property
    def is_webassembly(self) -> bool:
        return self in (Build.WEBASSEMBLY, Build.DEBUG_WEBASSEMBLY)


def finish_native(
    runtime: Runtime, build: Build, ir: IrModule, folder: Path, source: str, dynamic: DynamicArray
) -> ModuleInfo | Finding | str:
    """Make made/module.so of the prepared IR; the compiler's messages if it rejects it."""
    inlined = 0 if build.is_plain else MAX_INLINED
    instrumented_module = _uninstrumented(ir) if build is Build.UNCHECKED else instrumented(ir, folder, inlined)
    if isinstance(instrumented_module, str):
        return instrumented_module
    arrays = read_arrays(instrumented_module, dynamic)
    try:
        log = _to_assembly(runtime, build, instrumented_module, folder)
    except UnprovenError:  # the code generator keeps an address of the frame in a register
        log = _to_assembly(runtime, build, instrumented_module, folder, again=True)
    if log is not None:
        return log
    (folder / "arrays.lds").write_text(spread_variables((folder / "confined.s").read_text(encoding="utf-8")))
    link: list[str | Path] = [
        executable(),
        *"ld.lld -shared --threads=1 -Bsymbolic -z relro -z now -T arrays.lds".split(),
    ]
    linked = folder / MADE / NATIVE_MODULE
    done = run([*link, "kernel.o", "-o", linked], folder, first=[executable(), *_ASSEMBLE])
    if done.returncode in WROTE_TOO_MUCH:
        return messages.too_large(source, "__device__", Problem.LARGE_PROGRAM)
    if far := re.search(r"relocation \w+ out of range: .*?(?:\.emu_(shared|constant)|$)", done.stderr, re.M):
        return messages.too_large(source, f"__{far[1] or 'device'}__", Problem.LARGE_PROGRAM)
    if done.returncode:
        require_share(done.returncode, folder)
        raise GraderFault(f"The emulator's assembler or linker failed ({done.returncode}): {done.stderr.strip()}")
    try:
        return read_module(linked, arrays)
    except ForbiddenModuleError as error:
        return messages.forbidden(error.construct, error.reason, source)


def finish_wasm(
    runtime: Runtime, _: Build, ir: IrModule, folder: Path, source: str, dynamic: DynamicArray
) -> ModuleInfo | Finding | str:
    """The same for made/module.wasm."""
    instrumented_module = instrumented(ir, folder, 0)
    if isinstance(instrumented_module, str):
        return instrumented_module
    target = folder / WASM_MODULE
    try:
        done = build_module(runtime, instrumented_module, dynamic, target)
    except ForbiddenModuleError as error:
        return messages.forbidden(error.construct, error.reason, source)
    if isinstance(done, ModuleInfo):
        target.rename(folder / MADE / WASM_MODULE)
    return done


def instrumented(ir: IrModule, folder: Path, inline: int) -> IrModule | str:
    """The IR after ThreadSanitizer's pass and ours, verified; the compiler's messages if it rejects it. `inline` is as
    for `passes.finish`.

    Raises:
        UnprovenError: it must not be loaded.
    """
    (folder / "kernel.ll").write_text(_SPECIAL_LOAD.sub(r"\1", rename_user_functions(ir)), encoding="utf-8")
    log = clang([*INSTRUMENT, "-emit-llvm", "kernel.ll", "-o", "instrumented.ll"], folder)
    if log is not None:
        return log
    module = ir_of(name_buffer((folder / "instrumented.ll").read_text(encoding="utf-8")))
    finish(module, inline)
    verify(module)
    return module


def _uninstrumented(ir: IrModule) -> IrModule:
    """The IR for a run in which nobody watches, which may go anywhere in its process."""
    module = ir_of(name_buffer(rename_user_functions(ir)))
    finish_unchecked(module)
    return module


def _to_assembly(
    runtime: Runtime, build: Build, instrumented_module: IrModule, folder: Path, *, again: bool = False
) -> str | None:
    """Translate the instrumented IR to confined.s; the compiler's messages if it rejects it.

    Args:
        again: take more time, and keep no variable in a frame whose address may be in a register.

    Raises:
        UnprovenError: it can't be shown to keep within the window.
    """
    (folder / "instrumented.ll").write_text(with_two_stacks(instrumented_module, all_variables=again), encoding="utf-8")
    hooks = runtime.counting_hooks if build is Build.COUNTING else runtime.hooks
    flags = [*OPTIMIZE, "-mlink-builtin-bitcode", str(hooks)]
    if build is Build.UNCHECKED:  # nobody counts its accesses, so they may be moved and merged
        flags = [*_CONFINED, "-O2", "-fdata-sections", *_ENDS_IN_TRAPS]
    if build.is_plain:
        # Without its -O1, unless that is needed, the lines stay in their order.
        flags += [*([] if again else ["-O0"]), "-disable-llvm-passes"]
    log = clang([*flags, "-S", "-fno-verbose-asm", "instrumented.ll", "-o", "kernel.s"], folder)
    if log is not None:
        return log
    assembly = (folder / "kernel.s").read_text(encoding="utf-8")
    if build is Build.UNCHECKED:
        assembly = with_our_stack(assembly)
    else:
        assembly = confine(assembly)
        prove(assembly, inlined=not build.is_plain)
    (folder / "confined.s").write_text(assembly, encoding="utf-8")
    return None
