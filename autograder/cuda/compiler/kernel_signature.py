"""Reads a kernel's signature from the LLVM IR that clang made of it: from its debug information and attributes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..core.signature import TEXTURES, VECTORS, AnyDType, Parameter, Signature
from .entry import CHOSEN_NAME
from .ir import Function, Module, field, node_elements

_TAG = re.compile(r"(?:distinct )?!DI\w+\(tag: DW_TAG_(\w+)")
_KERNEL = re.compile(r"define (?:[a-z_]+ )*?ptx_kernel ")
_BOUNDS = re.compile(r'"nvvm\.maxntid"="([\d,]+)"')
_QUALIFIERS = {"const_type": "const", "volatile_type": "volatile", "restrict_type": "__restrict__"}
_REFERENCES = {"reference_type": "&", "rvalue_reference_type": "&&"}
_CLASSES = ("structure_type", "class_type")
_KINDS = {"boolean": "?", "float": "f", "signed": "i", "signed_char": "i", "unsigned": "u", "unsigned_char": "u"}
#: Bytes of the largest type that gets a dtype: numpy has none of more than an int holds.
_LARGEST = 1 << 30


def kernels_of(module: Module) -> dict[str, str]:
    """Return the kernels that a module for NVPTX defines: their names by their symbols, each name qualified and with
    the arguments of templates."""
    reader = TypeReader(module.metadata)
    kernels = (f for f in module.functions.values() if _KERNEL.match(f.head))
    return {f.name: reader.qualified(f.debug) for f in kernels if f.debug}


def signature_of(module: Module, symbol: str) -> Signature:
    """Return the signature of the kernel `symbol`, such as "@_Z4blurPf", which the module defines with debug
    information. Its name is qualified and has the arguments of templates."""
    return TypeReader(module.metadata).signature(module, module.functions[symbol])


def declarations(llvm: str) -> str:
    """Return what `kernels_of`, `signature_of` and `entry.chosen_kernel` need of the text of a module."""
    return "\n".join(
        f"{line}\n  unreachable\n}}" if line.startswith("define ") else line
        for line in llvm.split("\n")
        if line.startswith(("define ", "attributes ", "!", CHOSEN_NAME))
    )


class _Spelling(NamedTuple):
    """The text of a type in C++: what comes before a declared name, and what follows it."""

    before: str
    after: str = ""

    def declare(self, name: str) -> str:
        space = " " if name and not self.before.endswith(("(*", "(&")) else ""
        return f"{self.before}{space}{name}{self.after}"


def _made(of: Any) -> AnyDType | None:
    try:
        return np.dtype(of)  # type: ignore[no-any-return]
    except (TypeError, AttributeError):  # a page's numpy has no such dtype
        return None


class TypeReader:
    """Reads types from the nodes of a module's debug information."""

    def __init__(self, nodes: Mapping[str, str]) -> None:
        self._nodes = nodes

    def signature(self, module: Module, kernel: Function) -> Signature:
        node = self._nodes[kernel.debug]
        _, *types = self.elements(self.field(field(node, "type"), "types"))
        names = self._names(kernel.debug)
        bounds = _BOUNDS.search(" ".join(word for group in kernel.groups for word in module.attributes[group]))
        return Signature(
            self.qualified(kernel.debug),
            tuple(self._parameter(type_, names.get(number, "")) for number, type_ in enumerate(types, 1)),
            math.prod(map(int, bounds[1].split(","))) if bounds else None,
        )

    def _names(self, kernel: str) -> dict[int, str]:
        """Return the names of the kernel's parameters, by their numbers."""
        variables = (node for node in self._nodes.values() if node.startswith("!DILocalVariable("))
        parameters = (node for node in variables if field(node, "scope") == kernel)
        return {int(field(node, "arg") or 0): field(node, "name") for node in parameters}

    def _parameter(self, type_: str, name: str) -> Parameter:
        declaration = self._spelled(type_).declare(name)
        plain, words = self.resolved(type_)
        for texture in words.intersection(TEXTURES):  # The emulator takes its description as an array of bytes.
            return Parameter(name, declaration, texture, 8, np.dtype(np.uint8), True, texture == TEXTURES[0])
        tag = self.tag(plain)
        if tag == "pointer_type" or tag in _REFERENCES:
            pointee, is_array = self.field(plain, "baseType"), False
            while self.tag(self.resolved(pointee)[0]) == "array_type":
                pointee, is_array = self.field(self.resolved(pointee)[0], "baseType"), True
            target, words = self.resolved(pointee)
            if (tag == "pointer_type" or is_array) and self.tag(target) != "subroutine_type":
                spelled = self._spelled(pointee, resolve=True).declare("") + "*"
                dtype = self.dtype(target)
                if dtype is not None and dtype.names and self.qualified(target) not in VECTORS:
                    dtype = None  # the launch chooses it
                return Parameter(name, declaration, spelled, 8, dtype, True, "const" in words)
        spelled = self._spelled(plain, resolve=True).declare("")
        return Parameter(name, declaration, spelled, self.bytes(plain), self.dtype(plain), False, False)

    def resolved(self, type_: str) -> tuple[str, set[str]]:
        """Return a type without typedefs and qualifiers, and the words of these."""
        words = set[str]()
        while (tag := self.tag(type_)) == "typedef" or tag in _QUALIFIERS:
            words.add(_QUALIFIERS.get(tag) or self.field(type_, "name"))
            type_ = self.field(type_, "baseType")
        return type_, words

    def bytes(self, type_: str) -> int:
        """Return the size of a type without typedefs and qualifiers; 0 if it has none."""
        tag = self.tag(type_)
        return 8 if tag in _REFERENCES or tag == "unspecified_type" else int(self.field(type_, "size") or 0) // 8

    def dtype(self, type_: str) -> AnyDType | None:
        """Return the dtype of a type without typedefs and qualifiers; None if numpy has none."""
        tag, node = self.tag(type_), self._nodes.get(type_, "")
        size = self.bytes(type_)
        if not 0 < size <= _LARGEST:
            return None
        if tag == "enumeration_type":
            return self.dtype(self.resolved(self.field(type_, "baseType"))[0])
        if tag == "array_type":
            base = self.dtype(self.resolved(self.field(type_, "baseType"))[0])
            return None if base is None else _made((base, self.shape(type_)))
        if tag in _CLASSES:
            return np.dtype(np.float16) if field(node, "identifier") == "_ZTS6__half" else self._struct(type_, size)
        kind = _KINDS.get(field(node, "encoding").removeprefix("DW_ATE_"), "")
        if tag != "basic_type" or not kind or size > 8 or field(node, "name") == "__bf16":
            return None
        return np.dtype(bool) if kind == "?" else np.dtype(f"{kind}{size}")

    def shape(self, array: str) -> tuple[int, ...]:
        """Return the extents of an array."""
        return tuple(int(self.field(rank, "count") or 0) for rank in self.elements(self.field(array, "elements")))

    def _struct(self, type_: str, size: int) -> AnyDType | None:
        members = [node for node in self.elements(self.field(type_, "elements")) if self.is_stored(node)]
        names = [self.field(member, "name") or self._base_name(member) for member in members]
        formats = [self.dtype(self.resolved(self.field(member, "baseType"))[0]) for member in members]
        bits = [int(self.field(member, "offset") or 0) for member in members]
        has_bit_fields = any("DIFlagBitField" in self.field(member, "flags") for member in members)
        is_plain = all(names) and len(set(names)) == len(names) and not has_bit_fields
        if not members or any(each is None for each in formats) or not is_plain:
            return None
        offsets = [offset // 8 for offset in bits]
        sizes = [each.itemsize for each in formats if each is not None]
        if offsets == [sum(sizes[:n]) for n in range(len(sizes))] and sum(sizes) == size:
            return _made(list(zip(names, formats, strict=True)))  # all that a page's numpy knows
        return _made({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})

    def is_stored(self, member: str) -> bool:
        """Return whether a member of a class, or a base class, has bytes in it."""
        is_static = "DIFlagStaticMember" in self.field(member, "flags")
        return self.tag(member) in ("member", "inheritance") and not is_static

    def _base_name(self, member: str) -> str:
        return self.field(self.field(member, "baseType"), "name") if self.tag(member) == "inheritance" else ""

    def spelling(self, type_: str) -> str:
        """Return a type as C++ spells it."""
        return self._spelled(type_).declare("")

    def _spelled(self, type_: str, *, resolve: bool = False) -> _Spelling:
        """Return a type as C++ spells it; `resolve` typedefs, or name them."""
        tag = self.tag(type_)
        base = self.field(type_, "baseType")
        if not type_ or type_ == "null":
            return _Spelling("void")
        if tag == "typedef":
            return self._spelled(base, resolve=resolve) if resolve else _Spelling(self.qualified(type_))
        if word := _QUALIFIERS.get(tag):
            inner = self._spelled(base, resolve=resolve)
            if self.tag(base) in ("pointer_type", "restrict_type"):
                return _Spelling(f"{inner.before} {word}", inner.after)
            return _Spelling(f"{word} {inner.before}", inner.after)
        if tag == "array_type":
            ranks = "".join(f"[{count or ''}]" for count in self.shape(type_))
            inner = self._spelled(base, resolve=resolve)
            return _Spelling(inner.before, f"{ranks}{inner.after}")
        if tag == "subroutine_type":
            returned, *given = self.elements(self.field(type_, "types"))
            taken = ", ".join(self._spelled(each, resolve=resolve).declare("") for each in given)
            inner = self._spelled(returned, resolve=resolve)
            return _Spelling(inner.before, f"({taken}){inner.after}")
        if tag == "pointer_type" or tag in _REFERENCES:
            inner, sign = self._spelled(base, resolve=resolve), _REFERENCES.get(tag, "*")
            if inner.after:
                return _Spelling(f"{inner.before} ({sign}", f"){inner.after}")
            return _Spelling(inner.before + sign)
        return _Spelling(self.qualified(type_))

    def qualified(self, node: str) -> str:
        """Return a name with its namespaces and classes; without those of namespaces that need not be named."""
        names = [self.field(node, "name") or "unnamed"]
        while node := self.field(node, "scope"):
            text = self._nodes.get(node, "")
            if self.tag(node) in _CLASSES or "!DINamespace(" in text:
                is_inline = field(text, "exportSymbols") == "true"
                names += [field(text, "name")] if field(text, "name") and not is_inline else []
        return "::".join(reversed(names))

    def tag(self, node: str) -> str:
        """Return a node's tag, such as "array_type"."""
        found = _TAG.match(self._nodes.get(node, ""))
        if found:
            return found[1]
        text = self._nodes.get(node, "")
        return next((tag for start, tag in _UNTAGGED.items() if text.startswith(start)), "")

    def field(self, node: str, name: str) -> str:
        """Return a node's field; empty if it has none."""
        found = field(self._nodes.get(node, ""), name)
        return "" if found == "null" else found

    def elements(self, node: str) -> list[str]:
        """Return a node's elements; none if there is no such node."""
        return node_elements(self._nodes[node]) if node in self._nodes else []


#: The tags of nodes whose class implies them.
_UNTAGGED = {"!DIBasicType(": "basic_type", "!DISubroutineType(": "subroutine_type"}
