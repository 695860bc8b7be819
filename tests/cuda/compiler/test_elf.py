"""Our readers of ELF and DWARF, compared with pyelftools: on compiled kernels, and on what those do not contain."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any, TypeVar

import inputs
import pytest
from elftools.dwarf.die import DIE, AttributeValue
from elftools.dwarf.dwarfinfo import DebugSectionDescriptor, DwarfConfig, DWARFInfo
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_D_TAG_COMMON, ENUM_SH_TYPE_BASE, ENUM_ST_INFO_TYPE
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, SymbolTableSection
from kernel_names import kernel_names

from autograder.cuda.compiler import dwarf
from autograder.cuda.compiler.elf import Elf, read_elf
from autograder.cuda.compiler.machine_code import Build
from autograder.cuda.compiler.module_reader import read_module
from autograder.cuda.compiler.toolchain import Module, compile_kernel
from autograder.cuda.errors import GraderFault

pytestmark = inputs.emulation

S = TypeVar("S", bound=Section)

CORPUS = sorted((Path(__file__).parents[1] / "kernels").glob("*/good_*.cu"))
#: Those whose kernel is no template: its name alone says which one is meant.
PLAIN = [text for text in (path.read_text() for path in CORPUS) if "template" not in text]
# All types, spaces and names that `arrays` asks for, and lines that are far apart.
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


@pytest.mark.sampled(one_in=3)
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
        lines = ours.bytes_of(ours.by_name[".debug_line"])
        assert dwarf.read_lines(lines) == their_lines(info)


@pytest.mark.parametrize("build", [Build.PLAIN, Build.OPTIMIZED])
def test_arrays_are_where_the_debug_information_says(build: Build) -> None:
    module = compile_kernel(VARIABLES, "k", build)
    assert isinstance(module, Module)
    with module.path.open("rb") as file:
        info = ELFFile(file).get_dwarf_info()
        placed = {bytes(a.value[1:]) for unit in info.iter_CUs() for die in unit.iter_DIEs() if (a := location_of(die))}
    arrays = [array for array in module.info.arrays if not array.dynamic]
    assert {array.start.to_bytes(8, "little") for array in arrays} < placed
    assert {a.name: (a.shape, a.bytes, a.space, a.dtype, a.const) for a in arrays} == {
        "weights": ((7,), 28, "constant", "<f4", False),
        "sums": ((3, 5), 120, "device", "<f8", False),
        "pairs": ((2,), 16, "device", "", False),
        "one": ((), 8, "device", "<i8", False),
        "flags": ((4,), 4, "device", "|b1", False),
        "kept": ((5, 2), 40, "shared", "<i4", False),
        "tile": ((32, 33), 4224, "shared", "<f4", False),
        "halves": ((8,), 16, "shared", "<f2", False),
    }
    assert {"mine::sums", "weights"} < {a.symbol for a in arrays}


def location_of(die: DIE) -> AttributeValue | None:
    """Where a variable with a fixed address is."""
    found = die.attributes.get("DW_AT_location") if die.tag == "DW_TAG_variable" else None
    return found if found and found.form == "DW_FORM_exprloc" and found.value[0] == 3 else None


def sections_of(elf: Elf) -> list[tuple[Any, ...]]:
    return [(s.name, s.kind, s.address, s.offset, s.size) for s in elf.sections]


def section(file: ELFFile, name: str, kind: type[S]) -> S:
    found = file.get_section_by_name(name)
    assert isinstance(found, kind), name
    return found


def place(section: str | int) -> int:
    return section if isinstance(section, int) else {"SHN_UNDEF": 0, "SHN_ABS": 0xFFF1}[section]


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


def by_pyelftools(info: bytes, shapes: bytes, lines: bytes) -> DWARFInfo:
    sections: dict[str, Any] = dict.fromkeys(
        "debug_aranges debug_frame eh_frame debug_loc debug_ranges debug_pubtypes debug_pubnames debug_addr debug_str "
        "debug_str_offsets debug_line_str debug_loclists debug_rnglists debug_sup gnu_debugaltlink debug_types".split()
    )
    sections |= {"debug_info": info, "debug_abbrev": shapes, "debug_line": lines}
    described = {
        f"{name}_sec": None if data is None else DebugSectionDescriptor(io.BytesIO(data), name, 0, len(data), 0)
        for name, data in sections.items()
    }
    return DWARFInfo(config=DwarfConfig(True, "x64", 8), **described)


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
    info = struct.pack("<IHIBBI", 12, 4, 0, 8, 1, 0)
    rows = dwarf.read_lines(lines)
    assert rows == their_lines(by_pyelftools(info, b"\x01\x11\0\x10\x17\0\0\0", lines))
    assert {row.file for row in rows} == {"kernel.cu", "prelude.h"} and len(rows) == 9
    assert dwarf.read_lines(lines + lines) == rows + rows


# ---- what is refused ------------------------------------------------------------------------------------


def test_what_is_not_read_is_refused() -> None:
    with pytest.raises(ValueError, match="line table of DWARF 5"):
        dwarf.read_lines(struct.pack("<IHI", 6, 5, 0))
    with pytest.raises(ValueError, match="no ELF file"):
        read_elf(b"\x7fELF\x01\x01" + bytes(58))


def test_a_module_that_cannot_be_read_is_our_fault(tmp_path: Path) -> None:
    path = tmp_path / "module.so"
    path.write_bytes(b"#!/bin/sh\n")
    with pytest.raises(GraderFault, match=r"module\.so as no ELF file"):
        read_module(path, {})
    content = bytearray(compiled(VARIABLES, Build.PLAIN).read_bytes())
    at = read_elf(bytes(content)).by_name[".debug_line"].offset
    content[at + 4] = 5
    path.write_bytes(content)
    with pytest.raises(GraderFault, match="DWARF 5"):
        read_module(path, {})
