"""Reads a linked kernel module: its arrays, its source lines, and whether it is safe to load."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ..core.findings import Space
from ..core.refusal import Refusal
from ..errors import GraderFault
from . import dwarf
from .elf import OBJECT, RELA, UNDEFINED, Elf, Section, Symbol, read_elf
from .module_info import ArrayInfo, DynamicArray, ModuleInfo, qualified
from .variables import is_of_kernel
from .verifier.entries import runtime_entries

Sections = Mapping[str, Section]
Entries = Mapping[int, dwarf.Entry]

_WRITABLE = (".data", ".bss", ".emu_shared", ".emu_constant", ".emu_device.data", ".emu_device.bss")
#: What no kernel changes; relocation writes to it before it becomes read-only.
_CONSTANTS = ".data.rel.ro"
_IRELATIVE = 37  # R_X86_64_IRELATIVE: code that runs while the module is being loaded
_EARLY_TAGS = {12: "_init", 13: "_fini", 26: "_fini_array", 32: "_preinit_array"}  # in the section .dynamic
#: DWARF's encodings of base types (5, "Base Type Entries") as numpy's kinds.
_NUMBERS = {2: "b", 4: "f", 5: "i", 6: "i", 7: "u", 8: "u"}
#: What the code generator calls for numbers of a width that no processor computes with, and their types.
_WIDE = {"ti": "__int128", "tf": "__float128", "hf": "_Float16", "bf": "__bf16"}
_WIDE_OPERATION = re.compile(rf"__[a-z]+?({'|'.join(_WIDE)})")
#: Most bytes in all `__shared__` arrays that don't belong to the kernel.
_MAX_SHARED = 16 << 20
#: What keeps sections from being empty (`front_end.entry_of`), and is no kernel's.
_PLACEHOLDERS = ("emu_data", "emu_bss")


class ForbiddenModuleError(Exception):
    """The module would run code before the sandbox is closed, or call something that a kernel may not."""

    def __init__(self, construct: str, reason: Refusal) -> None:
        super().__init__(construct, reason)
        self.construct, self.reason = construct, reason


def read_module(path: Path, kernel: str, dynamic: DynamicArray) -> ModuleInfo:
    """Read a linked module.

    Args:
        dynamic: the dynamic shared memory, which the debug information doesn't describe.

    Raises:
        ForbiddenModuleError: it is not safe to load.
    """
    elf = _read(path)
    sections = elf.by_name
    dynamic_symbols = elf.symbols(sections[".dynsym"])
    symbols = elf.symbols(sections[".symtab"])
    _refuse_early_code(elf)
    _refuse_foreign_calls(dynamic_symbols)
    data = _writable(sections)
    shared = sections[".emu_shared"]
    info, shapes, strings, lines = (
        elf.bytes_of(sections[f".debug_{name}"]) for name in ("info", "abbrev", "str", "line")
    )
    try:
        entries, rows = dwarf.read_entries(info, shapes, strings), dwarf.read_lines(lines)
    except ValueError as error:
        raise GraderFault(f"The emulator's compiler wrote {error}, which is not read here.") from None
    buffer = next(s.address for s in symbols if s.name == "emu_dynamic")
    variables = {s.address: qualified(s.name) for s in symbols if s.kind == OBJECT}
    arrays = _arrays(sections, entries, data, variables, buffer, dynamic)
    static_shared = _static_shared(symbols, shared, kernel)
    if shared.size - static_shared > _MAX_SHARED:
        raise ForbiddenModuleError("__shared__", Refusal.SHARED_SIZE)
    constants = sections.get(_CONSTANTS)
    return ModuleInfo(
        arrays,
        _lines(rows),
        data,
        (constants.address, constants.end) if constants else (0, 0),
        elf.image,
        static_shared,
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
    own = {"shared": r"\.bss\.emu_shared\.\d+", "constant": r"\.emu_constant\.\d+"}
    spread = {
        space: "".join(f". = ALIGN(256); *({n}) {gap}\n" for n in dict.fromkeys(names) if re.fullmatch(pattern, n))
        for space, pattern in own.items()
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


def _refuse_foreign_calls(dynamic_symbols: Sequence[Symbol]) -> None:
    refuse_foreign_names({s.name: s.section != UNDEFINED for s in dynamic_symbols if s.name})


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
    """Why a module must not have the symbol `name`, which is not its own."""
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
    """What a module may leave for the runtime to define."""
    names = {name[1:] for name in runtime_entries()}
    inlined = {f"emu_told_{what}{size}" for what in ("read", "write") for size in (4, 8, 16)}
    machine_code = {"memcpy", "memset", "memmove"}  # for copies of memory that is the function's own
    return frozenset(names | inlined | machine_code | {"emu_index", "emu_shape"})


def _writable(sections: Sections) -> tuple[int, int]:
    found = [sections[name] for name in _WRITABLE if name in sections]
    return min(s.address for s in found), max(s.end for s in found)


def _static_shared(symbols: Sequence[Symbol], shared: Section, kernel: str) -> int:
    sizes = {
        s.address: s.size
        for s in symbols
        if s.kind == OBJECT and shared.address <= s.address < shared.end and is_of_kernel(s.name, kernel)
    }
    return sum(sizes.values())


def _lines(rows: Sequence[dwarf.Row]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((row.address, row.line if row.file == "kernel.cu" and not row.end else 0) for row in rows))


# ---- variables --------------------------------------------------------------------------------------


def _arrays(
    sections: Sections,
    entries: Entries,
    data: tuple[int, int],
    symbols: Mapping[int, str],
    buffer: int,
    dynamic: DynamicArray,
) -> tuple[ArrayInfo, ...]:
    out: dict[int, ArrayInfo] = {}
    for entry in entries.values():
        address = _address(entry)
        if address is None or not data[0] <= address < data[1] or address == buffer:
            continue
        own = _own(entries, entry)
        if dwarf.TYPE in own.values and _name(own) not in _PLACEHOLDERS:
            kind = _referred(entries, own, dwarf.TYPE)
            shape, item, dtype = _extent(entries, kind)
            bytes_ = item
            for n in shape:
                bytes_ *= n
            space = _space(sections, address)
            const = _is_const(entries, kind)
            name, symbol = _name(own), symbols.get(address, "")
            out[address] = ArrayInfo(name, address, bytes_, shape, item, space, dtype=dtype, const=const, symbol=symbol)
    out[buffer] = ArrayInfo(dynamic.name, buffer, 0, (), dynamic.item, "shared", dynamic=True, dtype=dynamic.dtype)
    return tuple(out[address] for address in sorted(out))


def _space(sections: Sections, address: int) -> Space:
    spaces: tuple[Space, ...] = ("shared", "constant")
    for space in spaces:
        section = sections.get(f".emu_{space}")
        if section is not None and section.address <= address < section.end:
            return space
    return "device"


def _referred(entries: Entries, entry: dwarf.Entry, attribute: int) -> dwarf.Entry:
    return entries[_number(entry, attribute)]


def _number(entry: dwarf.Entry, attribute: int, default: int = 0) -> int:
    value = entry.values.get(attribute, default)
    return value if isinstance(value, int) else default


def _own(entries: Entries, entry: dwarf.Entry) -> dwarf.Entry:
    """The entry with the name and type: a definition may only refer to its declaration."""
    for attribute in (dwarf.SPECIFICATION, dwarf.ABSTRACT_ORIGIN):
        if attribute in entry.values:
            return _own(entries, _referred(entries, entry, attribute))
    return entry


def _name(entry: dwarf.Entry) -> str:
    name = entry.values.get(dwarf.NAME, b"")
    return name.decode() if isinstance(name, bytes) else ""


def _address(entry: dwarf.Entry) -> int | None:
    """Where a variable is; None if `entry` is not a variable or has no fixed address."""
    location = entry.values.get(dwarf.LOCATION)
    if entry.tag != dwarf.VARIABLE or not isinstance(location, bytes) or len(location) != 9:
        return None
    if location[0] != 3:  # DW_OP_addr
        return None
    return int.from_bytes(location[1:], "little")


def _extent(entries: Entries, kind: dwarf.Entry) -> tuple[tuple[int, ...], int, str]:
    """A type's extents (empty: not an array), the bytes of one element, and its dtype (see `ArrayInfo`)."""
    while kind.tag in (dwarf.TYPEDEF, dwarf.CONST, dwarf.VOLATILE):
        if dwarf.TYPE not in kind.values:
            return (), 1, ""
        kind = _referred(entries, kind, dwarf.TYPE)
    if kind.tag != dwarf.ARRAY:
        return (), _number(kind, dwarf.BYTE_SIZE, 8), _dtype(kind)
    shape = [
        _number(child, dwarf.COUNT, _number(child, dwarf.UPPER_BOUND, -1) + 1)
        for child in kind.children
        if child.tag == dwarf.SUBRANGE
    ]
    inner, item, dtype = _extent(entries, _referred(entries, kind, dwarf.TYPE))
    return (*shape, *inner), item, dtype


def _is_const(entries: Entries, kind: dwarf.Entry) -> bool:
    """Whether a type or its element type is const."""
    while kind.tag in (dwarf.TYPEDEF, dwarf.VOLATILE, dwarf.ARRAY) and dwarf.TYPE in kind.values:
        kind = _referred(entries, kind, dwarf.TYPE)
    return kind.tag == dwarf.CONST


def _dtype(kind: dwarf.Entry) -> str:
    if kind.values.get(dwarf.NAME) == b"__half":
        return "<f2"
    size = _number(kind, dwarf.BYTE_SIZE)
    letter = _NUMBERS.get(_number(kind, dwarf.ENCODING))
    return f"{'|' if size == 1 else '<'}{letter}{size}" if letter and size <= 8 else ""
