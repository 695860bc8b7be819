"""Lets the prelude's functions that are always inlined have no lines of their own: what they do happens at the line
that calls them.

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
_PLAIN = "000000"


def borrow_lines(module: Module) -> None:
    """Remove the lines of the prelude's functions that are always inlined.

    Raises:
        UnprovenError: a function has no description.
    """
    for function in module.functions.values():
        if function.name == ENTRY:
            continue
        if not function.debug:
            raise UnprovenError(f"{function.name}: a function that nothing describes", 0, "")
        if not module.has_attribute(function, "alwaysinline"):
            continue
        if is_in_text(function.debug, module.metadata):
            _forbid_inlining(module, function)
        else:
            _remove_lines(function)


def _forbid_inlining(module: Module, function: Function) -> None:
    (group,) = (g for g in function.groups if "alwaysinline" in module.attributes[g])
    plain = f"{group}{_PLAIN}"
    if plain not in module.attributes:
        words = f"attributes {group} = "
        line = next(item for item in module.items if isinstance(item, str) and item.startswith(words))
        line = line.replace(words, f"attributes {plain} = ").replace(" alwaysinline ", " noinline ")
        module.attributes[plain] = module.attributes[group] - {"alwaysinline"} | {"noinline"}
        module.items += [line, ""]
    function.groups = tuple(plain if g == group else g for g in function.groups)
    function.head = re.sub(rf" {group}(?= )", f" {plain}", function.head)


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
