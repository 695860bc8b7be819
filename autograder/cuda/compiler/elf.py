"""Reads the object files that the emulator's compiler and linker write: 64-bit little-endian ELF.

Names and numbers are from the System V ABI, "Object Files", and its supplement for x86-64.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

#: Section types.
RELA, NOBITS = 4, 8
#: The section of a symbol that is defined elsewhere.
UNDEFINED = 0
#: The type of a symbol that is a variable.
OBJECT = 1
_LOAD = 1  # the type of a segment that gets mapped

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELA = struct.Struct("<QQq")
_TAG = struct.Struct("<qQ")


class Section(NamedTuple):
    """A section: its `address` and `size` in bytes when loaded, and its `offset` in the file."""

    name: str
    kind: int
    address: int
    offset: int
    size: int
    link: int

    @property
    def end(self) -> int:
        return self.address + self.size


class Symbol(NamedTuple):
    """A symbol: its `address`, `size` in bytes, type, and the number of its section."""

    name: str
    address: int
    size: int
    kind: int
    section: int


@dataclass(frozen=True)
class Elf:
    """An object file; `image` is the end of its highest segment when loaded, 0 if it has none."""

    content: bytes
    sections: tuple[Section, ...]
    image: int

    @property
    def by_name(self) -> Mapping[str, Section]:
        return {section.name: section for section in self.sections}

    def bytes_of(self, section: Section) -> bytes:
        return b"" if section.kind == NOBITS else self.content[section.offset : section.offset + section.size]

    def symbols(self, table: Section) -> list[Symbol]:
        """Return the symbols in the symbol table `table`, in order."""
        names = self.bytes_of(self.sections[table.link])
        return [
            Symbol(string_at(names, name), address, size, info & 15, section)
            for name, info, _, section, address, size in _SYMBOL.iter_unpack(self.bytes_of(table))
        ]

    def relocation_types(self, table: Section) -> set[int]:
        return {info & 0xFFFFFFFF for _, info, _ in _RELA.iter_unpack(self.bytes_of(table))}

    def dynamic_tags(self, table: Section) -> Iterator[int]:
        """Yield the tags of the section ".dynamic", up to its end marker."""
        for tag, _ in _TAG.iter_unpack(self.bytes_of(table)):
            if tag == 0:
                return
            yield tag


def read_elf(content: bytes) -> Elf:
    """Read an object file.

    Raises:
        ValueError: `content` is not an object file, or is for another kind of machine.
    """
    if content[:6] != b"\x7fELF\x02\x01":
        raise ValueError("no ELF file of 64 bits, little-endian")
    header = _HEADER.unpack_from(content)
    segments, sections = header[5], header[6]
    segment_count, section_count, names_at = header[10], header[12], header[13]
    raw = [_SECTION.unpack_from(content, sections + i * _SECTION.size) for i in range(section_count)]
    names = content[raw[names_at][4] :][: raw[names_at][5]]
    found = tuple(
        Section(string_at(names, name), kind, address, offset, size, link)
        for name, kind, _, address, offset, size, link, _, _, _ in raw
    )
    loaded = (_SEGMENT.unpack_from(content, segments + i * _SEGMENT.size) for i in range(segment_count))
    return Elf(content, found, max((s[3] + s[6] for s in loaded if s[0] == _LOAD), default=0))


def string_at(strings: bytes, offset: int) -> str:
    """Return the string at `offset` in a string table."""
    return strings[offset : strings.index(0, offset)].decode(errors="replace")
