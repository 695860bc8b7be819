"""Reads a linked kernel module: its arrays and source lines, and whether it may be loaded at all."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from .module_info import ArrayInfo, ModuleInfo

# What pyelftools gives back: its own types say "maybe" where these files always have the thing.
Sections = dict[str, Any]  # by name: asked for each of them, it would read its header again
Symbols = list[Any]
Dwarf = Any
Die = Any

_PRELUDE = Path(__file__).parent / "emulator"
_WRITABLE = (".data", ".bss", ".emu_shared", ".emu_constant", ".emu_device.data", ".emu_device.bss")
_INIT_ARRAY_BYTES = 8  # the one entry that the compiler's ThreadSanitizer pass adds
_IRELATIVE = 37  # R_X86_64_IRELATIVE: code that runs while the module is loaded
_EARLY_TAGS = ("DT_INIT", "DT_FINI", "DT_PREINIT_ARRAY", "DT_FINI_ARRAY")
#: DWARF's encodings of base types (5, "Base Type Entries") as numpy's kinds.
_NUMBERS = {2: "b", 4: "f", 5: "i", 6: "i", 7: "u", 8: "u"}
#: Most bytes of the `__shared__` arrays that are not the kernel's own.
_MAX_SHARED = 16 << 20


class ForbiddenModuleError(Exception):
    """The module would run code before the sandbox is closed, or call what a kernel may not."""

    def __init__(self, construct: str, reason: str) -> None:
        super().__init__(construct, reason)
        self.construct, self.reason = construct, reason


def read_module(path: Path, kernel: str, dynamic: tuple[str, int, str]) -> ModuleInfo:
    """Read a linked module.

    Args:
        dynamic: of the dynamic shared memory, which the debug information does not describe: its name,
            and bytes and dtype (see `ArrayInfo`) of an element.

    Raises:
        ForbiddenModuleError: it must not be loaded.
    """
    with path.open("rb") as file:
        elf: Any = ELFFile(file)
        every_section = list(elf.iter_sections())
        sections: Sections = {section.name: section for section in every_section}
        dynamic_symbols: Symbols = list(sections[".dynsym"].iter_symbols())
        symbols: Symbols = list(sections[".symtab"].iter_symbols())
        _refuse_early_code(sections, every_section)
        _refuse_foreign_calls(dynamic_symbols)
        data = _writable(sections)
        shared = sections[".emu_shared"]
        shared_range = (shared["sh_addr"], shared["sh_addr"] + shared["sh_size"])
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)  # the linker has done that
        buffer = next(s["st_value"] for s in symbols if s.name == "emu_dynamic")
        arrays = _arrays(sections, dwarf, data, buffer, dynamic)
        image = max(s["p_vaddr"] + s["p_memsz"] for s in elf.iter_segments() if s["p_type"] == "PT_LOAD")
        static_shared = _static_shared(symbols, shared_range, kernel)
        if shared["sh_size"] - static_shared > _MAX_SHARED:
            raise ForbiddenModuleError("__shared__", "takes more memory than any GPU has for it")
        return ModuleInfo(arrays, _lines(dwarf), data, image, static_shared, _calls(dynamic_symbols))


def spread_variables(path: Path) -> str:
    """A linker script that puts a gap behind each variable of an object file, so that an access past the
    end of one is never inside the next."""
    with path.open("rb") as file:
        names = [s.name for s in ELFFile(file).iter_sections()]
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
    return "".join(out)


def _refuse_early_code(sections: Sections, every_section: list[Any]) -> None:
    # The linker makes functions of certain names, such as _init, run at loading and unloading.
    for tag in sections[".dynamic"].iter_tags():
        if tag.entry.d_tag in _EARLY_TAGS:
            raise ForbiddenModuleError(tag.entry.d_tag[2:].lower(), "runs code before or after the kernel")
    init = sections.get(".init_array")
    if init is not None and init["sh_size"] != _INIT_ARRAY_BYTES:
        raise ForbiddenModuleError("a global variable", "is given its first value by code that runs before the kernel")
    for section in every_section:
        if section["sh_type"] == "SHT_RELA" and any(r["r_info_type"] == _IRELATIVE for r in section.iter_relocations()):
            raise ForbiddenModuleError("ifunc", "runs code before the kernel")


def _refuse_foreign_calls(dynamic_symbols: Symbols) -> None:
    for symbol in dynamic_symbols:
        name = symbol.name
        if not name:
            continue
        defined = symbol["st_shndx"] != "SHN_UNDEF"
        if defined and re.match(r"__tsan_|__ubsan_|emu_(?!entry$|describe$|dynamic$|accesses$)", name):
            raise ForbiddenModuleError(name, "belongs to the emulator")
        if not defined and name not in _callable():
            if name.startswith(("__cxa_guard", "__tsan_atomic")):  # the check that guards a first value
                raise ForbiddenModuleError("static", "is given its first value by code, which CUDA does not run")
            if re.match("_Z(n[aw]|d[al])", name):
                raise ForbiddenModuleError("new" if name[2] == "n" else "delete", "is not supported here")
            plain = re.sub(r"^_Z+\d+([A-Za-z_]\w*?)(?:[A-Z]\w*|[a-z])?$", r"\1", name)
            raise ForbiddenModuleError(plain, "is declared or called, but is no CUDA function and has no body here")


def _calls(dynamic_symbols: Symbols) -> tuple[str, ...]:
    names = {s.name for s in dynamic_symbols if s["st_shndx"] == "SHN_UNDEF"}
    return tuple(sorted(n for n in names if n.startswith("emu_")))


@cache
def _callable() -> frozenset[str]:
    """What a module may leave for the runtime to define: what the prelude declares."""
    text = "".join(path.read_text() for path in sorted(_PRELUDE.glob("prelude*.h")))
    names = set(re.findall(r"EMU_C\(\w+, (\w+),", text))
    for name in re.findall(r"EMU_M[12]\((\w+)\)", text):
        names |= {name, name + "f"}
    names |= set(re.findall(r"\b(emu_\w+)\b", (_PRELUDE / "prelude.h").read_text()))
    sizes = ("1", "2", "4", "8", "16")
    names |= {f"__tsan_{a}{b}{n}" for a in ("", "unaligned_") for b in ("read", "write") for n in sizes}
    others = "init vptr_update vptr_read read_range write_range memcpy memset memmove"
    names |= {f"__tsan_{what}" for what in others.split()}
    names |= {"__ubsan_handle_out_of_bounds", "__ubsan_handle_local_out_of_bounds_abort", "__cxa_pure_virtual"}
    names |= {"emu_check_copy", "emu_local_begin", "emu_local_end"}  # see instrument.py, local_arrays.py
    names |= {f"emu_told_{what}{n}" for what in ("read", "write") for n in sizes[2:]}
    return frozenset(names | {"memcpy", "memset", "memmove"})


def _writable(sections: Sections) -> tuple[int, int]:
    found = [sections[name] for name in _WRITABLE if name in sections]
    return min(s["sh_addr"] for s in found), max(s["sh_addr"] + s["sh_size"] for s in found)


def _static_shared(symbols: Symbols, shared: tuple[int, int], kernel: str) -> int:
    function = re.sub(r"<.*", "", kernel).split("::")[-1].strip()
    mine = re.compile(rf"_ZZ\w*?{len(function)}{function}")
    sizes = {
        s["st_value"]: s["st_size"]
        for s in symbols
        if s["st_info"]["type"] == "STT_OBJECT" and shared[0] <= s["st_value"] < shared[1] and mine.match(s.name)
    }
    return sum(sizes.values())


def _lines(dwarf: Dwarf) -> tuple[tuple[int, int], ...]:
    out = []
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        files = program["file_entry"]
        ours = {i + 1 for i, f in enumerate(files) if f.name == b"kernel.cu"}
        for entry in program.get_entries():
            state = entry.state
            if state is not None:
                out.append((state.address, state.line if state.file in ours and not state.end_sequence else 0))
    return tuple(sorted(out))


# ---- variables --------------------------------------------------------------------------------------


def _arrays(
    sections: Sections, dwarf: Dwarf, data: tuple[int, int], buffer: int, dynamic: tuple[str, int, str]
) -> tuple[ArrayInfo, ...]:
    out: dict[int, ArrayInfo] = {}
    for unit in dwarf.iter_CUs():
        for die in unit.iter_DIEs():
            if die.tag != "DW_TAG_variable" or "DW_AT_type" not in _own(die).attributes:
                continue
            address = _address(die)
            if address is not None and data[0] <= address < data[1] and address != buffer:
                shape, item, dtype = _extent(_own(die).get_DIE_from_attribute("DW_AT_type"))
                bytes_ = item
                for n in shape:
                    bytes_ *= n
                space = _space(sections, address)
                out[address] = ArrayInfo(_name(die), address, bytes_, shape, item, space, dtype=dtype)
    out[buffer] = ArrayInfo(dynamic[0], buffer, 0, (), dynamic[1], "shared", dynamic=True, dtype=dynamic[2])
    return tuple(out[address] for address in sorted(out))


def _space(sections: Sections, address: int) -> str:
    for space in ("shared", "constant"):
        section = sections.get(f".emu_{space}")
        if section is not None and section["sh_addr"] <= address < section["sh_addr"] + section["sh_size"]:
            return space
    return "device"


def _own(die: Die) -> Die:
    """The entry that carries name and type: a definition may only refer to its declaration."""
    for attribute in ("DW_AT_specification", "DW_AT_abstract_origin"):
        if attribute in die.attributes:
            return _own(die.get_DIE_from_attribute(attribute))
    return die


def _name(die: Die) -> str:
    attribute = _own(die).attributes.get("DW_AT_name")
    return attribute.value.decode() if attribute else ""


def _address(die: Die) -> int | None:
    location: Any = die.attributes.get("DW_AT_location")
    if location is None or location.form != "DW_FORM_exprloc" or len(location.value) != 9:
        return None
    if location.value[0] != 3:  # DW_OP_addr
        return None
    return int.from_bytes(bytes(location.value[1:]), "little")


def _extent(kind: Die) -> tuple[tuple[int, ...], int, str]:
    """The extents of a type (none: no array), the bytes of one element, and its dtype (see `ArrayInfo`)."""
    while kind.tag in {"DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type"}:
        if "DW_AT_type" not in kind.attributes:
            return (), 1, ""
        kind = kind.get_DIE_from_attribute("DW_AT_type")
    if kind.tag != "DW_TAG_array_type":
        size = kind.attributes.get("DW_AT_byte_size")
        return (), size.value if size else 8, _dtype(kind, size.value if size else 0)
    shape = []
    for child in kind.iter_children():
        if child.tag == "DW_TAG_subrange_type":
            count, upper = child.attributes.get("DW_AT_count"), child.attributes.get("DW_AT_upper_bound")
            shape.append(count.value if count else upper.value + 1 if upper else 0)
    inner, item, dtype = _extent(kind.get_DIE_from_attribute("DW_AT_type"))
    return (*shape, *inner), item, dtype


def _dtype(kind: Die, size: int) -> str:
    name, encoding = kind.attributes.get("DW_AT_name"), kind.attributes.get("DW_AT_encoding")
    if name is not None and name.value == b"__half":
        return "<f2"
    letter = _NUMBERS.get(encoding.value) if encoding else None
    return f"{'|' if size == 1 else '<'}{letter}{size}" if letter and size <= 8 else ""
