"""Makes each array `extern __shared__ T name[]` the one buffer of the launch.

The prelude marks such a declaration by its section. A linker could do the same by names, but a name that a text chooses
may also be that of a function, or of a variable in a namespace, which would then be the buffer, too.
"""

from __future__ import annotations

import re

BUFFER = "@emu_dynamic"
SECTION = ".bss.emu_dynamic"
_DECLARED = re.compile(rf'^(@(?:[-\w.$]+|"[^"]*")) = external [^\n]*, section "{re.escape(SECTION)}"[^\n]*\n', re.M)
_SYMBOL = re.compile(r'@(?:[-\w.$]+|"[^"]*")|"[^"]*"')


def name_buffer(text: str) -> str:
    """The text of a module in which all these arrays have the buffer's name.

    Run this behind the compiler's instrumentation, which would check each access against the size of the buffer.
    """
    names = {declared[1] for declared in _DECLARED.finditer(text)}
    if not names:
        return text
    return _SYMBOL.sub(lambda found: BUFFER if found[0] in names else found[0], _DECLARED.sub("", text))
