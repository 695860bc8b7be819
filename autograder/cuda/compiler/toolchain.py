"""Compiles CUDA C++ text for the emulator with the ziglang wheel's clang; caches by content."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from ..core.device_code import DeviceCode
from ..core.diagnostics import Diagnostic, Problem
from ..core.findings import CompileError, Finding
from ..core.refusal import Refusal
from ..core.signature import Signature
from ..errors import GraderFault, UsageError
from ..source.text import MAX_LENGTH
from . import messages
from .cache import digest, is_whole, keeping, place_of, publish, workplace
from .canary import NAME, canary_for, machine_fault
from .clang import ERROR
from .dynamic_array import dynamic_array, warn_of_one_memory
from .emulator_runtime import build_runtime
from .engine import Engine, engine
from .entry import CHOSEN_FILE, choose, chosen_kernel
from .forbidden import find_forbidden
from .front_end import Text, ir_of, lower, program_module, read, with_copied_types, with_optimization
from .host_code import find_host_calls
from .ir import Module as IrModule
from .ir import location
from .kernel_flags import Runtime, kernel_flags
from .kernel_signature import declarations, kernels_of, signature_of
from .machine_code import MADE, NATIVE_MODULE, WASM_MODULE, Build, finish_native, finish_wasm
from .module_info import ModuleInfo
from .name_errors import name_error
from .passes import (
    Alignments,
    cluster_of,
    copied_alignments,
    has_untyped_copies,
    prepare,
    prepare_unchecked,
    read_atomically_for_swaps,
    relax_volatiles_of_libraries,
)
from .passes.local_arrays import MAX_LOCAL, LocalArrayTooLargeError
from .passes.virtual_tables import users_of_tables
from .rejections import result_or_finding
from .sync_calls import find_sync_calls
from .syntax import syntax_tree
from .variables import find_too_much_memory, memory_of

T = TypeVar("T")
#: A kernel's name as a launch gives it, with the arguments of its template and the types of its parameters if needed.
_NAME = re.compile(
    r"\s*(?:[^\W\d]\w*\s*::\s*)*[^\W\d]\w*\s*(?:<[\w\s:,*&<>()+.-]*>)?\s*(?:\([\w\s:,*&<>]*\))?\s*", re.ASCII
)


@dataclass(frozen=True)
class Module:
    """One kernel, compiled and linked: a shared object for the runner or a WebAssembly module, and the contents of its
    debug information."""

    path: Path
    info: ModuleInfo


def describe(source: str, name: str) -> Signature | Finding:
    """The signature of kernel `name` of `source`, without compiling more of it than that takes.

    Args:
        source: CUDA C++ text.
        name: an identifier, with its namespace and template arguments if it has any: "blur", "stencil::blur",
            "blur<float, 128>". Of several kernels of that name, the types tell which: "blur(float*, int)".

    Returns:
        the signature; or, if the text does not compile, what `compile_kernel` returns for it.

    Raises:
        UsageError: there is no such kernel, or the name is ambiguous; the message says what to do.
        MachineFault, GraderFault: as `compile_kernel`.
    """
    found = _kernel_of(source, name)
    return found if isinstance(found, Finding) else found.signature


class _Kernel(NamedTuple):
    symbol: str
    signature: Signature


def _kernel_of(source: str, name: str) -> _Kernel | Finding:
    if not isinstance(source, str) or len(source) > MAX_LENGTH:
        raise UsageError(f"A kernel's source must be CUDA C++ text of at most {MAX_LENGTH} characters.")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not a kernel's name: write one such as blur or blur<128>.")
    return _find_kernel(build_runtime(), source, name)


@lru_cache(maxsize=64)  # each launch asks again
def _find_kernel(runtime: Runtime, source: str, name: str) -> _Kernel | Finding:
    """A kernel's symbol and signature, from the cache if it has the text; or why the text does not compile."""
    if forbidden := find_forbidden(source):
        return forbidden
    found = result_or_finding(source, lambda: _read_kernel(runtime, source, name))
    if isinstance(found, Finding):
        require_compiler(runtime, canary_for(source), _usual_build())
    return found


