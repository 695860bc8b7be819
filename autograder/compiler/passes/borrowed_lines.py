"""Lets the prelude's functions that are always inlined have no lines of their own: what they do happens at the line
that calls them.

Only the prelude may have such functions. A text's explicit specialization of one of its templates inherits that it is
always inlined, even into the function that the runtime calls, where nobody watches; so the text may not have one. To
tell which is which, the compiler describes all functions at first.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..ir import Function, Instruction, Module, field
from ..verifier import UnprovenError
from ..verifier.rules import is_in_text


def borrow_lines(module: Module) -> None:
    """Remove the lines of the prelude's functions that are always inlined.

    Raises:
        UnprovenError: a function of the text is always inlined, or one has no description.
    """
    for function in module.functions.values():
        if not function.debug:
            raise UnprovenError(f"{function.name}: a function that nothing describes", 0, "")
        if not module.has_attribute(function, "alwaysinline"):
            continue
        if is_in_text(function.debug, module.metadata):
            line = int(field(module.metadata[function.debug], "line") or 0)
            raise UnprovenError(f"{function.name}: a function that is always inlined", line, "")
        _remove_lines(function)


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
