"""Which functions of the compiler a page needs, and the compiler without the others.

Clang knows more languages, machines and optimizations than a kernel meets: most of its functions are never called.
Which ones are shows in a compiler that marks them (`book/data/measure_compiler.py`). One in which all others trap is
much smaller; whoever traps there takes the whole one (`web/compiler.mjs`). Functions keep their numbers, so nothing
else changes.

The format is WebAssembly Core Specification 2.0, section 5.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_HEAD = 8  # bytes of magic number and version
_GLOBALS, _EXPORTS, _CODE = 6, 7, 10  # sections
_TRAP = b"\x03\0\0\x0b"  # a function of 3 bytes: no variables, unreachable, end
_GET, _SET, _CONST, _OR = b"\x23", b"\x24", b"\x42", b"\x84"  # of 64 bits
_NEW = b"\x7e\1\x42\0\x0b"  # a variable of 64 bits, at first 0
_BITS = 63  # marks of a variable


def marking(binary: bytes) -> bytes:
    """Return the same module, but a function that is called sets its bit, one of 63 of an exported variable: function n
    the bit n % 63 of "mark<n // 63>"."""
    functions = list(_functions(binary))
    variables = -(-len(functions) // _BITS)
    parts = {section: binary[start:end] for section, start, end in _sections(binary)}
    known, at = _unsigned(parts[_GLOBALS], 0)
    new_globals = _number(known + variables) + parts[_GLOBALS][at:] + _NEW * variables
    exported, at = _unsigned(parts[_EXPORTS], 0)
    names = (f"mark{n}".encode() for n in range(variables))
    more = b"".join(_number(len(name)) + name + b"\3" + _number(known + n) for n, name in enumerate(names))
    new_exports = _number(exported + variables) + parts[_EXPORTS][at:] + more
    code = []
    for n, (start, end) in enumerate(functions):
        variable, bit = _number(known + n // _BITS), _signed(1 << n % _BITS)
        begin = _after_variables(binary, start)
        mark = _GET + variable + _CONST + bit + _OR + _SET + variable
        body = binary[start:begin] + mark + binary[begin:end]
        code.append(_number(len(body)) + body)
    new_code = _number(len(functions)) + b"".join(code)
    return _with(binary, {_GLOBALS: new_globals, _EXPORTS: new_exports, _CODE: new_code})


def marked(marks: Sequence[int]) -> set[int]:
    """Return the functions whose bits are set in variables of `marking`."""
    return {_BITS * n + bit for n, mark in enumerate(marks) for bit in range(_BITS) if mark >> bit & 1}


def without_others(binary: bytes, needed: set[int]) -> bytes:
    """Return the same module, but only the functions `needed` are there; all others trap."""
    functions = enumerate(_functions(binary))
    code = [_number(end - start) + binary[start:end] if n in needed else _TRAP for n, (start, end) in functions]
    return _with(binary, {_CODE: _number(len(code)) + b"".join(code)})


def _with(binary: bytes, instead: dict[int, bytes]) -> bytes:
    """Return the module with other contents of some sections."""
    contents = ((section, instead.get(section, binary[start:end])) for section, start, end in _sections(binary))
    return binary[:_HEAD] + b"".join(bytes([section]) + _number(len(part)) + part for section, part in contents)


def _sections(binary: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield each section's kind, and where its contents begin and end."""
    at = _HEAD
    while at < len(binary):
        kind = binary[at]
        size, at = _unsigned(binary, at + 1)
        yield kind, at, at + size
        at += size


def _functions(binary: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each function begins, with its variables, and ends."""
    at = next(start for kind, start, _ in _sections(binary) if kind == _CODE)
    count, at = _unsigned(binary, at)
    for _ in range(count):
        size, at = _unsigned(binary, at)
        yield at, at + size
        at += size


def _after_variables(binary: bytes, at: int) -> int:
    """Return where the instructions of a function begin. (Its variables are numbers: a type is one byte.)"""
    groups, at = _unsigned(binary, at)
    for _ in range(groups):
        _, at = _unsigned(binary, at)
        at += 1
    return at


def _unsigned(binary: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = binary[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _signed(value: int) -> bytes:
    """Return a number that is not negative, where it might be."""
    number = _number(value)
    return number[:-1] + bytes([number[-1] | 128, 0]) if number[-1] & 64 else number


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
