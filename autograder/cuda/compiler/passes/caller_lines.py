"""Lets the prelude's functions that are always inlined have no lines of their own: what they do happens at the line
that calls them.

So do the functions of a library's headers that a kernel of the text calls, of which no report could show the line: they
are always inlined, too.

A text's own functions are never inlined before they are watched, whatever their attributes say: they could be into one
of the prelude's, where nobody watches. To tell which is which, the compiler describes all functions at first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import ENTRY
from ..ir import Function, Instruction, Module
from ..verifier import UnprovenError
from ..verifier.rules import is_in_text

#: What the number of a group of attributes gets that is the same but for inlining.
_CHANGED = "000000"


def inherit_caller_lines(module: Module, kernel: str) -> None:
    """Remove the lines of functions that are always inlined and not the text's, for `kernel`, a symbol.

    Raises:
        UnprovenError: a function has no description.
    """
    functions = module.functions
    is_of_text = kernel in functions and is_in_text(functions[kernel].debug, module.metadata)
    for function in functions.values():
        if function.name == ENTRY:
            continue
        if not function.debug:
            raise UnprovenError(f"{function.name}: a function that nothing describes", 0, "")
        is_inlined = module.has_attribute(function, "alwaysinline")
        if is_in_text(function.debug, module.metadata):
            if is_inlined:
                _change_inlining(module, function, "alwaysinline", "noinline")
            continue
        if is_of_text and not is_inlined and module.has_attribute(function, "sanitize_thread"):
            _change_inlining(module, function, "noinline", "alwaysinline")
            is_inlined = True
        if is_inlined:
            _remove_lines(function)


def _change_inlining(module: Module, function: Function, old: str, new: str) -> None:
    (group,) = (g for g in function.groups if old in module.attributes[g])
    changed = f"{group}{_CHANGED}"
    if changed not in module.attributes:
        words = f"attributes {group} = "
        line = next(item for item in module.items if isinstance(item, str) and item.startswith(words))
        line = line.replace(words, f"attributes {changed} = ").replace(f" {old} ", f" {new} ")
        module.attributes[changed] = module.attributes[group] - {old} | {new}
        module.items += [line, ""]
    function.groups = tuple(changed if g == group else g for g in function.groups)
    function.head = re.sub(rf" {group}(?= )", f" {changed}", function.head)


def _remove_lines(function: Function) -> None:
    function.head = function.head.replace(f" !dbg {function.debug}", "")
    function.debug = ""
    function.rewrite(_without_line)


def _without_line(instruction: Instruction) -> Iterator[Instruction]:
    if instruction.opcode.startswith("#dbg"):
        return
    if line := instruction.line:
        instruction.text = instruction.text.replace(line, "")
        instruction.attachments = instruction.attachments.replace(line, "")
    yield instruction