def _read_kernel(runtime: Runtime, source: str, name: str) -> _Kernel | Finding:
    declared = _declarations(runtime, source, choose(name))
    if isinstance(declared, IrModule):
        symbol = chosen_kernel(declared)
        if symbol in kernels_of(declared):
            return _Kernel(symbol, replace(signature_of(declared, symbol), name=name))
    elif any(error["file"] != CHOSEN_FILE for error in ERROR.finditer(declared)):
        return messages.compile_error(declared, source)
    alone = read(runtime, source, "")
    if isinstance(alone, str):
        return messages.compile_error(alone, source)
    with workplace() as folder:
        (folder / "kernel.cu").write_text(alone.source, encoding="utf-8")
        tree = syntax_tree([*kernel_flags(runtime, source), "-fsyntax-only", "kernel.cu"], folder)
    why = name_error(tree, alone.source.encode(), name)
    if isinstance(why, UsageError):
        raise why
    return CompileError(messages=(why,))


def _declarations(runtime: Runtime, source: str, chosen: str) -> IrModule | str:
    """What a text declares, from the cache if it has that; or the compiler's messages if it rejects the text."""
    file = place_of("signatures", digest(runtime.key, source, chosen))
    with suppress(OSError, ValueError):
        return ir_of(json.loads(file.read_text(encoding="utf-8")))
    text = read(runtime, source, chosen)
    if isinstance(text, str):
        return text
    declared = declarations(text.llvm)
    with keeping():
        file.parent.mkdir(parents=True, exist_ok=True)
        staged = file.with_suffix(f".{os.getpid()}")
        staged.write_text(json.dumps(declared), encoding="utf-8")
        staged.replace(file)
    return ir_of(declared)


def find_compile_errors(source: str, kernel: str = "") -> list[Finding]:
    """The compiler's errors in `source`, and why a kernel of it is refused: `kernel`, or its only one; empty if there
    are none. That kernel is compiled, because that is what callers want next."""
    found = find_forbidden(source) or _diagnosed(build_runtime(), source, kernel)
    return [found] if isinstance(found, Finding) else []


def find_warnings(source: str, kernel: str = "") -> tuple[Diagnostic, ...]:
    """Warnings about `source`, which compiles: code that can hardly mean what it says, see `front_end.py`; and about
    what its kernel does, as for `find_compile_errors`."""
    found = find_forbidden(source) or _diagnosed(build_runtime(), source, kernel)
    lines = ["", *source.split("\n")]
    return tuple(
        message._replace(problem=Problem.CLANG, code=lines[message.line])
        if message.problem is Problem.MESSAGE
        else message
        for message in (() if isinstance(found, Finding) else found)
    )


@lru_cache(maxsize=16)  # who asks for errors asks for warnings, too
def _diagnosed(runtime: Runtime, source: str, kernel: str) -> tuple[Diagnostic, ...] | Finding:
    """The warnings about a text, or why it does not compile."""
    found = result_or_finding(source, lambda: _warnings_of(runtime, source, kernel))
    if isinstance(found, Finding):
        require_compiler(runtime, canary_for(source), _usual_build())
    return found


def _warnings_of(runtime: Runtime, source: str, kernel: str) -> tuple[Diagnostic, ...] | Finding:
    if not kernel:
        declared = _declarations(runtime, source, "")
        if isinstance(declared, str):
            return messages.compile_error(declared, source)
        names = [*kernels_of(declared).values()]
        kernel = names[0] if len(names) == 1 else ""
    with suppress(GraderFault, UsageError):  # the launch will report it
        module = compile_kernel(source, kernel)
        return module.info.warnings if isinstance(module, Module) else module
    with workplace() as folder:
        lowered = _lower(runtime, source, "", folder)
    if isinstance(lowered, Finding):
        return lowered
    used = find_host_calls(lowered.module(""))
    return CompileError(messages=tuple(used)) if used else lowered.warnings


