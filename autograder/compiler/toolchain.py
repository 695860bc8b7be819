"""Compiles CUDA C++ text for the emulator with the ziglang wheel's clang; caches by content."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from ..core.findings import Diagnostic, Finding, ForbiddenCode
from ..core.refusal import Refusal
from ..errors import GraderFault
from ..report.compile_errors import LARGE_PROGRAM, in_words, too_large_array, too_much_memory
from ..source.parameters import parse_parameter
from ..source.signature import kernel_names
from ..source.text import blank, dynamic_shared
from . import messages
from .cache import digest, keeping, place_of, publish, workplace
from .clang import ERROR, clang
from .emulator_runtime import build_runtime
from .engine import Engine, engine
from .forbidden import find_forbidden
from .host_code import find_host_uses
from .ir import Module as IrModule
from .ir import read_module as read_ir
from .kernel_flags import Runtime, kernel_flags, typing_flags
from .module_info import ModuleInfo
from .module_reader import ForbiddenModuleError, foreign_name, read_module, spread_variables
from .passes import Position, copied_alignments, finish, has_untyped_copies, own_names, prepare
from .passes.local_arrays import MAX_LOCAL, LocalArrayTooLargeError
from .verifier import UnprovenError, verify
from .webassembly.build import build_module
from .zig import executable, run

#: ptxas rejects more static shared memory than this (CUDA C++ Programming Guide, "Shared Memory").
MAX_STATIC_SHARED = 48 * 1024
#: Most bytes of `__constant__` variables (the same, "Technical Specifications per Compute Capability").
MAX_CONSTANT = 64 * 1024
#: Most bytes of `__device__` variables. The emulator needs about 24 bytes for each.
MAX_DEVICE = 64 << 20
#: The compiler's warnings about a text, stored next to each module.
_WARNINGS = "warnings.json"
_NATIVE_MODULE, _WASM_MODULE = "module.so", "module.wasm"

# Mistakes that compile: an uninitialized variable, `if (i = n)`, `if (i < n);`, `__syncthreads;`, `a[i, j]`, and
# `u >= 0` for an unsigned u. (We don't warn about missing parentheses that would only help readers.)
_WARNED = [
    *"-Werror=uninitialized -Werror=empty-body -Werror=unused-value -Werror=tautological-unsigned-zero-compare".split(),
    *"-Werror=parentheses -Wno-logical-op-parentheses -Wno-logical-not-parentheses -Wno-bitwise-op-parentheses".split(),
    *"-Wno-shift-op-parentheses -Wno-bitwise-conditional-parentheses -Wno-parentheses-equality".split(),
    *"-Wno-dangling-else -Wno-overloaded-shift-op-parentheses".split(),
]

# We compile a kernel to LLVM IR and instrument it without an optimizer, which would remove or merge accesses before
# they have their calls; only then, if the run is long enough, do we optimize it.
# No LLVM passes at first: the earliest of them already turns small copies into something else.
_TO_IR = ["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o"]
# A path that the compiler takes for impossible must not go on into the next function.
_ENDS_IN_TRAPS = "-mllvm -trap-unreachable -mllvm -no-trap-after-noreturn=false".split()
# read-before-write: without it, we would miss the read in `x[i] += 2`.
_INSTRUMENT = [
    *"-target x86_64-linux-gnu -O0 -fPIC -fdata-sections -fsanitize=thread,local-bounds -fno-sanitize-trap=all".split(),
    *"-mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-instrument-func-entry-exit=0".split(),
]
_TRANSLATE = [
    *"-target x86_64-linux-gnu -O0 -fPIC -fdata-sections -Xclang -disable-llvm-passes".split(),
    *_ENDS_IN_TRAPS,
]
# Equal accesses in two branches must stay two instructions, and each instruction must stay one: a barrier that was
# copied into two branches would be two barriers.
_OPTIMIZE = [
    *"-target x86_64-linux-gnu -O1 -fPIC -fdata-sections -fno-unroll-loops".split(),
    *"-mllvm -simplifycfg-hoist-common=false -mllvm -simplifycfg-sink-common=false".split(),
    *"-mllvm -simplifycfg-max-small-block-size=0 -mllvm -enable-tail-merge=false".split(),
    *"-mllvm -disable-tail-duplicate -mllvm -disable-early-taildup -mllvm -tail-dup-placement=false".split(),
    *_ENDS_IN_TRAPS,
]


class Build(StrEnum):
    """How to compile a kernel. Optimizing it doubles the compile time and halves the run time."""

    #: Every access calls the runtime.
    PLAIN = "plain"
    #: The kernel itself skips the call for an access that changes nothing.
    OPTIMIZED = "optimized"
    #: Like OPTIMIZED, for runs that only count and don't look for races or uninitialized reads.
    COUNTING = "counting"
    #: Like PLAIN, for the engine in WebAssembly.
    WEBASSEMBLY = "webassembly"


@dataclass(frozen=True)
class Module:
    """One kernel, compiled and linked: a shared object for the runner or a WebAssembly module, and the contents of its
    debug information."""

    path: Path
    info: ModuleInfo


def find_compile_errors(source: str) -> list[Finding]:
    """The compiler's errors in `source`, without choosing a kernel; empty if there are none."""
    forbidden = find_forbidden(source)
    if forbidden:
        return [forbidden]
    runtime = build_runtime()
    if _warnings_file(runtime, source).exists():
        return []
    warnings = _compile_only_kernel(source)
    if warnings is None:
        with workplace() as folder:
            log, warnings = _read(runtime, source, "", [*_TO_IR, "kernel.ll"], folder)
            if log is not None:
                return [messages.compile_error(log, source)]
            if used := find_host_uses(read_ir((folder / "kernel.ll").read_text(encoding="utf-8")), source):
                return [messages.told(used)]
    with keeping():
        cached = _warnings_file(runtime, source)
        cached.parent.mkdir(parents=True, exist_ok=True)
        staged = cached.with_suffix(f".{os.getpid()}")
        staged.write_text(json.dumps(warnings), encoding="utf-8")
        staged.replace(cached)
    return []


