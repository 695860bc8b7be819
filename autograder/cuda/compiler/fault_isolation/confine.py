"""Confines what a kernel's machine code writes to the window.

The register GS points to where the window begins, at a multiple of its size, 4 GB. So the lower 32 bits of an address
in the window are its distance from there, and `%gs:8(%edi)` is the place that `8(%rdi)` is. Of any other address, it
is another place in the window. This takes no instruction more, only two bytes.
"""

from __future__ import annotations

import re

from ...core.protocol import CONSTANTS
from .assembly import STACK, Memory, half, instruction, sections

#: Where SafeStack keeps the pointer of the stack of variables, on the system that we translate for; and where we do.
_VARIABLES, _OURS = "%fs:24", f"%gs:-{CONSTANTS['VARIABLES_BEFORE']}"
#: What debuggers want to know of the stack; and where `with_two_stacks` put something that is no instruction.
_WITHOUT_EFFECT = re.compile(r"\n\t(?:\.cfi_[^\n]*|#(?:NO_)?APP(?=\n))")


def with_our_stack(assembly: str) -> str:
    """Return the assembly, in which the pointer of the stack of variables is where we keep it, and which writes
    anywhere."""
    return _WITHOUT_EFFECT.sub("", assembly).replace(_VARIABLES, _OURS)


def confine(assembly: str) -> str:
    """Return the assembly, in which each instruction that writes memory outside of its frame does so in the window.

    Raises:
        UnprovenError: it can't be read.
    """
    text = with_our_stack(assembly)
    return "".join(_confined(part) if is_code else part for is_code, part in sections(text))


def _confined(part: str) -> str:
    lines = part.split("\n")
    for n, line in enumerate(lines):
        if not line.startswith("\t") or line.startswith("\t."):
            continue
        found = instruction(line)
        if found.written:
            operands = tuple(
                _in_window(given) if k in found.written and isinstance(given, Memory) else given
                for k, given in enumerate(found.operands)
            )
            if operands != found.operands:
                lines[n] = found._replace(operands=operands).text()
    return "\n".join(lines)


def _in_window(at: Memory) -> Memory:
    if at.segment or at.base in STACK or not (at.base or at.second):
        return at
    return Memory("gs", at.displacement, half(at.base), half(at.second), at.scale)