def compile_kernel(
    source: str, name: str, build: Build | None = None, code: DeviceCode | None = None
) -> Module | Finding:
    """Compile kernel `name` of `source`; the name may be a template instance. By default it is for few threads, on the
    engine that the environment asks for. What has been compiled to `code` already is not read from `source`.

    Returns:
        the module; or a finding of kind COMPILE_ERROR or FORBIDDEN_CODE.

    Raises:
        UsageError: as `describe`.
        MachineFault: this machine can't run the emulator, or its compiler refuses kernels that are right.
        GraderFault: the toolchain itself failed.
    """
    build = build or _usual_build()
    runtime = build_runtime()
    if code:
        work = partial(_compile_program, runtime, source, code, build)
        target = place_of("modules", digest(runtime.key, code.ir, code.symbol, build))
    else:
        found = _kernel_of(source, name)
        if isinstance(found, Finding):
            return found
        work = partial(_compile, runtime, source, name, found.symbol, build)
        target = place_of("modules", digest(runtime.key, source, name, build))
    if not is_whole(target):
        with workplace() as folder:
            finding = result_or_finding(source, lambda: work(folder))
            if finding:
                require_compiler(runtime, canary_for(source), build)
                return finding
            publish(folder / MADE, target)
    return _module(target)


def _usual_build() -> Build:
    return Build.WEBASSEMBLY if engine() is Engine.WEBASSEMBLY else Build.PLAIN


@lru_cache(maxsize=16)  # a check compiles its kernel again for each launch
def _module(target: Path) -> Module:
    (file,) = (path for name in (NATIVE_MODULE, WASM_MODULE) if (path := target / name).exists())
    return Module(file, ModuleInfo.from_json((target / "module.json").read_text(encoding="utf-8")))


@lru_cache(maxsize=16)
def require_compiler(runtime: Runtime, source: str, build: Build = Build.PLAIN) -> None:
    """Check that the compiler takes `source`, a canary. Where it does, that holds for this process.

    Raises:
        MachineFault: it does not.
    """

    def work(folder: Path) -> Finding | None:
        kernel = _read_kernel(runtime, source, NAME)
        return kernel if isinstance(kernel, Finding) else _compile(runtime, source, NAME, kernel.symbol, build, folder)

    with workplace() as folder:
        if found := result_or_finding(source, lambda: work(folder)):
            log = found.log if isinstance(found, CompileError) else ""
            raise machine_fault(log or f"it rejects the canary ({found}).")


def kernel_ir(source: str, name: str) -> IrModule:
    """The LLVM IR of a kernel that has run, before any pass, with its entry."""
    symbol = _of_run(_kernel_of(source, name)).symbol
    with workplace() as folder:
        return _of_run(_lower(build_runtime(), source, choose(name), folder)).module(symbol)


def optimized_ir(source: str, name: str) -> IrModule | None:
    """The LLVM IR of a text that has run, optimized as for a GPU, and not instrumented; None if the optimizer takes too
    much for it."""
    runtime = build_runtime()
    with workplace() as folder:
        lowered = _of_run(_lower(runtime, source, choose(name), folder))
        text = with_optimization(runtime, source, lowered, folder)
    return ir_of(text) if text else None


def _of_run(found: T | Finding) -> T:
    """Return what was `found` about a kernel that has run, so it compiles."""
    if isinstance(found, Finding):
        raise GraderFault(f"A kernel that has run does not compile: {found}")
    return found


def _lower(runtime: Runtime, source: str, chosen: str, folder: Path) -> Text | Finding:
    text = read(runtime, source, chosen)
    lowered = text if isinstance(text, str) else lower(runtime, source, text, folder)
    return messages.compile_error(lowered, source) if isinstance(lowered, str) else lowered


