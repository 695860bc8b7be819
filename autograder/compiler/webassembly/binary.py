"""Reads the constants that a WebAssembly module exports (WebAssembly Core Specification 2.0, section 5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import GraderFault

_MAGIC = b"\0asm\1\0\0\0"
_GLOBALS, _EXPORTS = 6, 7  # sections
_GLOBAL = 3  # a kind of export
_I32_CONST, _I64_CONST = 0x41, 0x42


def exported_globals(binary: bytes) -> dict[str, int]:
    """The values of the constants that a module exports, which are addresses, by name.

    Raises:
        GraderFault: it is not what the emulator's linker writes.
    """
    if not binary.startswith(_MAGIC):
        raise GraderFault("The emulator's linker wrote no WebAssembly module.")
    values: list[int] = []
    found: dict[str, int] = {}
    at = 8
    while at < len(binary):
        section = binary[at]
        size, at = _unsigned(binary, at + 1)
        if section == _GLOBALS:
            values = _globals(binary, at)
        elif section == _EXPORTS:
            found = {name: values[index] for name, kind, index in _exports(binary, at) if kind == _GLOBAL}
        at += size
    return found


def _globals(binary: bytes, at: int) -> list[int]:
    count, at = _unsigned(binary, at)
    values = []
    for _ in range(count):
        assert binary[at + 2] in (_I32_CONST, _I64_CONST), "a constant of another type"
        value, at = _unsigned(binary, at + 3)  # addresses are not negative, but LEB128 signs them
        values.append(value)
        at += 1
    return values


def _exports(binary: bytes, at: int) -> Iterator[tuple[str, int, int]]:
    count, at = _unsigned(binary, at)
    for _ in range(count):
        length, at = _unsigned(binary, at)
        name = binary[at : at + length].decode()
        index, after = _unsigned(binary, at + length + 1)
        yield name, binary[at + length], index
        at = after


def _unsigned(binary: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = binary[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
