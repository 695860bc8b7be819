"""Reads the line tables that the emulator's compiler writes: DWARF 4, 32 bits, little-endian.

Constants and section numbers are from the DWARF standard, version 4; another version is rejected.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple


class Row(NamedTuple):
    """From `address` on, code belongs to `column` of `line` of `file`; if `end` is set, the code ends there."""

    address: int
    file: str
    line: int
    column: int
    end: bool


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
            length, at = read_unsigned(program, at)
            if program[at] == 1:  # end_sequence
                yield Row(address, files[file], line, column, True)
                address, file, line, column = 0, 1, 1, 0
            elif program[at] == 2:  # set_address
                (address,) = struct.unpack_from("<Q", program, at + 1)
            at += length
        elif operation == 1:  # copy
            yield Row(address, files[file], line, column, False)
        elif operation == 2:  # advance_pc
            advance, at = read_unsigned(program, at)
            address += advance * step
        elif operation == 3:  # advance_line
            advance, at = _signed(program, at)
            line += advance
        elif operation == 4:  # set_file
            file, at = read_unsigned(program, at)
        elif operation == 5:  # set_column
            column, at = read_unsigned(program, at)
        elif operation == 8:  # const_add_pc
            address += (255 - first_special) // line_range * step
        elif operation == 9:  # fixed_advance_pc
            address += int.from_bytes(program[at : at + 2], "little")
            at += 2
        else:  # statements, and the like
            for _ in range(operands[operation]):
                _, at = read_unsigned(program, at)


def _files(header: bytes, at: int) -> Iterator[str]:
    """Yield the file names, which follow the folders that we skip."""
    while header[at]:
        at = header.index(0, at) + 1
    at += 1
    while header[at]:
        end = header.index(0, at)
        yield header[at:end].decode(errors="replace")
        at = end + 1
        for _ in range(3):  # folder, time, size
            _, at = read_unsigned(header, at)


# ---- LEB128 (7.6) -------------------------------------------------------------------------------------


def read_unsigned(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at `at`, and where it ends."""
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
    out, end = read_unsigned(data, at)
    bits = 7 * (end - at)
    return out - (1 << bits) if out >> (bits - 1) else out, end
