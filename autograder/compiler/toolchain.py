"""Compiles CUDA C++ text for the emulator with the ziglang wheel's clang; caches by content."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from ..core.findings import CompileError, Diagnostic, Finding, ForbiddenCode
from ..core.refusal import Refusal
from ..errors import GraderFault, UsageError
from ..report.compile_errors import DEEP_TEXT, EMPTY_CLUSTER, LARGE_TEXT, MISFIT_OPERAND, in_words, too_large_array
from ..source.signature import expression, is_template, kernel_names
from . import messages
from .asm_statements import AsmError
from .cache import digest, is_whole, keeping, place_of, publish, workplace
from .canary import NAME, canary_for, machine_fault
from .emulator_runtime import build_runtime
from .engine import Engine, engine
from .entry import called_kernel, choose
from .forbidden import find_forbidden
from .front_end import TooLargeError, copied_types, read
from .host_code import find_host_calls
from .kernel_flags import Runtime
from .machine_code import MADE, NATIVE_MODULE, WASM_MODULE, Build, finish_native, finish_wasm
from .module_info import ModuleInfo
from .module_reader import foreign_name
from .passes import Alignments, cluster_of, copied_alignments, has_untyped_copies, prepare, prepare_unchecked
from .passes.local_arrays import MAX_LOCAL, LocalArrayTooLargeError
from .variables import find_too_much_memory
from .verifier import UnprovenError

T = TypeVar("T")
#: The compiler's warnings about a text, stored next to each module.
_WARNINGS = "warnings.json"


@dataclass(frozen=True)
class Module:
    """One kernel, compiled and linked: a shared object for the runner or a WebAssembly module, and the contents of its
    debug information."""

    path: Path
    info: ModuleInfo


def find_compile_errors(source: str) -> list[Finding]:
    """The compiler's errors in `source`, without choosing a kernel, and why its only kernel is refused; empty if there
    are none."""
    forbidden = find_forbidden(source)
    if forbidden:
        return [forbidden]
    runtime = build_runtime()
    if _cached_warnings(runtime, source) is not None:
        return []
    warnings = _compile_only_kernel(source)
    if not isinstance(warnings, list):
        refused = warnings
        with workplace() as folder:
            read_ = _told(source, lambda: _warnings_of(runtime, source, folder))
            if not isinstance(read_, list):
                require_compiler(runtime, canary_for(source), _usual_build())
                return [read_]
            if refused:
                return [refused]
            warnings = read_
    with keeping():
        cached = _warnings_file(runtime, source)
        cached.parent.mkdir(parents=True, exist_ok=True)
        staged = cached.with_suffix(f".{os.getpid()}")
        staged.write_text(json.dumps(warnings), encoding="utf-8")
        staged.replace(cached)
    return []


def _warnings_of(runtime: Runtime, source: str, folder: Path) -> list[Diagnostic] | Finding:
    """The warnings about a text, or why it does not compile."""
    text = read(runtime, source, "", folder)
    if isinstance(text, str):
        return messages.compile_error(text, source)
    used = find_host_calls(text.module())
    return messages.told(used) if used else text.warnings


def find_warnings(source: str) -> tuple[Diagnostic, ...]:
    """Warnings about `source`, which compiles: code that can hardly mean what it says, see `front_end.py`."""
    if find_compile_errors(source):
        return ()
    lines = ["", *source.split("\n")]
    return tuple(
        Diagnostic(line, column, in_words(text, lines[line], column, ()))
        for line, column, text in _cached_warnings(build_runtime(), source) or ()
    )


def _warnings_file(runtime: Runtime, source: str) -> Path:
    """Where the warnings about a text that compiles are kept."""
    return place_of("warnings", digest(runtime.key, source))


def _cached_warnings(runtime: Runtime, source: str) -> list[tuple[int, int, str]] | None:
    """The warnings about a text; None if they are not in the cache, or damaged there."""
    with suppress(OSError, ValueError):
        cached: list[tuple[int, int, str]] = json.loads(_warnings_file(runtime, source).read_text(encoding="utf-8"))
        return cached
    return None


def _compile_only_kernel(source: str) -> list[Diagnostic] | Finding | None:
    """Compile a text with one kernel, because that is what callers want next, and return its warnings, or why it is
    refused; None if the text has others, or a template, of which nobody says here which instance is wanted."""
    names = kernel_names(source)
    with suppress(GraderFault, UsageError):  # the launch will report it
        if len(names) == 1 and not is_template(source, names[0]):
            module = compile_kernel(source, names[0])
            if not isinstance(module, Module):
                return module
            warnings: list[Diagnostic] = json.loads(module.path.with_name(_WARNINGS).read_text(encoding="utf-8"))
            return warnings
    return None


def compile_kernel(source: str, name: str, build: Build | None = None) -> Module | Finding:
    """Compile kernel `name` of `source`; the name may be a template instance. By default it is for few threads, on the
    engine that the environment asks for.

    Returns:
        the module; or a finding of kind COMPILE_ERROR or FORBIDDEN_CODE.

    Raises:
        MachineFault: this machine can't run the emulator, or its compiler refuses kernels that are right.
        GraderFault: the toolchain itself failed.
    """
    forbidden = find_forbidden(source)
    if forbidden:
        return forbidden
    build = build or _usual_build()
    runtime = build_runtime()
    target = place_of("modules", digest(runtime.key, source, name, build))
    if not is_whole(target):
        with workplace() as folder:
            finding = _told(source, lambda: _compile(runtime, source, name, build, folder))
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
    with workplace() as folder:
        if found := _told(source, lambda: _compile(runtime, source, NAME, build, folder)):
            raise machine_fault(found.log if isinstance(found, CompileError) else f"it is forbidden ({found}).")


def _compile(runtime: Runtime, source: str, name: str, build: Build, folder: Path) -> Finding | None:
    """Make the module of a kernel in the folder `MADE` of `folder`; or what is wrong with its text."""
    text = read(runtime, source, choose(expression(source, name)), folder)
    if isinstance(text, str):
        return messages.compile_error(text, source)
    ir = text.module()
    # Only segment registers give x86 other address spaces, and one of them has the runtime's state.
    if any(i.names_address_space for function in ir.functions.values() for i in function.instructions()):
        return messages.forbidden("an address space", Refusal.ADDRESS_SPACE, source)
    if used := find_host_calls(ir):
        return messages.told(used)
    alignments: Alignments = {}
    if has_untyped_copies(ir):
        typed = copied_types(runtime, source, text)
        if isinstance(typed, str):
            return messages.compile_error(typed, source)
        alignments = copied_alignments(typed)
    if found := find_too_much_memory(ir, source, name):
        return found
    cluster = cluster_of(ir, called_kernel(ir))
    if cluster and not all(cluster):
        return messages.too_large(source, "__cluster_dims__", EMPTY_CLUSTER)
    try:
        if build is Build.UNCHECKED:
            prepare_unchecked(ir)
        else:
            prepare(ir, alignments)
    except LocalArrayTooLargeError as error:
        return messages.too_large(source, error.name, too_large_array(error.name, error.bytes, MAX_LOCAL))
    made = folder / MADE
    made.mkdir()
    make = finish_wasm if build is Build.WEBASSEMBLY else finish_native
    done = make(runtime, build, ir, folder, source, name)
    if isinstance(done, str):
        return messages.compile_error(done, source)
    if not isinstance(done, ModuleInfo):
        return done
    (made / _WARNINGS).write_text(json.dumps(text.warnings), encoding="utf-8")
    (made / "module.json").write_text(replace(done, cluster=cluster).to_json(), encoding="utf-8")
    return None


def _told(source: str, work: Callable[[], T]) -> T | Finding:
    """What `work` finds in the text; or why we can't go on with it."""
    try:
        return work()
    except UnprovenError as error:
        return _unproven(error, source)
    except AsmError as error:
        if error.misfit:
            return messages.told([Diagnostic(max(error.line, 1), 1, MISFIT_OPERAND)])
        return messages.forbidden(error.what, Refusal.ASSEMBLY, source, error.line)
    except TooLargeError as error:
        return messages.told([Diagnostic(max(error.line, 1), 1, LARGE_TEXT)])
    except RecursionError:
        return messages.told([Diagnostic(1, 1, DEEP_TEXT)])


def _unproven(error: UnprovenError, source: str) -> ForbiddenCode:
    if error.symbol:
        named = foreign_name(error.symbol.strip('@"'))
        return messages.forbidden(named.construct, named.reason, source, error.line)
    return messages.unproven(error.line, source)
