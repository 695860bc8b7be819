"""Links the code for the GPU of a program's files that are compiled with -rdc=true, as nvlink does: clang links their
LLVM IR before the first launch, and the cache holds what it makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...compiler.builtins import HELPERS
from ...compiler.cache import build_once, cache_folder, digest, workplace
from ...compiler.clang import LINUX
from ...compiler.front_end import ir_of
from ...compiler.ir import with_names
from ...compiler.zig import build
from ...source.gather import Gathered
from .device_symbols import PREFIX, device_symbols, line_of_definition, line_of_use, quoted, spelled
from .runtime_build import runtime
from .stored_unit import Unit

_READS_IR = [*LINUX, "-x", "ir", "-disable-llvm-passes"]


class LinkedUnits:
    """The units of a program, of which one holds the code of all that are to be linked."""

    def __init__(self, units: Mapping[str, Unit]) -> None:
        parts = [unit for unit in units.values() if unit.local is not None]
        self._holders, self._names = dict(units), dict[str, dict[str, str]]()
        if len(parts) > 1:
            self._names = {unit.name: _renamed(unit, number) for number, unit in enumerate(parts)}
            self._holders.update(dict.fromkeys(self._names, _link(parts)))

    def add(self, unit: Unit) -> None:
        """One that is linked with nothing."""
        self._holders[unit.name] = unit

    def holder(self, unit: str) -> Unit:
        """What holds the code of a unit, by the unit's name or its own."""
        return self._holders[unit]

    def symbol(self, unit: str, name: str) -> str:
        """What a symbol of a unit's LLVM IR is called there."""
        return self._names.get(unit, {}).get(name, name)


def _link(parts: Sequence[Unit]) -> Unit:
    """One unit of several, called as the first of them, with the lines of all, one file's after the other's."""
    key = digest(runtime().name, *(text for unit in parts for text in (unit.name, unit.ir, unit.typed)))

    def link(folder: Path) -> None:
        _link_ir([unit.ir for unit in parts], parts, folder / "ir")
        if any(unit.typed for unit in parts):
            _link_ir([unit.typed or unit.ir for unit in parts], parts, folder / "typed")

    folder = build_once(cache_folder() / "linked" / key, link)
    ir, typed = (path.read_text("utf-8") if path.exists() else "" for path in (folder / "ir", folder / "typed"))
    text = "\n".join(unit.gathered.text for unit in parts)
    lines = tuple(line for unit in parts for line in unit.gathered.lines)
    files = tuple(dict.fromkeys(file for unit in parts for file in unit.gathered.files))
    return replace(parts[0], gathered=Gathered(text, lines, files), ir=ir, typed=typed)


def _link_ir(texts: Sequence[str], parts: Sequence[Unit], target: Path) -> None:
    what = "What a program's files share on the GPU"
    with workplace() as folder:
        before, linked = 0, list[str]()
        for number, (text, unit) in enumerate(zip(texts, parts, strict=True)):
            part = _shifted(with_names(text, _renamed(unit, number)), before)
            (folder / f"{number}.ll").write_text(part, encoding="utf-8")
            before += len(unit.gathered.lines)
            if number:
                build(["clang", *_READS_IR, "-emit-llvm-bc", f"{number}.ll", "-o", f"{number}.bc"], folder, what)
                linked += ["-mlink-bitcode-file", f"{number}.bc"]
        build(["clang", *_READS_IR, "-emit-llvm", *linked, "0.ll", "-o", str(target.resolve())], folder, what)


def _renamed(unit: Unit, number: int) -> dict[str, str]:
    """New names for the symbols that are a unit's own: other units have some of the same name. The prelude's functions
    for intrinsics stay what they are in one of them."""
    shared = () if number else HELPERS
    return {
        name: f'{name[:-1]}.{number}"' if name.endswith('"') else f"{name}.{number}"
        for name in unit.local or ()
        if name not in shared
    }


def _shifted(text: str, lines: int) -> str:
    """Return LLVM IR in which each line number is larger by that many."""

    def later(found: re.Match[str]) -> str:
        return f"{found[1]}{int(found[2]) + lines}"

    def node(found: re.Match[str]) -> str:
        return re.sub(r"\b((?:line|scopeLine): )([1-9]\d*)", later, found[0])

    # In debug information, and in what a check of an array's bounds gets.
    text = re.sub(r"^!\d+ = .*", node, text, flags=re.M)
    return re.sub(r"(\{ \{ ptr, i32, i32 \} \{ ptr @[^,]+, i32 )(\d+)", later, text)


# ---- what cannot be linked


def is_device_problem(log: str) -> bool:
    """Whether the linker's `log` names a symbol of code for the GPU."""
    return f"symbol: {PREFIX}" in log


def describe_device_problem(log: str, units: Iterable[Unit]) -> str:
    """What of code for the GPU is missing or defined twice, by the linker's `log` and the units that it got."""
    modules = [(unit, ir_of(unit.ir)) for unit in units]
    linked = [(unit, module) for unit, module in modules if unit.local is not None]
    problem = re.search(rf"(undefined|duplicate) symbol: {re.escape(PREFIX)}(\S+)", log)
    assert problem
    symbol, name = quoted(problem[2]), spelled(problem[2])
    if problem[1] == "duplicate":
        lines = [(unit, line_of_definition(module, symbol)) for unit, module in linked]
        places = " and ".join(unit.gathered.name_place(line) for unit, line in lines if line)
        return f"{places} define {name} on the GPU: keep one of the definitions."
    users = ((unit, line_of_use(module, symbol)) for unit, module in linked if symbol in device_symbols(module).used)
    unit, line = next(users)
    defining = (unit for unit, module in modules if unit.local is None and line_of_definition(module, symbol))
    more = next((f": compile {unit.gathered.files[0].name} with it, too" for unit in defining), "")
    place = unit.gathered.name_place(line)
    return f"{place} uses {name} on the GPU, which no file compiled with -rdc=true defines{more}."
