"""Reads the debug information that the emulator's compiler writes: DWARF 4, 32 bits, little-endian.

Constants and section numbers are from the DWARF standard, version 4; anything that needs another version is rejected.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# The tags (7.5.4, figure 18) and attributes (figure 20) that we use.
ARRAY, TYPEDEF, SUBRANGE, CONST, VARIABLE, VOLATILE = 0x01, 0x16, 0x21, 0x26, 0x34, 0x35
LOCATION, NAME, BYTE_SIZE, UPPER_BOUND, COUNT = 0x02, 0x03, 0x0B, 0x2F, 0x37
ABSTRACT_ORIGIN, ENCODING, SPECIFICATION, TYPE = 0x31, 0x3E, 0x47, 0x49

Value = int | bytes


@dataclass(slots=True)
class Entry:
    """An entry of the debug information. A value is a number, or bytes (a string or an expression); a reference
    to another entry is that entry's offset."""

    tag: int
    values: dict[int, Value]
    children: list[Entry] = field(default_factory=list)


class Row(NamedTuple):
    """From `address` on, code belongs to `column` of `line` of `file`; if `end` is set, the code ends there."""

    address: int
    file: str
    line: int
    column: int
    end: bool


# ---- entries (7.5) ------------------------------------------------------------------------------------

#: Forms whose value has a fixed number of bytes, including a reference to an entry in the same unit (7.5.4).
_FIXED = {0x01: 8, 0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x0E: 4, 0x10: 4, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8}
_FIXED |= {0x17: 4, 0x19: 0, 0x20: 8}
_OF_UNIT = range(0x11, 0x16)
_STRING, _SDATA, _STRP, _UDATA, _REF_UDATA, _FLAG_PRESENT = 0x08, 0x0D, 0x0E, 0x0F, 0x15, 0x19
#: Blocks and expressions, with the byte size of their length field; 0: a LEB128.
_BLOCKS = {0x0A: 1, 0x03: 2, 0x04: 4, 0x09: 0, 0x18: 0}

#: The shape of an entry: its tag, whether it has children, and its attributes with their forms.
_Shape = tuple[int, bool, list[tuple[int, int]]]


def read_entries(info: bytes, shapes: bytes, strings: bytes) -> dict[int, Entry]:
    """Read all entries of the sections .debug_info, .debug_abbrev, and .debug_str, in order, by offset.

    Raises:
        ValueError: the data is from another version of DWARF.
    """
    out: dict[int, Entry] = {}
    at = 0
    while at < len(info):
        at = _read_unit(info, at, shapes, strings, out)
    return out


def _read_unit(info: bytes, unit: int, shapes: bytes, strings: bytes, out: dict[int, Entry]) -> int:
    """Read the entries of the unit at `unit`; return where the next unit begins."""
    length: int
    length, version, shapes_at, address_size = struct.unpack_from("<IHIB", info, unit)
    if version != 4 or address_size != 8:
        raise ValueError(f"debug information of DWARF {version} with addresses of {address_size} bytes")
    shape = _read_shapes(shapes, shapes_at)
    at, end = unit + 11, unit + 4 + length
    parents: list[Entry] = []
    while at < end:
        start = at
        code, at = _unsigned(info, at)
        if code == 0:
            parents.pop()
            continue
        tag, has_children, attributes = shape[code]
        values: dict[int, Value] = {}
        for attribute, form in attributes:
            values[attribute], at = _read_value(info, at, form, unit, strings)
        out[start] = entry = Entry(tag, values)
        if parents:
            parents[-1].children.append(entry)
        if has_children:
            parents.append(entry)
    return end


def _read_shapes(shapes: bytes, at: int) -> dict[int, _Shape]:
    out: dict[int, _Shape] = {}
    while True:
        code, at = _unsigned(shapes, at)
        if code == 0:
            return out
        tag, at = _unsigned(shapes, at)
        has_children = bool(shapes[at])
        at += 1
        attributes = []
        while True:
            attribute, at = _unsigned(shapes, at)
            form, at = _unsigned(shapes, at)
            if attribute == form == 0:
                break
            attributes.append((attribute, form))
        out[code] = tag, has_children, attributes


