"""Our readers of ELF and DWARF, compared with pyelftools: on compiled kernels, and on what those do not contain."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any, TypeVar

import inputs
import pytest
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo
from elftools.dwarf.enums import ENUM_DW_AT, ENUM_DW_TAG
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_D_TAG_COMMON, ENUM_SH_TYPE_BASE, ENUM_ST_INFO_TYPE
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, SymbolTableSection
from kernel_names import kernel_names

from autograder.compiler import dwarf
from autograder.compiler.elf import Elf, read_elf
from autograder.compiler.machine_code import Build
from autograder.compiler.module_info import DynamicArray
from autograder.compiler.module_reader import read_module
from autograder.compiler.toolchain import Module, compile_kernel
from autograder.errors import GraderFault

pytestmark = inputs.emulation

S = TypeVar("S", bound=Section)

CORPUS = sorted((Path(__file__).parents[1] / "kernels").glob("*/good_*.cu"))
#: Those whose kernel is no template: its name alone says which one is meant.
PLAIN = [text for text in (path.read_text() for path in CORPUS) if "template" not in text]
# All types, spaces and names that `module_reader` asks for, and lines that are far apart.
VARIABLES = (
    """
#include <cuda_fp16.h>
typedef unsigned char Byte;
struct Pair { float first; int second; };
namespace mine { __device__ double sums[3][5]; }
__constant__ float weights[7] = {1, 2, 3};
__device__ const volatile Byte letters[9] = {'a'};
__device__ Pair pairs[2];
__device__ long long one = -1;
__device__ bool flags[4];
template <int N> __device__ int helper(int i)
{
    __shared__ int kept[N][2];
    kept[i % N][0] = i;
    return kept[i % N][0];
}
__global__ void k(float* out, const float* in)
{
    __shared__ float tile[32][33];
    __shared__ __half halves[8];
    extern __shared__ double more[];
"""
    + """
    tile[threadIdx.x][0] = weights[1] + letters[2] + pairs[1].first + mine::sums[1][2] + one + flags[3];
"""
    + "\n" * 300
    + """
    halves[threadIdx.x % 8] = __float2half(in[0]);
    more[0] = helper<3>(1) + helper<5>(2);
    out[threadIdx.x] = tile[threadIdx.x][0] + __half2float(halves[0]) + more[0];
}
"""
)


def compiled(source: str, build: Build) -> Path:
    module = compile_kernel(source, kernel_names(source)[-1], build)
    assert isinstance(module, Module), module
    return module.path


@pytest.mark.parametrize("build", [Build.PLAIN, Build.OPTIMIZED])
@pytest.mark.parametrize("source", [VARIABLES, *PLAIN[::12]])
def test_a_compiled_kernel(source: str, build: Build) -> None:
    path = compiled(source, build)
    ours = read_elf(path.read_bytes())
    with path.open("rb") as file:
        theirs = ELFFile(file)
        assert sections_of(ours) == [
            (s.name, ENUM_SH_TYPE_BASE.get(s["sh_type"], s["sh_type"]), s["sh_addr"], s["sh_offset"], s["sh_size"])
            for s in theirs.iter_sections()
        ]
        for name in (".dynsym", ".symtab"):
            assert [(s.name, s.address, s.size, s.kind, s.section) for s in ours.symbols(ours.by_name[name])] == [
                (s.name, s["st_value"], s["st_size"], ENUM_ST_INFO_TYPE[s["st_info"]["type"]], place(s["st_shndx"]))
                for s in section(theirs, name, SymbolTableSection).iter_symbols()
            ]
        for name in (".rela.dyn", ".rela.plt"):
            kinds = {r["r_info_type"] for r in section(theirs, name, RelocationSection).iter_relocations()}
            assert ours.relocation_types(ours.by_name[name]) == kinds != set()
        tags = [ENUM_D_TAG_COMMON[tag.entry.d_tag] for tag in section(theirs, ".dynamic", DynamicSection).iter_tags()]
        assert [*ours.dynamic_tags(ours.by_name[".dynamic"]), 0] == tags
        loaded = [s["p_vaddr"] + s["p_memsz"] for s in theirs.iter_segments() if s["p_type"] == "PT_LOAD"]
        assert ours.image == max(loaded)
        info = theirs.get_dwarf_info(relocate_dwarf_sections=False)
        assert entries_of(*(content(ours, name) for name in ("info", "abbrev", "str"))) == their_entries(info)
        assert dwarf.read_lines(content(ours, "line")) == their_lines(info)


def sections_of(elf: Elf) -> list[tuple[Any, ...]]:
    return [(s.name, s.kind, s.address, s.offset, s.size) for s in elf.sections]


def content(elf: Elf, name: str) -> bytes:
    return elf.bytes_of(elf.by_name[f".debug_{name}"])


def section(file: ELFFile, name: str, kind: type[S]) -> S:
    found = file.get_section_by_name(name)
    assert isinstance(found, kind), name
    return found


def place(section: str | int) -> int:
    return section if isinstance(section, int) else {"SHN_UNDEF": 0, "SHN_ABS": 0xFFF1}[section]


def entries_of(info: bytes, shapes: bytes, strings: bytes) -> list[tuple[Any, ...]]:
    """Each entry: its offset, tag and values, and the tags of its children."""
    found = dwarf.read_entries(info, shapes, strings)
    return [(at, e.tag, e.values, [child.tag for child in e.children]) for at, e in found.items()]


def their_entries(info: DWARFInfo) -> list[tuple[Any, ...]]:
    def value(unit: Any, attribute: Any) -> Any:
        if attribute.form in ("DW_FORM_ref1", "DW_FORM_ref2", "DW_FORM_ref4", "DW_FORM_ref8", "DW_FORM_ref_udata"):
            return attribute.raw_value + unit.cu_offset
        return bytes(attribute.value) if isinstance(attribute.value, list) else attribute.value

    def number(name: str | int | None, numbers: dict[str, int]) -> int:
        assert name is not None
        return name if isinstance(name, int) else numbers[name]

    return [
        (
            entry.offset,
            number(entry.tag, ENUM_DW_TAG),
            {number(name, ENUM_DW_AT): value(unit, a) for name, a in entry.attributes.items()},
            [number(child.tag, ENUM_DW_TAG) for child in entry.iter_children()],
        )
        for unit in info.iter_CUs()
        for entry in unit.iter_DIEs()
        if not entry.is_null()
    ]


def their_lines(info: DWARFInfo) -> list[tuple[Any, ...]]:
    out = []
    for unit in info.iter_CUs():
        program = info.line_program_for_CU(unit)
        assert program is not None
        names = [""] + [file.name.decode() for file in program["file_entry"]]
        states = (entry.state for entry in program.get_entries())
        out += [(s.address, names[s.file], s.line, s.column, s.end_sequence) for s in states if s is not None]
    return out


# ---- what the compiler does not write today ------------------------------------------------------------


def by_pyelftools(info: bytes, shapes: bytes, strings: bytes, lines: bytes = b"") -> DWARFInfo:
    sections: dict[str, Any] = dict.fromkeys(
        "debug_aranges debug_frame eh_frame debug_loc debug_ranges debug_pubtypes debug_pubnames debug_addr "
        "debug_str_offsets debug_line_str debug_loclists debug_rnglists debug_sup gnu_debugaltlink debug_types".split()
    )
    sections |= {"debug_info": info, "debug_abbrev": shapes, "debug_str": strings, "debug_line": lines}
    described = {
        f"{name}_sec": None if data is None else DebugSectionDescriptor(io.BytesIO(data), name, 0, len(data), 0)
        for name, data in sections.items()
    }
    return DWARFInfo(config=DwarfConfig(True, "x64", 8), **described)


def unit(entries: bytes, version: int = 4, address_size: int = 8) -> bytes:
    head = struct.pack("<HIB", version, 0, address_size)
    return struct.pack("<I", len(head) + len(entries)) + head + entries


FORMS = {
    0x01: bytes(range(8)), 0x03: b"\x02\0ab", 0x04: b"\x01\0\0\0c", 0x05: b"\x01\x82", 0x06: b"\1\2\3\x84",
    0x07: b"\xff" * 8, 0x08: b"text\0", 0x09: b"\x02de", 0x0A: b"\x03fgh", 0x0B: b"\xfe", 0x0C: b"\x01",
    0x0D: b"\xc0\xbb\x78", 0x0E: b"\x04\0\0\0", 0x0F: b"\xe5\x8e\x26", 0x10: b"\x0b\0\0\0", 0x11: b"\x0b",
    0x12: b"\x0b\0", 0x13: b"\x0b\0\0\0", 0x14: b"\x0b" + bytes(7), 0x15: b"\x8b\0", 0x17: b"\x05\0\0\0",
    0x18: b"\x01\x9c", 0x19: b"",
}  # fmt: skip


def test_every_form_of_dwarf_4() -> None:
    """An entry in which each attribute has a different form, in two units."""
    attributes = b"".join(bytes([0x02 + form, form]) for form in FORMS)
    shapes = b"\x01\x11\x01\0\0" + b"\x02\x34\0" + attributes + b"\0\0" + b"\0"
    entry = b"\x02" + b"".join(FORMS.values())
    info = unit(b"\x01" + entry + entry + b"\0") + unit(b"\x01" + entry + b"\0")
    strings = b"one\0two\0"
    ours = entries_of(info, shapes, strings)
    assert ours == their_entries(by_pyelftools(info, shapes, strings))
    assert [len(values) for _, _, values, _ in ours] == [0, len(FORMS), len(FORMS), 0, len(FORMS)]
    assert ours[1][2][0x02 + 0x0D] == -123456


def test_every_operation_of_a_line_table() -> None:
    operations = [
        b"\0\x09\x02" + struct.pack("<Q", 0x1000), b"\x01", b"\x4b", b"\x02\x90\x03", b"\x03\x7d", b"\x01", b"\x04\x02",
        b"\x05\x0c", b"\x06", b"\x07", b"\x08", b"\xff", b"\x09\x34\x12", b"\x0a", b"\x0b", b"\x0c\x81\x01", b"\x01",
        b"\0\x03\x04\x90\x01", b"\x0d", b"\x02\x04", b"\0\x01\x01",
        b"\0\x09\x02" + struct.pack("<Q", 0x8000), b"\x03\xff\0", b"\x0e", b"\0\x01\x01",
    ]  # fmt: skip
    files = b"folder\0\0" + b"kernel.cu\0\0\0\0" + b"prelude.h\0\x01\x90\x02\x03" + b"\0"
    rest = struct.pack("<BBBbBB", 1, 1, 1, -5, 11, 13) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + files
    program = struct.pack("<HI", 4, len(rest)) + rest + b"".join(operations)
    lines = struct.pack("<I", len(program)) + program
    info = unit(b"\x01" + struct.pack("<I", 0))
    rows = dwarf.read_lines(lines)
    assert rows == their_lines(by_pyelftools(info, b"\x01\x11\0\x10\x17\0\0\0", b"\0", lines))
    assert {row.file for row in rows} == {"kernel.cu", "prelude.h"} and len(rows) == 9
    assert dwarf.read_lines(lines + lines) == rows + rows


# ---- what is refused ------------------------------------------------------------------------------------


def test_what_is_not_read_is_refused() -> None:
    shapes = b"\x01\x34\0\x02\x1a\0\0\0"
    with pytest.raises(ValueError, match="DWARF 5"):
        dwarf.read_entries(unit(b"\x01", version=5), shapes, b"")
    with pytest.raises(ValueError, match="4 bytes"):
        dwarf.read_entries(unit(b"\x01", address_size=4), shapes, b"")
    with pytest.raises(ValueError, match="form 0x1a"):
        dwarf.read_entries(unit(b"\x01\0"), shapes, b"")
    with pytest.raises(ValueError, match="line table of DWARF 5"):
        dwarf.read_lines(struct.pack("<IHI", 6, 5, 0))
    with pytest.raises(ValueError, match="no ELF file"):
        read_elf(b"\x7fELF\x01\x01" + bytes(58))


def test_a_module_that_cannot_be_read_is_our_fault(tmp_path: Path) -> None:
    path = tmp_path / "module.so"
    path.write_bytes(b"#!/bin/sh\n")
    with pytest.raises(GraderFault, match=r"module\.so as no ELF file"):
        read_module(path, "k", DynamicArray("", 4, ""))
    content = bytearray(compiled(VARIABLES, Build.PLAIN).read_bytes())
    at = read_elf(bytes(content)).by_name[".debug_info"].offset
    content[at + 4] = 5
    path.write_bytes(content)
    with pytest.raises(GraderFault, match="DWARF 5"):
        read_module(path, "k", DynamicArray("", 4, ""))
