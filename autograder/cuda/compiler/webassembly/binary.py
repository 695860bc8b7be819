"""Reads and changes WebAssembly modules (WebAssembly Core Specification 2.0, section 5.5), and says where their data
are in the memory that they share."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import GraderFault
from ..dwarf import read_unsigned

#: Where the runtime's data begin: what is far below is a null pointer with an index. A kernel's follow.
BASE, KERNEL_BASE = 64 << 10, 1 << 20
#: Without a limit, Firefox copies all of the memory whenever it grows. With one, it reserves addresses.
MAX_MEMORY = f"--max-memory={16 << 30}"
_MAGIC = b"\0asm\1\0\0\0"
_IMPORTS, _GLOBALS, _EXPORTS = 2, 6, 7  # sections
_GLOBAL = 3  # a kind of import and of export
_I64, _MUTABLE = 0x7E, 1
_I32_CONST, _I64_CONST = 0x41, 0x42
_STACK_POINTER = b"\3env\x0f__stack_pointer" + bytes([_GLOBAL, _I64, _MUTABLE])


def exported_globals(binary: bytes) -> dict[str, int]:
    """Return the values of the constants that a module exports, which are addresses, by name.

    Raises:
        GraderFault: it is not what the emulator's linker writes.
    """
    sections = dict(_sections(binary))
    values = _globals(sections.get(_GLOBALS, b"\0"))
    exports = _exports(sections.get(_EXPORTS, b"\0"))
    return {name: values[index] for name, kind, index in exports if kind == _GLOBAL}


def with_shared_stack(binary: bytes) -> bytes:
    """Return the module with the stack pointer of another one, an import, in place of its own, which the linker makes
    its first variable."""
    out = binary[: len(_MAGIC)]
    for section, content in _sections(binary):
        count, at = read_unsigned(content, 0)
        if section == _IMPORTS:
            content = _number(count + 1) + content[at:] + _STACK_POINTER
        elif section == _GLOBALS:
            assert content[at : at + 3] == bytes([_I64, _MUTABLE, _I64_CONST])
            _, end = read_unsigned(content, at + 3)
            content = _number(count - 1) + content[end + 1 :]
        out += bytes([section]) + _number(len(content)) + content
    return out


def _sections(binary: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the contents of each section."""
    if not binary.startswith(_MAGIC):
        raise GraderFault("The emulator's linker wrote no WebAssembly module.")
    at = len(_MAGIC)
    while at < len(binary):
        section = binary[at]
        size, at = read_unsigned(binary, at + 1)
        yield section, binary[at : at + size]
        at += size


def _number(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _number(value >> 7)


def _globals(content: bytes) -> list[int]:
    count, at = read_unsigned(content, 0)
    values = []
    for _ in range(count):
        assert content[at + 2] in (_I32_CONST, _I64_CONST), "a constant of another type"
        value, at = read_unsigned(content, at + 3)  # addresses are not negative, but LEB128 signs them
        values.append(value)
        at += 1
    return values


def _exports(content: bytes) -> Iterator[tuple[str, int, int]]:
    count, at = read_unsigned(content, 0)
    for _ in range(count):
        length, at = read_unsigned(content, at)
        name = content[at : at + length].decode()
        index, after = read_unsigned(content, at + length + 1)
        yield name, content[at + length], index
        at = after
