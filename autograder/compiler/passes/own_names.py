"""Gives each function of the text a name that no library has.

The optimizer and the code generator know what the C library's functions do by their names alone. Where a text defines
`__memcpy_chk`, the calls of it would become copies that no hook has seen.
"""

from __future__ import annotations

import re

from ..ir import Module

#: How the names of all functions of a module begin, but for those that the runtime calls or that are refused.
PREFIX = "kernel."
#: The runtime's names stay what they are: the verifier refuses a text that defines one.
_KEPT = re.compile(r'@"?(?:__tsan_|__ubsan_|emu[_.])')
#: A symbol, the name of a comdat, or a string, in which neither of them is one.
_TOKEN = re.compile(r'[@$](?:"[^"]*"|[-\w.$]+)|"[^"]*"')


def own_names(module: Module) -> str:
    """The text of the module with new names for its functions and for their other names.

    A module refers to a function in its metadata, too, and in the values of variables; so we rename in the text.
    """
    aliases = (name for name, variable in module.globals.items() if variable.kind == "alias")
    names = {name[1:] for name in (*module.functions, *aliases) if not _KEPT.match(name)}

    def renamed(token: re.Match[str]) -> str:
        if token[0][1:] not in names or token[0][0] == '"':
            return token[0]
        sign, quoted = token[0][0], token[0][1] == '"'
        return f'{sign}"{PREFIX}{token[0][2:]}' if quoted else f"{sign}{PREFIX}{token[0][1:]}"

    return _TOKEN.sub(renamed, module.text())
