"""Reads what a program's variables on the GPU hold at first, from LLVM IR."""

from __future__ import annotations

from .cache import workplace
from .clang import LINUX, STATIC, clang
from .elf import read_elf
from .ir import read_module
from .ir.reachable import reachable
from .module_info import qualified
from .passes.function_pointers import with_pointers
from .passes.virtual_tables import with_tables
from .verifier.layout import Layout

_ZEROS = ("zeroinitializer", "undef", "poison", "null")


def initial_content(ir: str, variable: str) -> bytes | None:
    """Return the bytes of a variable, by its qualified name, in LLVM IR as x86-64 has it. None if there is no such
    variable, or it holds an address of another one."""
    names = [line.split(" = ", 1)[0] for line in ir.split("\n") if line.startswith("@") and " = " in line]
    symbol = next((name for name in names if qualified(name[1:].strip('"')) == variable), "")
    if not symbol:
        return None
    module = read_module(reachable(ir, [symbol]))
    held = module.globals[symbol]
    size = Layout(module).size(held.type)
    if held.value in _ZEROS:
        return bytes(size)
    held.value = with_tables(with_pointers(held.value, module.functions))
    held.linkage, held.section = "", ".data.held"
    held.properties = [word for word in held.properties if not word.startswith("!")]
    with workplace() as folder:
        types = (item for item in module.items if isinstance(item, str) and item.startswith(("%", "target ")))
        module.items = [*types, held]
        (folder / "held.ll").write_text(module.text(), encoding="utf-8")
        if clang([*LINUX, *STATIC, "-x", "ir", "-w", "-O0", "-emit-obj", "held.ll", "-o", "held.o"], folder):
            return None
        elf = read_elf((folder / "held.o").read_bytes())
    return elf.bytes_of(elf.by_name[".data.held"])[:size]
