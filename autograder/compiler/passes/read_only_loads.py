"""Removes what announces loads through the read-only cache, where nobody judges them."""

from __future__ import annotations

from ..ir import Call, Module

_HOOK = "@emu_load_read_only"


def forget_read_only_loads(module: Module) -> None:
    """Remove the call before each load by `__ldg` or `ld.global.nc`."""
    for function in module.functions.values():
        function.rewrite(lambda one: () if isinstance(one, Call) and one.callee == _HOOK else (one,))