def _read_value(info: bytes, at: int, form: int, unit: int, strings: bytes) -> tuple[Value, int]:
    size = _FIXED.get(form)
    if size is not None:
        number = int.from_bytes(info[at : at + size], "little")
        if form == _STRP:
            return strings[number : strings.index(0, number)], at + 4
        if form == _FLAG_PRESENT:
            return 1, at
        return number + unit if form in _OF_UNIT else number, at + size
    if form in _BLOCKS:
        size = _BLOCKS[form]
        length, at = (int.from_bytes(info[at : at + size], "little"), at + size) if size else _unsigned(info, at)
        return info[at : at + length], at + length
    if form in (_UDATA, _REF_UDATA):
        number, at = _unsigned(info, at)
        return number + unit if form == _REF_UDATA else number, at
    if form == _SDATA:
        return _signed(info, at)
    if form == _STRING:
        end = info.index(0, at)
        return info[at:end], end + 1
    raise ValueError(f"debug information of form {form:#x}")


# ---- lines (6.2) --------------------------------------------------------------------------------------


def read_lines(program: bytes) -> list[Row]:
    """Read the line table of every unit in the section .debug_line, in order.

    Raises:
        ValueError: the data is from another version of DWARF.
    """
    out: list[Row] = []
    at = 0
    while at < len(program):
        (length,) = struct.unpack_from("<I", program, at)
        out += _unit_lines(program[at : at + 4 + length])
        at += 4 + length
    return out


def _unit_lines(program: bytes) -> Iterator[Row]:
    version, header_length = struct.unpack_from("<HI", program, 4)
    if version != 4:
        raise ValueError(f"a line table of DWARF {version}")
    step, _, _, line_base, line_range, first_special = struct.unpack_from("<BBBbBB", program, 10)
    operands = [0, *program[16 : 15 + first_special]]  # operand count of each standard operation, by its number
    files = ["", *_files(program, 15 + first_special)]
    at = 10 + header_length
    address, file, line, column = 0, 1, 1, 0
    while at < len(program):
        operation = program[at]
        at += 1
        if operation >= first_special:
            address += (operation - first_special) // line_range * step
            line += line_base + (operation - first_special) % line_range
            yield Row(address, files[file], line, column, False)
        elif operation == 0:  # an extended one
            length, at = _unsigned(program, at)
            if program[at] == 1:  # end_sequence
                yield Row(address, files[file], line, column, True)
                address, file, line, column = 0, 1, 1, 0
            elif program[at] == 2:  # set_address
                (address,) = struct.unpack_from("<Q", program, at + 1)
            at += length
        elif operation == 1:  # copy
            yield Row(address, files[file], line, column, False)
        elif operation == 2:  # advance_pc
            advance, at = _unsigned(program, at)
            address += advance * step
        elif operation == 3:  # advance_line
            advance, at = _signed(program, at)
            line += advance
        elif operation == 4:  # set_file
            file, at = _unsigned(program, at)
        elif operation == 5:  # set_column
            column, at = _unsigned(program, at)
        elif operation == 8:  # const_add_pc
            address += (255 - first_special) // line_range * step
        elif operation == 9:  # fixed_advance_pc
            address += int.from_bytes(program[at : at + 2], "little")
            at += 2
        else:  # statements, and the like
            for _ in range(operands[operation]):
                _, at = _unsigned(program, at)


def _files(header: bytes, at: int) -> Iterator[str]:
    """The file names, which follow the folders that we skip."""
    while header[at]:
        at = header.index(0, at) + 1
    at += 1
    while header[at]:
        end = header.index(0, at)
        yield header[at:end].decode(errors="replace")
        at = end + 1
        for _ in range(3):  # folder, time, size
            _, at = _unsigned(header, at)


# ---- LEB128 (7.6) -------------------------------------------------------------------------------------


def _unsigned(data: bytes, at: int) -> tuple[int, int]:
    """The number at `at`, and where it ends."""
    byte = data[at]
    at += 1
    out, shift = byte & 127, 7
    while byte & 128:
        byte = data[at]
        at += 1
        out |= (byte & 127) << shift
        shift += 7
    return out, at


def _signed(data: bytes, at: int) -> tuple[int, int]:
    out, end = _unsigned(data, at)
    bits = 7 * (end - at)
    return out - (1 << bits) if out >> (bits - 1) else out, end
