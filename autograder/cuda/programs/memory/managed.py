"""Places `__managed__` variables in the memory that the host and the GPU share.

Clang knows such variables for another maker's GPUs only; for NVIDIA's, the host has a separate variable, of the same
name. In the LLVM IR of the host's half, that becomes one of another file, which is found by its address alone (through
the table of such addresses that position-independent code has), and the linker is given an address in the GPU's memory.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ...compiler.ir import read_module, string_constant, with_names
from ...compiler.ir.operands import NAME
from ...compiler.passes.marks import marked_with
from ...compiler.verifier.layout import Layout
from .heap import first_addresses

_MARK = string_constant("emu __managed__")[1]
_START = "emu_managed"
_UNDEFINED = re.compile(rf"undefined symbol: ({_START}\.(\d+)\.(\w*)\.(\S+))")


def managed_variables(ir: str) -> dict[str, int]:
    """Return the symbols of a program's managed variables in the LLVM IR of its device half, and their sizes in
    bytes."""
    if _MARK not in ir:
        return {}
    module = read_module(ir)
    layout = Layout(module)
    return {name: layout.size(module.globals[name].type) for name in marked_with(module, "__managed__")}


def share_managed(host_ir: str, variables: dict[str, int], public: Collection[str], unit: str) -> str:
    """Return the LLVM IR of a host's half, with managed variables that the linker places; other files see `public`
    ones."""
    units = {name: "" if name in public else unit for name in variables}
    shared = {name: f'@"{_START}.{size}.{units[name]}.{name[1:]}"' for name, size in variables.items()}

    def external(definition: re.Match[str]) -> str:
        if definition[1] not in shared:
            return definition[0]
        return f"{definition[1]} = external global {definition[2]}, align {definition[3]}"

    host_ir = re.sub(rf"^(@{NAME}) = internal global (.*) undef, align (\d+)", external, host_ir, flags=re.MULTILINE)
    return with_names(host_ir, shared)


def places(log: str) -> Iterator[str]:
    """Flags by which the linker, which has written `log` without them, places managed variables."""
    found = list(dict.fromkeys(_UNDEFINED.findall(log)))
    addresses = first_addresses(int(size) for _, size, _, _ in found)
    for (symbol, _, unit, name), address in zip(found, addresses, strict=True):
        yield f"--defsym={symbol}={address:#x}"
        if not unit:  # other files may use it
            yield f"--defsym={name}={address:#x}"
