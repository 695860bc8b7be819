"""Finds what a text calls its dynamic shared memory: the array `extern __shared__ T name[]`, or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..core.diagnostics import Diagnostic, Problem
from .device_ir import DYNAMIC
from .ir import Global, Module, location, symbols
from .module_info import DynamicArray, qualified
from .syntax import nodes, syntax_tree
from .verifier.layout import Layout

_FLOATS = {"float": "<f4", "double": "<f8", "%struct.__half": "<f2"}
_INTEGER = re.compile(r"(?:(b)ool|(u)nsigned .*|(?:signed )?char|int|short|long(?: long)?)")


def dynamic_array(ir: Module, kernel: str, flags: Sequence[str] | None, folder: Path) -> DynamicArray:
    """The array; of several, one that the kernel uses.

    Args:
        kernel: its symbol.
        ir: the module that clang made of the file kernel.cu in `folder` with these flags, before any pass; of a
            program's, there is no such file, and no flags.
    """
    declared = _declared(ir)
    if not declared:
        return DynamicArray("shared memory", 4, "")
    used = (name for i in ir.functions[kernel].instructions() for name in symbols(i.text) if name in declared)
    symbol = next(used, next(iter(declared)))
    element = declared[symbol].type
    while inner := re.fullmatch(r"\[\d+ x (.*)\]", element):
        element = inner[1]
    name, size = _name(symbol), Layout(ir).size(element)
    if not re.fullmatch(r"i\d+", element):
        return DynamicArray(name, size, _FLOATS.get(element, ""))
    if flags is None:
        return DynamicArray(name, size, "")
    return DynamicArray(name, size, _integer(name, size, [*flags, "kernel.cu"], folder))


def warn_of_one_memory(ir: Module, kernel: str) -> tuple[Diagnostic, ...]:
    """A warning at the first use of the second array, if the kernel `kernel`, a symbol, uses several: itself, or a
    function that it calls. CUDA allows that, and arrays of one name in several namespaces may be meant to be the same
    memory."""
    declared = _declared(ir)
    uses: dict[str, tuple[int, int]] = {}
    functions = [kernel] if len(declared) > 1 else []
    for function in functions:  # it grows
        for instruction in ir.functions[function].instructions():
            for symbol in symbols(instruction.text):
                if symbol in declared:
                    at = location(ir.metadata, instruction.attachment("dbg")) or (0, 0)
                    uses.setdefault(_name(symbol), at)
                elif symbol in ir.functions and symbol not in functions:
                    functions.append(symbol)
    if len(uses) < 2:
        return ()
    line, column = list(uses.values())[1]
    return (Diagnostic(line, column, problem=Problem.SEVERAL_DYNAMIC_ARRAYS, names=tuple(uses)),)


def _declared(ir: Module) -> dict[str, Global]:
    return {name: v for name, v in ir.globals.items() if v.section == DYNAMIC and not v.value}


def _name(symbol: str) -> str:
    """The array's name in the text, without its namespaces, and without the number of a file that is linked."""
    return qualified(symbol[1:].partition(".")[0]).split("::")[-1]


def _integer(name: str, size: int, flags: Sequence[str], folder: Path) -> str:
    """The dtype of an array of integers. LLVM IR does not say whether they have signs."""
    tree = list(nodes(syntax_tree(flags, folder)))
    # (Of an array, clang spells no type out; but of what is read or written of it.)
    types = [node["type"] for node in tree if "desugaredQualType" in node.get("type", {})]
    spelled = {_plain(type_["qualType"]): _plain(type_["desugaredQualType"]) for type_ in types}
    for node in tree:
        if node.get("kind") == "VarDecl" and node.get("name") == name and node.get("storageClass") == "extern":
            element = _plain(node["type"]["qualType"].partition("[")[0])
            if found := _INTEGER.fullmatch(spelled.get(element, element)):
                return f"{'|' if size == 1 else '<'}{found[1] or found[2] or 'i'}{size}"
    return ""


def _plain(type_: str) -> str:
    return re.sub(r"\b(?:const|volatile)\b", "", type_).strip()
