"""Gives functions and arrays of the text other names, in the text of a module: it names them in metadata and in the
values of variables, too."""

from __future__ import annotations

import re

from ..ir import Module, with_names
from ..ir.operands import NAME

#: How the names of all functions of a module begin, but for those that the runtime calls or that are refused.
PREFIX = "kernel."
#: The runtime's names stay what they are: the verifier refuses a text that defines one.
_RESERVED = re.compile(r'@"?(?:__tsan_|__ubsan_|emu[_.])')
_BUFFER = re.compile(rf'^(@{NAME}) = external [^\n]*, section "\.bss\.emu_dynamic"[^\n]*\n', re.M)


def rename_user_functions(module: Module) -> str:
    """Return the text of the module, in which each function of the user has a name that no library has.

    The optimizer and the code generator know what the C library's functions do by their names alone. Where a text
    defines `__memcpy_chk`, the calls of it would become copies that no hook has seen.
    """
    aliases = (name for name, variable in module.globals.items() if variable.kind == "alias")
    names = (name for name in (*module.functions, *aliases) if not _RESERVED.match(name))
    return with_names(module.text(), {name: re.sub(r'^@("?)', rf"@\1{PREFIX}", name) for name in names})


def name_buffer(text: str) -> str:
    """Return the text of a module, in which each array `extern __shared__ T name[]` is the one buffer of the launch.

    The prelude marks such a declaration by its section. A linker could do the same by names, but a name that a text
    chooses may also be that of a function, or of a variable in a namespace, which would then be the buffer, too. Run
    this after the compiler's instrumentation, which would check each access against the size of the buffer.
    """
    names = _BUFFER.findall(text)
    return with_names(_BUFFER.sub("", text), dict.fromkeys(names, "@emu_dynamic")) if names else text
