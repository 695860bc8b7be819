"""Removes the prelude's marks of `__global__` and `__device__` code, which the linker would take for variables.

Const arrays and structs that are `__device__`, or static in a function, become writable, because ThreadSanitizer's
pass ignores reads of memory that can't change.
"""

from __future__ import annotations

from ..ir import Global, Module, read_elements, string_constant

_TABLE = "@llvm.global.annotations"
_TEXT = "@.str"


def read_marks(module: Module) -> dict[str, str]:
    """The mark, "__global__" or "__device__", of each function and variable that has one."""
    variables = module.globals
    if _TABLE not in variables:
        return {}
    words = {string_constant(f"emu {word}")[1]: word for word in ("__global__", "__device__")}
    entries = (read_elements(entry.value) for entry in read_elements(variables[_TABLE].value))
    marks = ((marked.value, words.get(variables[text.value].value)) for marked, text, *_ in entries)
    return {name: word for name, word in marks if word}


def remove_marks(module: Module) -> None:
    marked = read_marks(module)
    for name, variable in module.globals.items():
        is_aggregate = variable.type.startswith(("[", "%"))
        if variable.kind == "constant" and is_aggregate and (name in marked or name.startswith("@_ZZ")):
            variable.kind = "global"
    module.items = [item for item in module.items if not (isinstance(item, Global) and _is_of_marks(item))]


def _is_of_marks(variable: Global) -> bool:
    return variable.section == "llvm.metadata" and (variable.name == _TABLE or variable.name.startswith(_TEXT))
