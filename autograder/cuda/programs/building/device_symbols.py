"""What a file's code for the GPU defines for other files, and what it uses of theirs, by its LLVM IR.

With -rdc=true, both are also symbols of the file's object. So the linker takes an object out of an archive where
another file uses its code for the GPU, and finds what is missing or defined twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ...compiler.device_ir import DYNAMIC
from ...compiler.front_end import ir_of
from ...compiler.ir import Module, field, location, symbols
from ...compiler.ir.operands import NAME
from ...compiler.ir.reachable import reachable
from ...compiler.module_info import is_local, names_of
from ...compiler.passes.marks import marked_with, read_marks

#: How the names of such symbols begin in objects.
PREFIX = "emu_device."
#: Variables that each kernel gets from us: those of the runtime, and `warpSize`.
_GIVEN = r"@(?:emu_\S+|warpSize)(?!\S)"


@dataclass(frozen=True)
class DeviceSymbols:
    """Symbols of LLVM IR, such as "@_Z3addii": those that are `defined` for other files, and whether another one may
    define it, too; those that are `used` and defined elsewhere; and those that are the file's `local`."""

    defined: Mapping[str, bool]
    used: tuple[str, ...]
    local: tuple[str, ...]

    def as_assembly(self) -> str:
        """Return the symbols for an object: definitions at this place, and uses in a section that no linker leaves
        out."""
        text = ""
        for symbol, is_weak in self.defined.items():
            name = f'"{PREFIX}{plain(symbol)}"'
            text += f".{'weak' if is_weak else 'globl'} {name}\n{name}:\n"
        uses = "".join(f'.quad "{PREFIX}{plain(symbol)}"\n' for symbol in self.used)
        return f'{text}.pushsection .autograder_uses,"aR",@progbits\n{uses}.popsection\n' if uses else text


def plain(symbol: str) -> str:
    """Return the name of a symbol of LLVM IR."""
    return symbol[1:].strip('"')


def quoted(name: str) -> str:
    """Return the symbol of this name in LLVM IR."""
    return f"@{name}" if re.fullmatch(r"[-\w.$]+", name) else f'@"{name}"'


def device_symbols(module: Module) -> DeviceSymbols:
    """Return the symbols of a file's code for the GPU."""
    defined, local = dict[str, bool](), list[str]()
    marks = read_marks(module)
    for name, linkage, is_private in _definitions(module, marks):
        if is_private or "internal" in linkage:
            local.append(name)
        elif "private" not in linkage:
            defined[name] = "_odr" in linkage
    functions = [name for name in module.declarations if name in marks]
    external = (variable for variable in module.globals.values() if not variable.value)
    variables = [v.name for v in external if v.section != DYNAMIC and not re.match(_GIVEN, v.name)]
    return DeviceSymbols(defined, (*functions, *variables), tuple(local))


def _definitions(module: Module, marks: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    """Yield each symbol with its linkage, and whether it is the file's own whatever that says: static kernels are
    visible to all, and static variables where the host uses them."""
    for name, function in module.functions.items():
        yield name, function.head.partition("@")[0], marks.get(name) == "__global__" and is_local(plain(name))
    for name, variable in module.globals.items():
        if not name.startswith("@llvm.") and (variable.value or variable.section == DYNAMIC):
            yield name, variable.linkage, variable.section == DYNAMIC or is_local(plain(name))


def spelled(name: str) -> str:
    """Return what a program's text calls the function or variable of a mangled name."""
    class_ = name.removeprefix("_ZTV")
    names, _ = names_of(name if class_ == name else f"_Z{class_}")
    return f"{'' if class_ == name else 'the virtual functions of '}{'::'.join(names) or name}"


def relocatable(ir: str) -> str:
    """Return a file's LLVM IR with what it instantiates explicitly for other files, too."""
    # (For clang, nobody else could use it, and nothing else has both words.)
    return re.sub(rf"^(define |@{NAME} = )internal (?=[^\n]* comdat\b)", r"\1weak_odr ", ir, flags=re.M)


def find_undefined(ir: str) -> tuple[str, int] | None:
    """Return what a file's kernels use first and the file does not define, as its text calls that, and the line."""
    variables = re.search(rf'^(?!{_GIVEN})@\S+ = external (?![^\n]* section ")', ir, re.M)
    functions = re.findall(rf"^declare [^@\n]*(@{NAME})\(", ir, re.M)
    if not variables and not any(f"{{ ptr {name}, ptr @" in ir for name in functions):
        return None  # as in nearly all files, and to read them takes longer
    module = ir_of(ir)
    reached = ir_of(reachable(ir, marked_with(module, "__global__")))
    uses = sorted((line, symbol) for symbol in device_symbols(module).used if (line := line_of_use(reached, symbol)))
    return (spelled(plain(uses[0][1])), uses[0][0]) if uses else None


def line_of_use(module: Module, symbol: str) -> int:
    """Return the line that uses a symbol; 0 if none does."""
    for function in module.functions.values():
        for instruction in function.instructions():
            at = location(module.metadata, instruction.attachment("dbg")) if symbol in instruction.text else None
            if at and symbol in symbols(instruction.text):
                return at[0]
    users = (variable.debug for variable in module.globals.values() if symbol in symbols(variable.value))
    return next((_line(module, debug) for debug in users if debug), 0)


def line_of_definition(module: Module, symbol: str) -> int:
    """Return the line of the function or variable that a symbol stands for; 0 if the module does not define it."""
    if symbol in module.functions:
        return _line(module, module.functions[symbol].debug)
    variable = module.globals.get(symbol)
    return _line(module, variable.debug) if variable and variable.value else 0


def _line(module: Module, debug: str) -> int:
    node = module.metadata.get(debug, "")
    return int(field(module.metadata.get(field(node, "var"), node), "line") or 0)


def share_variables(host_ir: str, public: Collection[str]) -> str:
    """Return the LLVM IR of a host's half in which other files see what stands for `public` variables on the GPU. What
    stands for those of other files may be elsewhere: `__managed__` ones are."""

    def visible(definition: re.Match[str]) -> str:
        if definition[1] not in public:
            return definition[0]
        return f"{definition[1]} = {'linkonce_odr ' if definition[3] else ''}{definition[2]}"

    host_ir = re.sub(rf"^(@{NAME} = external )dso_local (?=global)", r"\1", host_ir, flags=re.M)
    return re.sub(rf"^(@{NAME}) = internal (global [^\n]* undef(, comdat)?,)", visible, host_ir, flags=re.M)