def find_warnings(source: str) -> tuple[Diagnostic, ...]:
    """Warnings about `source`, which compiles: code that can hardly mean what it says, see `_WARNED`."""
    cached = _warnings_file(build_runtime(), source)
    if not cached.exists() and find_compile_errors(source):
        return ()
    lines = ["", *source.split("\n")]
    return tuple(
        Diagnostic(line, column, in_words(text, lines[line], column, ()))
        for line, column, text in json.loads(cached.read_text(encoding="utf-8"))
    )


def _warnings_file(runtime: Runtime, source: str) -> Path:
    """Where the warnings about a text that compiles are kept."""
    return place_of("warnings", digest(runtime.key, source))


def _compile_only_kernel(source: str) -> list[Diagnostic] | None:
    """Compile a text with one kernel, because that is what callers want next, and return its warnings; None if that
    fails for any reason."""
    names = kernel_names(source)
    with suppress(GraderFault):  # the launch will report it
        if len(names) == 1 and isinstance(module := compile_kernel(source, names[0]), Module):
            warnings: list[Diagnostic] = json.loads(module.path.with_name(_WARNINGS).read_text(encoding="utf-8"))
            return warnings
    return None


def _read(
    runtime: Runtime, source: str, entry: str, flags: Sequence[str], folder: Path
) -> tuple[str | None, list[Diagnostic]]:
    """The compiler's messages if it rejects `source` followed by `entry`, or None; and its warnings."""
    (folder / "kernel.cu").write_text(_emulated(source) + entry, encoding="utf-8")
    flags = [*kernel_flags(runtime, source), *flags, "kernel.cu"]
    # Request warnings as errors, because we keep only errors; so one compilation usually yields both.
    log = clang([*flags, *_WARNED], folder)
    found = [m for m in ERROR.finditer(log or "") if m["file"] == "kernel.cu" and " [-W" in m["text"]]
    if found:
        log = clang(flags, folder)
    return log, [Diagnostic(int(m["line"]), int(m["column"]), m["text"].partition(" [-W")[0]) for m in found]


