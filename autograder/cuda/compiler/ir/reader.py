"""Reads the text of an LLVM IR module."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .instructions import read_instruction
from .model import Block, Function, Global, Instruction, Module
from .operands import NAME, end_of_brackets, end_of_type, end_of_value, expect, read_operand, unreadable

_GLOBAL = re.compile(rf"(@{NAME}) = ((?:[a-z_]+(?:\([^()]*\))? )*?)(global|constant|alias|ifunc) ")
_PROPERTY = re.compile(
    r', (section "[^"]*"|partition "[^"]*"|code_model "[^"]*"|comdat(?:\(\$(?:[-\w.$]+|"[^"]*")\))?|align \d+'
    r"|no_sanitize_address|no_sanitize_hwaddress|sanitize_memtag|sanitize_address_dyninit|![\w.]+ !\d+)"
)
_FUNCTION = re.compile(rf'(?:"[^"]*"|[^"@])*?(@{NAME})(?=\()')
_GROUP = re.compile(r" (#\d+)\b")
_DEBUG = re.compile(r" !dbg (!\d+)")
_LABEL = re.compile(rf"({NAME}):(?: *; .*)?$")
_ATTRIBUTES = re.compile(r"attributes (#\d+) = \{ (.*) \}$")
_NODE = re.compile(r"(!\d+) = (.*)$")
#: Other lines that may begin between functions: comments, types, comdats, and lines about the whole module.
_OTHER = re.compile(r"$|;|%|\$|source_filename = |target |module asm |![A-Za-z]|\^")


def read_module(text: str) -> Module:
    """Parse the text of a module that clang wrote.

    Raises:
        GraderFault: the text has a line that the reader doesn't know.
    """
    module = Module([], {}, {}, {})
    lines = iter(text.split("\n"))
    for line in lines:
        module.items.append(_read_item(module, line, lines))
    return module


def _read_item(module: Module, line: str, lines: Iterator[str]) -> str | Function | Global:
    if node := _NODE.match(line):
        module.metadata[node[1]] = node[2]
    elif line.startswith("@"):
        return _read_global(line)
    elif line.startswith("define "):
        return _read_function(line, lines)
    elif line.startswith("declare "):
        module.declarations[_name_of(line)[0]] = line
    elif group := _ATTRIBUTES.match(line):
        module.attributes[group[1]] = frozenset(group[2].split())
    elif not _OTHER.match(line):
        raise unreadable(line)
    return line


def _read_global(line: str) -> Global:
    head = _GLOBAL.match(line)
    if head is None:
        raise unreadable(line)
    name, linkage, kind = head.groups()
    end = end_of_type(line, head.end())
    type_, value = line[head.end() : end], ""
    if kind in ("alias", "ifunc"):
        if line.startswith(" (", end):  # it names a function
            end = end_of_brackets(line, end + 1)
            type_ = line[head.end() : end]
        start = expect(line, end, ", ")
        _, end = read_operand(line, start)
        value = line[start:end]
    elif line.startswith(" ", end):
        start, end = end + 1, end_of_value(line, end + 1)
        value = line[start:end]
    properties = []
    while end != len(line):
        found = _PROPERTY.match(line, end)
        if found is None:
            raise unreadable(line)
        properties.append(found[1])
        end = found.end()
    return Global(name, linkage, kind, type_, value, properties)


def _name_of(head: str) -> tuple[str, int]:
    """Return a function's name, from its first line, and where its parameters end."""
    name = _FUNCTION.match(head)
    if name is None:
        raise unreadable(head)
    return name[1], end_of_brackets(head, name.end())


def _read_function(head: str, lines: Iterator[str]) -> Function:
    name, end = _name_of(head)
    if not head.endswith(" {"):
        raise unreadable(head)
    debug = _DEBUG.search(head, end)
    blocks = [Block((), "", [])]
    before: list[str] = []
    for line in lines:
        if line.startswith("  "):
            if before:
                raise unreadable(before[-1])
            blocks[-1].instructions.append(_read_lines(line, lines))
        elif line == "":
            before.append(line)
        elif label := _LABEL.match(line):
            block = Block((*before, line), "%" + label[1], [])
            before = []
            if blocks[-1].instructions:
                blocks.append(block)
            else:
                blocks[-1] = block
        elif line == "}" and not before:
            break
        else:
            raise unreadable(line)
    else:
        raise unreadable(head)
    return Function(head, name, tuple(_GROUP.findall(head, end)), debug[1] if debug else "", blocks)


def _read_lines(line: str, lines: Iterator[str]) -> Instruction:
    """Read the instruction that begins with `line`. A `switch` continues until its bracket is closed."""
    if line.endswith(" ["):
        rest = [line]
        while not rest[-1].startswith("  ]"):
            rest.append(next(lines, "  ]"))
        line = "\n".join(rest)
    return read_instruction(line)
