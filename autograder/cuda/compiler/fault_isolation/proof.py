"""Proves of a kernel's machine code that it writes nothing but its window, its frame, and what the hooks store.

It reads the assembly that becomes the module, and knows nothing of how it was made. Of what writes memory, it lets
through

- a 32-bit address after the register GS: a place in the window, whatever the register holds;
- a constant distance from the stack's or the frame's pointer, within the frame (`functions.py`); no other register
  points there;
- the loop-iteration hash, the pointer of the stack of variables, and what the hooks keep, by a 64-bit address
  after GS. (The verifier of the IR lets no text name this register.)

Each instruction is one that `assembly.py` knows. Control goes to labels of the same function, to functions, and back to
where a call came from; so what is known of the stack's pointer holds wherever control comes from.
"""

from __future__ import annotations

import re

from .assembly import BLOCK, NAME, instruction, sections, unproven
from .functions import Calls, Function

#: Outside of strings, no other statement and no comment begins in a line.
_REST = r'(?:\t[^;/#"\\\n]*(?:"(?:[^"\\\n]|\\.)*"[^;/#"\\\n]*)*)?'
_IN_CODE = re.compile(rf"(?:\t\.(?:loc|file|p2align|globl|weak|hidden|type|size){_REST}\n)+")
_LABEL = re.compile(rf"({NAME}):")
_DATA = re.compile(
    r"(?:\t\.(?:byte|short|long|quad|zero|p2align)\t[\w.$+-]+\n|"
    r"\t\.(?:section|data|bss|byte|short|long|quad|ascii|asciz|zero|p2align|type|size|globl|weak|hidden|local|comm|file|"
    rf"ident){_REST}\n|{NAME} = {NAME}\n|{NAME}:\n|\n)*+"
)
#: The functions of inline_hooks.cpp; no text has a function with such a name (`verifier/rules.py`).
_HOOKS = ("emu_called_", "_ZL8all_fine")
#: How a large frame is touched page by page, so that none skips the page that guards the stack.
_TOUCHES = re.compile(
    r"\tleaq\t-(\d+)\(%rsp\), %r11\n"
    r"(\.L\w+):\n\tsubq\t\$4096, %rsp\n\tmovq\t\$0, \(%rsp\)\n\tcmpq\t%r11, %rsp\n\tjne\t\2\n"
)


def prove(assembly: str, *, inlined: bool) -> None:
    """Prove that a module's assembly writes nothing that it may not.

    Args:
        inlined: whether hooks are part of the text's own functions; if not, only their own write what they keep.

    Raises:
        UnprovenError: this can't be shown.
    """
    calls = Calls()
    for is_code, part in sections(assembly):
        if is_code:
            _prove_code(part, inlined, calls)
        elif rest := part[len(_DATA.match(part)[0]) :]:  # type: ignore[index]  # it matches nothing, too
            raise unproven(rest.partition("\n")[0])
    calls.prove()


def _prove_code(part: str, inlined: bool, calls: Calls) -> None:
    function = None
    for line in _TOUCHES.sub(r"\ttouched\t$\1\n", _IN_CODE.sub("", part)).split("\n")[1:]:
        if line.startswith("\t"):
            if function is None:
                raise unproven(line)
            if line.startswith("\ttouched\t$"):
                function.touch(int(line[10:]))
            else:
                function.pass_by(instruction(line), line)
        elif label := _LABEL.fullmatch(line):
            if function is not None and label[1].startswith(BLOCK):
                function.pass_label(label[1])
            elif function is None or not label[1].startswith(".L"):
                if function is not None:
                    function.end()
                function = Function(label[1], calls, hooks=inlined or label[1].startswith(_HOOKS))
        elif line:
            raise unproven(line)
    if function is not None:
        function.end()