def compile_kernel(source: str, name: str, build: Build | None = None) -> Module | Finding:
    """Compile kernel `name` of `source`; the name may be a template instance. By default it is for few threads, on the
    engine that the environment asks for.

    Returns:
        the module; or a finding of kind COMPILE_ERROR or FORBIDDEN_CODE.

    Raises:
        UsageError: this machine can't run the emulator. GraderFault: the toolchain itself failed.
    """
    forbidden = find_forbidden(source)
    if forbidden:
        return forbidden
    build = build or (Build.WEBASSEMBLY if engine() is Engine.WEBASSEMBLY else Build.PLAIN)
    runtime = build_runtime()
    target = place_of("modules", digest(runtime.key, source, name, build))
    if not (target / "module.json").exists():
        finding = _compile(runtime, source, name, build, target)
        if finding:
            return finding
    module = _module(target)
    taken = module.info.static_shared
    if taken > MAX_STATIC_SHARED:
        return messages.too_large(source, "__shared__", too_much_memory("shared", taken, MAX_STATIC_SHARED))
    taken = sum(a.bytes for a in module.info.arrays if a.space == "constant")
    if taken > MAX_CONSTANT:
        return messages.too_large(source, "__constant__", too_much_memory("constant", taken, MAX_CONSTANT))
    taken = sum(a.bytes for a in module.info.arrays if a.space == "device")
    if taken > MAX_DEVICE:
        return messages.too_large(source, "__device__", too_much_memory("device", taken, MAX_DEVICE))
    return module


@lru_cache(maxsize=16)  # a check compiles its kernel again for each launch
def _module(target: Path) -> Module:
    (file,) = (path for name in (_NATIVE_MODULE, _WASM_MODULE) if (path := target / name).exists())
    return Module(file, ModuleInfo.from_json((target / "module.json").read_text()))


def _compile(runtime: Runtime, source: str, name: str, build: Build, target: Path) -> Finding | None:
    with workplace() as folder:
        entry = (
            '\n#line 1 "launch"\n'
            'extern "C" { alignas(1024) char emu_dynamic[232448] '
            '__attribute__((__section__(".bss.emu_dynamic"), __used__));\n'
            # never empty: the linker scripts insert their sections after these two
            'static char emu_data __attribute__((__section__(".data"), __used__)) = 1;\n'
            'static char emu_bss __attribute__((__section__(".bss"), __used__));\n'
            'extern "C++" const int warpSize = 32;\n'
            # No macro of the text's changes a keyword, or a word that begins with emu_. One that is the kernel's name
            # makes this another constant: nothing runs but what is called as a kernel.
            f"static constexpr auto* emu_kernel = {name};\n"
            "EMU_RAW void emu_entry(void** emu_arguments) { emu_call<emu_kernel>(emu_arguments); }\n"
            "extern const auto emu_parameters __attribute__((__used__)) = emu_sizes<emu_kernel>; }\n"
        )
        log, warnings = _read(runtime, source, entry, [*_TO_IR, "kernel.ll"], folder)
        if log is None:
            ir = read_ir((folder / "kernel.ll").read_text(encoding="utf-8"))
            # Only segment registers give x86 other address spaces, and one of them has the runtime's state.
            if any(i.names_address_space for function in ir.functions.values() for i in function.instructions()):
                return messages.forbidden("an address space", Refusal.ADDRESS_SPACE, source)
            if used := find_host_uses(ir, source):
                return messages.told(used)
            alignments: Mapping[Position, int] = {}
            typed = [*typing_flags(runtime), *_TO_IR, "typed.ll", "kernel.cu"]
            if has_untyped_copies(ir) and clang(typed, folder) is None:
                alignments = copied_alignments(read_ir((folder / "typed.ll").read_text(encoding="utf-8")))
            try:
                prepare(ir, alignments)
            except LocalArrayTooLargeError as error:
                text = too_large_array(error.name, error.bytes, MAX_LOCAL)
                return messages.too_large(source, error.name, text)
            kept = folder / "kept"
            kept.mkdir()
            make = _finish_wasm if build is Build.WEBASSEMBLY else _finish_native
            try:
                done = make(runtime, build, ir, folder, source, name)
            except UnprovenError as error:
                return _unproven(error, source)
            if isinstance(done, str):
                log = done
            elif isinstance(done, Finding):
                return done
        if log is not None:
            return messages.compile_error(log, source)
        assert isinstance(done, ModuleInfo)
        (kept / _WARNINGS).write_text(json.dumps(warnings), encoding="utf-8")
        (kept / "module.json").write_text(done.to_json())
        publish(kept, target)
    return None


def _unproven(error: UnprovenError, source: str) -> ForbiddenCode:
    if error.symbol:
        named = foreign_name(error.symbol.strip('@"'))
        return messages.forbidden(named.construct, named.reason, source, error.line)
    return messages.unproven(error.line, source)


