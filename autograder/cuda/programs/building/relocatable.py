"""Makes what clang writes for relocatable device code, as it requires of a file whose kernels launch kernels, what it
writes for any other file.

With `-fgpu-rdc`, names of what is static say which file it is of, and the host's half only lists its kernels and
variables, for a linker to register. Here, both are as without that option.
"""

from __future__ import annotations

import re

from ...compiler.ir.operands import NAME

#: The option, and what clang says where it is missing.
RELOCATABLE, _REQUIRED = "-fgpu-rdc", "requires relocatable device code"
_OF_FILE = re.compile(r"__(?:static|intern)__[0-9a-f]+(?:_[0-9a-f]+)?\b")
_DEFINITION = re.compile(rf"^(@{NAME}) = (?!external )", re.M)
_DECLARATION = re.compile(rf"^(@{NAME}) = external [^\n]*\n", re.M)
_STAND_IN = re.compile(rf"^(@{NAME} = )(?:dso_local )?(global [^\n]* undef,)", re.M)
_ENTRY = re.compile(
    rf"^@{NAME} = [^\n]*%struct\.__tgt_offload_entry \{{ i64 0, i16 1, i16 \d+, i32 (\d+), ptr (@{NAME}), "
    rf"ptr (@{NAME}), i64 (\d+), i64 \d+, ptr null \}}.*\n",
    re.M,
)
_CONSTANT = 16
#: Before constructors of variables, which may launch kernels.
_SECTION = ".init_array.00101"


def requires(log: str) -> bool:
    """Return whether the compiler refuses a launch from a kernel for want of the option."""
    return _REQUIRED in log


def of_device(ir: str) -> str:
    """Return the LLVM IR of a device half, compiled with the option."""
    ir = _OF_FILE.sub("", ir)
    # (A use that comes before clang knows that the host uses the variable has the other name.)
    defined = set(_DEFINITION.findall(ir))
    return _DECLARATION.sub(lambda found: "" if found[1] in defined else found[0], ir)


def of_host(ir: str, unit: str) -> str:
    """Return the LLVM IR of the host's half of a unit, compiled with the option, which registers its kernels and
    variables."""
    calls, names = list[str](), list[str]()
    for number, (flags, address, name, size) in enumerate(_ENTRY.findall(ir)):
        spelled = re.search(rf'^{re.escape(name)} = [^\n]* c"([^"]*)\\00"', ir, re.M)
        assert spelled
        called, _ = _OF_FILE.subn("", spelled[1])
        at = f"@emu.registered.{number}"
        names.append(_string(at, called))
        constant = int(flags) // _CONSTANT % 2
        calls.append(
            f"call void @__cudaRegisterVar(ptr @emu.unit, ptr {address}, ptr {at}, ptr {at}, i32 0, i64 {size}, "
            f"i32 {constant}, i32 0)"
            if int(size)
            else f"call i32 @__cudaRegisterFunction(ptr @emu.unit, ptr {address}, ptr {at}, ptr {at}, i32 -1, "
            "ptr null, ptr null, ptr null, ptr null, ptr null)"
        )
    ir = _STAND_IN.sub(r"\1internal \2", _ENTRY.sub("", ir))
    registers = f"@emu_registers_{unit}"
    lines = [
        _string("@emu.unit", unit),
        *names,
        f'{registers} = constant ptr @emu.registers, section "{_SECTION}", align 8',
        "declare i32 @__cudaRegisterFunction(ptr, ptr, ptr, ptr, i32, ptr, ptr, ptr, ptr, ptr)",
        "declare void @__cudaRegisterVar(ptr, ptr, ptr, ptr, i32, i64, i32, i32)",
        "define internal void @emu.registers() {",
        *(f"  {call}" for call in calls),
        "  ret void",
        "}",
    ]
    return ir + "\n".join([*lines, ""])


def _string(symbol: str, text: str) -> str:
    return f'{symbol} = private constant [{len(text) + 1} x i8] c"{text}\\00"'
