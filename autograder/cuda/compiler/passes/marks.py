"""Reads and removes the prelude's marks of `__global__`, `__device__`, `__constant__` and `__cluster_dims__`.

The linker would take them for variables.

Const arrays and structs that are `__device__`, or static in a function, become writable, because ThreadSanitizer's
pass ignores reads of memory that can't change.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Global, Module, Operand, read_elements, string_constant

_TABLE = "@llvm.global.annotations"
_TEXTS = ("@.str", "@.args")


def read_marks(module: Module) -> dict[str, str]:
    """Return the mark, "__global__", "__device__" or "__constant__", of each function and variable that has one."""
    words = {string_constant(f"emu {word}")[1]: word for word in ("__global__", "__device__", "__constant__")}
    variables = module.globals
    marks = ((marked.value, words.get(variables[text.value].value)) for marked, text, *_ in _entries(module))
    return {name: word for name, word in marks if word}


def marked_with(module: Module, word: str) -> list[str]:
    """Return what has the prelude's mark `word`."""
    mark = string_constant(f"emu {word}")[1]
    variables = module.globals
    return [marked.value for marked, text, *_ in _entries(module) if variables[text.value].value == mark]


def cluster_of(module: Module, kernel: str) -> tuple[int, int, int] | None:
    """Return the blocks along x, y and z of a cluster of the kernel, as its `__cluster_dims__` says; None if it has
    none."""
    word = string_constant("emu __cluster_dims__")[1]
    for marked, text, _, _, given in _entries(module):
        if marked.value == kernel and module.globals[text.value].value == word:
            sizes = module.globals[given.value].value
            if sizes == "zeroinitializer":
                return 0, 0, 0
            # CUDA's numbers are unsigned, of 32 bits.
            x, y, z, *_ = [*(int(size.value) % (1 << 32) for size in read_elements(sizes)), 1, 1]
            return x, y, z
    return None


def _entries(module: Module) -> Iterator[tuple[Operand, ...]]:
    if _TABLE in module.globals:
        yield from (read_elements(entry.value) for entry in read_elements(module.globals[_TABLE].value))


def place_constants(module: Module) -> None:
    """Put each `__constant__` variable in its section. The compiler's other constants have the same address space."""
    variables = module.globals
    for name, mark in read_marks(module).items():
        if mark == "__constant__":
            variables[name].section, variables[name].kind = ".emu_constant", "global"


def remove_marks(module: Module) -> None:
    marked = read_marks(module)
    for name, variable in module.globals.items():
        is_aggregate = variable.type.startswith(("[", "%"))
        if variable.kind == "constant" and is_aggregate and (name in marked or name.startswith("@_ZZ")):
            variable.kind = "global"
    module.items = [item for item in module.items if not (isinstance(item, Global) and _is_of_marks(item))]


def _is_of_marks(variable: Global) -> bool:
    return variable.section == "llvm.metadata" and (variable.name == _TABLE or variable.name.startswith(_TEXTS))