def _finish_native(
    runtime: Runtime, build: Build, ir: IrModule, folder: Path, source: str, name: str
) -> ModuleInfo | Finding | str:
    """Make kept/module.so of the prepared IR; the compiler's messages if it rejects it."""
    log = _to_machine_code(runtime, build, ir, folder)
    if log is not None:
        return log
    names = [f"--defsym={d}=emu_dynamic" for d in _dynamic_names(source)]
    (folder / "arrays.lds").write_text(spread_variables(folder / "kernel.o"))
    link: list[str | Path] = [executable(), *"ld.lld -shared -Bsymbolic -z relro -z now -T arrays.lds".split()]
    linked = folder / "kept" / _NATIVE_MODULE
    done = run([*link, *names, "kernel.o", "-o", linked], folder)
    if done.returncode == -signal.SIGXFSZ:
        return messages.too_large(source, "__device__", LARGE_PROGRAM)
    if done.returncode:
        raise GraderFault(f"The emulator's linker failed: {done.stderr.strip()}")
    try:
        return read_module(linked, name, _dynamic_buffer(source, name))
    except ForbiddenModuleError as error:
        return messages.forbidden(error.construct, error.reason, source)


def _finish_wasm(
    runtime: Runtime, _: Build, ir: IrModule, folder: Path, source: str, name: str
) -> ModuleInfo | Finding | str:
    """The same for kept/module.wasm."""
    told = _instrumented(ir, folder, numbered=False)
    if isinstance(told, str):
        return told
    target = folder / _WASM_MODULE
    try:
        done = build_module(runtime, told, name, _dynamic_buffer(source, name), _dynamic_names(source), target)
    except ForbiddenModuleError as error:
        return messages.forbidden(error.construct, error.reason, source)
    if isinstance(done, ModuleInfo):
        target.rename(folder / "kept" / _WASM_MODULE)
    return done


def _dynamic_names(source: str) -> list[str]:
    return list(dict.fromkeys(d.name for d in dynamic_shared(source)))


def _instrumented(ir: IrModule, folder: Path, *, numbered: bool) -> IrModule | str:
    """The IR after ThreadSanitizer's pass and ours, verified; the compiler's messages if it rejects it.

    Raises:
        UnprovenError: it must not be loaded.
    """
    (folder / "kernel.ll").write_text(own_names(ir), encoding="utf-8")
    log = clang([*_INSTRUMENT, "-S", "-emit-llvm", "kernel.ll", "-o", "told.ll"], folder)
    if log is not None:
        return log
    told = read_ir((folder / "told.ll").read_text(encoding="utf-8"))
    finish(told, numbered=numbered)
    verify(told)
    return told


def _to_machine_code(runtime: Runtime, build: Build, ir: IrModule, folder: Path) -> str | None:
    """Instrument the IR and translate it; the compiler's messages if it rejects the IR. Raises as `_instrumented`."""
    told = _instrumented(ir, folder, numbered=build is not Build.PLAIN)
    if isinstance(told, str):
        return told
    (folder / "told.ll").write_text(told.text(), encoding="utf-8")
    flags = _TRANSLATE
    if build is not Build.PLAIN:
        hooks = runtime.hooks if build is Build.OPTIMIZED else runtime.counting_hooks
        flags = [*_OPTIMIZE, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(hooks)]
    return clang([*flags, "-c", "told.ll", "-o", "kernel.o"], folder)


def _dynamic_buffer(source: str, kernel: str) -> tuple[str, int, str]:
    """The first `extern __shared__ T name[]`: its name, and the bytes and dtype of an element; 4 bytes if T is
    unknown."""
    code = blank(source)
    for found in dynamic_shared(source):
        declared = re.match(rf"[^;]*?\b{found.name}\s*\[", code[found.shared[1] :])
        if declared:
            dtype = parse_parameter(declared[0].partition("[")[0] + "[]", {}, kernel).dtype
            if dtype is None:
                return found.name, 4, ""
            return found.name, dtype.itemsize, dtype.str if dtype.kind in "biuf" else ""
    return "shared memory", 4, ""


def _emulated(source: str) -> str:
    """The text as the compiler gets it, with the same lines and columns: `extern __shared__` becomes `extern`, and
    an `alignas` after a memory space, where C++ doesn't allow one, becomes an attribute."""
    out = source
    for word in re.finditer(r"\b(?:__shared__|__constant__)\s+(alignas)\b", blank(source)):
        out = out[: word.start(1)] + "__emual" + out[word.end(1) :]
    for found in dynamic_shared(source):
        start, end = found.shared
        out = out[:start] + "__emudyn__" + out[end:]
    return out
