"""Reads a linked kernel module: its arrays, its source lines, and whether it is safe to load."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from ..core.refusal import Refusal
from ..errors import GraderFault
from . import dwarf
from .elf import OBJECT, RELA, UNDEFINED, Elf, Section, Symbol, read_elf
from .module_info import ModuleInfo
from .variables import Arrays
from .verifier.entries import runtime_entries

Sections = Mapping[str, Section]

_WRITABLE = (".data", ".bss", ".emu_shared", ".emu_constant", ".emu_device.data", ".emu_device.bss")
#: What no kernel changes; relocation writes to it before it becomes read-only.
_CONSTANTS = ".data.rel.ro"
_IRELATIVE = 37  # R_X86_64_IRELATIVE: code that runs while the module is being loaded
_EARLY_TAGS = {12: "_init", 13: "_fini", 26: "_fini_array", 32: "_preinit_array"}  # in the section .dynamic
#: What the code generator calls for numbers of a width that no processor computes with, and their types.
_WIDE = {"ti": "__int128", "tf": "__float128", "hf": "_Float16", "bf": "__bf16"}
_WIDE_OPERATION = re.compile(rf"__[a-z]+?({'|'.join(_WIDE)})")
#: Most bytes in all `__shared__` arrays, those of other kernels, too.
_MAX_SHARED = 16 << 20


class ForbiddenModuleError(Exception):
    """The module would run code before the sandbox is closed, or call something that a kernel may not."""

    def __init__(self, construct: str, reason: Refusal) -> None:
        super().__init__(construct, reason)
        self.construct, self.reason = construct, reason


def read_module(path: Path, arrays: Arrays) -> ModuleInfo:
    """Read a linked module.

    Args:
        arrays: those of the LLVM IR that it was made of.

    Raises:
        ForbiddenModuleError: it is not safe to load.
    """
    elf = _read(path)
    sections = elf.by_name
    dynamic_symbols = elf.symbols(sections[".dynsym"])
    symbols = elf.symbols(sections[".symtab"])
    _refuse_early_code(elf)
    refuse_foreign_names({s.name: s.section != UNDEFINED for s in dynamic_symbols if s.name})
    data = _writable(sections)
    lines = sections.get(".debug_line")  # nothing of a kernel that does nothing may be left
    try:
        rows = dwarf.read_lines(elf.bytes_of(lines)) if lines else []
    except ValueError as error:
        raise GraderFault(f"The emulator's compiler wrote {error}, which is not read here.") from None
    objects = (symbol for symbol in symbols if symbol.kind == OBJECT and symbol.name in arrays)
    placed = {symbol.name: replace(arrays[symbol.name], start=symbol.address) for symbol in objects}
    if sections[".emu_shared"].size > _MAX_SHARED:
        raise ForbiddenModuleError("__shared__", Refusal.SHARED_SIZE)
    constants = sections.get(_CONSTANTS)
    return ModuleInfo(
        tuple(sorted(placed.values(), key=lambda array: array.start)),
        _lines(rows),
        data,
        (constants.address, constants.end) if constants else (0, 0),
        elf.image,
        _calls(dynamic_symbols),
    )


def _read(path: Path) -> Elf:
    try:
        return read_elf(path.read_bytes())
    except ValueError as error:
        raise GraderFault(f"The emulator's compiler wrote {path.name} as {error}.") from None


def spread_variables(assembly: str) -> str:
    """Make a linker script that puts a gap after each variable of a module's assembly, so that an access past the
    end of one never lands inside the next."""
    names = re.findall(r'^\t\.section\t([^,"\s]+)', assembly, re.MULTILINE)
    gap = ". = ALIGN(256) + 1024;"
    out = []
    for kind, flag in ((".data", ""), (".bss", "(NOLOAD)")):
        mine = [n for n in names if re.fullmatch(rf"\{kind}\.(?!rel\.|emu_)[\w.$]+", n)]
        lines = "".join(f". = ALIGN(256); *({n}) {gap}\n" for n in dict.fromkeys(mine))
        out.append(f"SECTIONS {{ .emu_device{kind} {flag} : ALIGN(4096) {{\n{gap}\n{lines}}} }} INSERT AFTER {kind};\n")
    patterns = {"shared": r"\.bss\.emu_shared\.\d+", "constant": r"\.emu_constant\.\d+"}
    spread = {
        space: "".join(f". = ALIGN(256); *({n}) {gap}\n" for n in dict.fromkeys(names) if re.fullmatch(pattern, n))
        for space, pattern in patterns.items()
    }
    dynamic = ". = ALIGN(4096); *(.bss.emu_dynamic) . = ALIGN(4096) + 4096;\n"
    first = ". = . + 4096;\n"
    out.append(f"SECTIONS {{ .emu_constant : ALIGN(4096) {{\n{gap}\n{spread['constant']}}} }} INSERT AFTER .data;\n")
    shared = first + spread["shared"] + dynamic
    out.append(f"SECTIONS {{ .emu_shared (NOLOAD) : ALIGN(4096) {{\n{shared}}} }} INSERT AFTER .bss;\n")
    # Constants that hold addresses lie beside all others, so that one range has them.
    constants = f"*(.rodata .rodata.* {_CONSTANTS} {_CONSTANTS}.*)"
    out.append(f"SECTIONS {{ {_CONSTANTS} : {{ {constants} }} }} INSERT BEFORE .dynamic;\n")
    return "".join(out)


def _refuse_early_code(elf: Elf) -> None:
    # The linker turns functions with certain names, such as _init, into code that runs at loading and unloading.
    sections = elf.by_name
    for tag in elf.dynamic_tags(sections[".dynamic"]):
        if tag in _EARLY_TAGS:
            raise ForbiddenModuleError(_EARLY_TAGS[tag], Refusal.RUNS_AROUND)
    if ".init_array" in sections:
        raise ForbiddenModuleError("a global variable", Refusal.EARLY_VALUE)
    for section in elf.sections:
        if section.kind == RELA and _IRELATIVE in elf.relocation_types(section):
            raise ForbiddenModuleError("ifunc", Refusal.RUNS_BEFORE)


def refuse_foreign_names(names: Mapping[str, bool]) -> None:
    """Refuse a module that defines what the runtime defines, or leaves something else for others to define.

    Args:
        names: its symbols that others see, and whether it defines them.

    Raises:
        ForbiddenModuleError: it does.
    """
    for name, defined in names.items():
        if defined and re.match(r"__tsan_|__ubsan_|emu_(?!entry$|parameters$|dynamic$|accesses$)", name):
            raise ForbiddenModuleError(name, Refusal.RUNTIME)
        if not defined and name not in _callable():
            raise foreign_name(name)


def foreign_name(name: str) -> ForbiddenModuleError:
    """Return why a module must not have the symbol `name` of another."""
    if name.startswith(("__tsan_", "__ubsan_", "emu_")) and not name.startswith("__tsan_atomic"):
        return ForbiddenModuleError(name, Refusal.RUNTIME)
    if name.startswith("llvm.global_"):
        return ForbiddenModuleError("a global variable", Refusal.EARLY_VALUE)
    if name.startswith(("__cxa_guard", "__tsan_atomic8_load")):  # guards the initialization of a static variable
        return ForbiddenModuleError("static", Refusal.CODED_VALUE)
    if name.startswith("__tsan_atomic"):
        return ForbiddenModuleError("an atomic access by none of CUDA's functions", Refusal.NOT_CUDA)
    if re.match("_Z(n[aw]|d[al])", name):
        return ForbiddenModuleError("new" if name[2] == "n" else "delete", Refusal.NO_HEAP)
    if name in ("malloc", "free"):
        return ForbiddenModuleError(name, Refusal.NO_HEAP)
    if operation := _WIDE_OPERATION.match(name):
        return ForbiddenModuleError(_WIDE[operation[1]], Refusal.UNSUPPORTED)
    mangled = re.match(r"_Z+(\d+)", name)
    plain = name[mangled.end() :][: int(mangled[1])] if mangled else name
    return ForbiddenModuleError(plain, Refusal.NO_BODY)


def _calls(dynamic_symbols: Sequence[Symbol]) -> tuple[str, ...]:
    names = {s.name for s in dynamic_symbols if s.section == UNDEFINED}
    return tuple(sorted(n for n in names if n.startswith("emu_")))


@cache
def _callable() -> frozenset[str]:
    """Return what a module may leave for the runtime to define."""
    names = {name[1:] for name in runtime_entries()}
    inlined = {f"emu_numbered_{what}{size}" for what in ("read", "write") for size in (4, 8, 16)}
    machine_code = {"memcpy", "memset", "memmove"}  # for copies of the function's memory
    return frozenset(names | inlined | machine_code | {"emu_index", "emu_shape"})


def _writable(sections: Sections) -> tuple[int, int]:
    found = [sections[name] for name in _WRITABLE if name in sections]
    return min(s.address for s in found), max(s.end for s in found)


def _lines(rows: Sequence[dwarf.Row]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((row.address, row.line if row.file == "kernel.cu" and not row.end else 0) for row in rows))