def _compile(runtime: Runtime, source: str, name: str, symbol: str, build: Build, folder: Path) -> Finding | None:
    """Make the module of a kernel in the folder `MADE` of `folder`; or what is wrong with its text."""
    lowered = _lower(runtime, source, choose(name), folder)
    if isinstance(lowered, Finding):
        return lowered
    ir = lowered.module(symbol)
    if user := next(users_of_tables(ir), None):  # (only whole programs have them)
        line, _ = location(ir.metadata, user.attachment("dbg")) or (0, 0)
        return messages.forbidden("a virtual function or base", Refusal.UNSUPPORTED, source, line)

    def typed() -> IrModule | Finding:
        text = with_copied_types(runtime, source, lowered, folder)
        return messages.compile_error(text, source) if isinstance(text, str) else text.module(symbol)

    flags = kernel_flags(runtime, source)
    return _make(runtime, source, symbol, build, folder, ir, typed, flags, lowered.warnings)


def _compile_program(runtime: Runtime, source: str, code: DeviceCode, build: Build, folder: Path) -> Finding | None:
    """The same for a kernel of a program."""
    ir = program_module(code.ir, code.symbol)
    read_atomically_for_swaps(ir)
    if build is not Build.UNCHECKED:
        relax_volatiles_of_libraries(ir)

    def typed() -> IrModule:
        return program_module(code.typed, code.symbol)

    return _make(runtime, source, code.symbol, build, folder, ir, typed, None, ())


def _make(
    runtime: Runtime,
    source: str,
    symbol: str,
    build: Build,
    folder: Path,
    ir: IrModule,
    with_types: Callable[[], IrModule | Finding],
    flags: Sequence[str] | None,
    warned: Sequence[Diagnostic],
) -> Finding | None:
    # Only segment registers give x86 other address spaces, and one of them has the runtime's state.
    for function in ir.functions.values():
        for instruction in function.instructions():
            if instruction.names_address_space:
                line, _ = location(ir.metadata, instruction.attachment("dbg")) or (0, 0)
                return messages.forbidden("an address space", Refusal.ADDRESS_SPACE, source, line)
    if used := find_host_calls(ir):
        return CompileError(messages=tuple(used))
    alignments: Alignments = {}
    if has_untyped_copies(ir):
        typed = with_types()
        if isinstance(typed, Finding):
            return typed
        alignments = copied_alignments(typed)
    memory = memory_of(ir, symbol)
    if found := find_too_much_memory(memory, source):
        return found
    dynamic = dynamic_array(ir, symbol, flags, folder)
    warnings, sync_calls = sorted((*warned, *warn_of_one_memory(ir, symbol))), find_sync_calls(ir)
    cluster = cluster_of(ir, symbol)
    if cluster and not all(cluster):
        return messages.too_large(source, "__cluster_dims__", Problem.EMPTY_CLUSTER)
    debug = None
    try:
        if build is Build.UNCHECKED:
            prepare_unchecked(ir)
        else:
            debug = prepare(ir, alignments, steps=build.is_for_debugger)
    except LocalArrayTooLargeError as error:
        return messages.too_large(source, error.name, Problem.LARGE_ARRAY, (error.name,), (error.bytes, MAX_LOCAL))
    made = folder / MADE
    made.mkdir()
    make = finish_wasm if build.is_webassembly else finish_native
    done = make(runtime, build, ir, folder, source, dynamic)
    if isinstance(done, str):
        return messages.compile_error(done, source)
    if not isinstance(done, ModuleInfo):
        return done
    info = replace(
        done, static_shared=memory["shared"], cluster=cluster, warnings=tuple(warnings), sync_calls=sync_calls,
        debug=debug,
    )  # fmt: skip
    (made / "module.json").write_text(info.to_json(), encoding="utf-8")
    return None
