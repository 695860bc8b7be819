"""From a kernel's text to LLVM IR: the text as clang gets it, and what clang says of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from ..core.device_code import DeviceCode
from ..core.diagnostics import Diagnostic
from .annotations import with_annotations
from .asm_calls import call_functions
from .asm_statements import AsmError, Statement, find_asm
from .builtins import HELPERS, call_prelude
from .cache import workplace
from .clang import ERROR, RANGES, clang, messages_of
from .device_ir import as_x86
from .entry import add_entry
from .ir import Module, UnreadableError, field, read_module
from .ir.reachable import reachable
from .kernel_flags import Runtime, kernel_flags, optimizing_flags, typing_flags
from .module_info import names_of
from .passes.aggregates import pass_aggregates
from .passes.caller_lines import inherit_caller_lines
from .passes.function_pointers import calls_pointers, functions_with_addresses, point_to
from .passes.launches import give_launches_room
from .passes.marks import place_constants
from .passes.virtual_tables import reads_tables, virtual_tables
from .places import lacks_template, lines_by_place, with_joined_launches, with_templates
from .ptx import EXPANDED, functions_for
from .syntax import line_of, nodes, syntax_tree
from .two_sides import NAMED, find_two_sides, without_warnings
from .verifier import UnprovenError

# Mistakes that compile: an uninitialized variable, `if (i = n)`, `if (i < n);`, `__syncthreads;`, `a[i, j]`, and
# `u >= 0` for an unsigned u. (We don't warn about missing parentheses that would only help readers.)
_WARNED = [
    *"-Werror=uninitialized -Werror=empty-body -Werror=unused-value -Werror=tautological-unsigned-zero-compare".split(),
    *"-Werror=parentheses -Wno-logical-op-parentheses -Wno-logical-not-parentheses -Wno-bitwise-op-parentheses".split(),
    *"-Wno-shift-op-parentheses -Wno-bitwise-conditional-parentheses -Wno-parentheses-equality".split(),
    *"-Wno-dangling-else -Wno-overloaded-shift-op-parentheses".split(),
]

# We compile a kernel to LLVM IR and instrument it without an optimizer, which would remove or merge accesses before
# they have their calls; only then, if the run is long enough, do we optimize it.
# No LLVM passes at first: the earliest of them already turns small copies into something else.
TO_IR = ["-main-file-name", "kernel.cu", "-emit-llvm", "-disable-llvm-passes", "-o"]
_IR = "kernel.ll"

#: Flags by which the compiler only reports what is wrong with the file kernel.cu.
ALL_ERRORS = "-fsyntax-only -ferror-limit 0 kernel.cu".split()
_NO_CALL, _BARRIER = "builtin functions must be directly called", "__syncthreads"
#: The file with what the asm statements of a text become.
_ASM = "asm.h"
_ONE_SIGN = "invalid % escape in inline assembly string"
_CONSTRUCTED = "initialization is not supported for __shared__ variables"
#: The same without a constructor; by then an initializer is refused in other words.
_SHARED, _UNINITIALIZED = "__shared__", "static __attribute__((shared, loader_uninitialized))"
#: The same in a preprocessed text.
_EXPANDED_SHARED = "__attribute__((__shared__))"
_REDECLARED = re.compile(
    r"error: (?:out-of-line definition of|no function template matches function template specialization) '([^']+)'"
)
#: A function of C++ that is declared, and not the library's.
_UNDEFINED = re.compile(r'^declare [^@"]*@(_Z(?!N?K?St)[\w.$]+)', re.M)
_OTHER_ASM = {"FileScopeAsmDecl": "asm outside of a function", "AsmLabelAttr": "asm as a name"}
#: How often we compile a text for these, of which the compiler reports a few at a time.
_MOST_REPAIRS = 20
#: Most bytes of a text's LLVM IR, and most of its instructions. Kernels have some hundred; many more would keep our own
#: passes busy for as long as the compiler.
_MAX_IR, _MAX_INSTRUCTIONS = 8 << 20, 30_000
#: Most bytes of the LLVM IR of a whole program, of which each launch takes a part.
_MAX_PROGRAM = 64 << 20


class TooLargeError(Exception):
    """The kernel compiles to more IR than we accept; `line` is that of its largest function (0: unknown)."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class RejectedError(Exception):
    """The compiler rejects a program; `log` has its messages."""

    def __init__(self, log: str) -> None:
        super().__init__(log)
        self.log = log


@dataclass(frozen=True)
class Text:
    """A text that the compiler accepts: as it takes it, its LLVM IR for NVPTX, its warnings, and those of its asm
    statements that have become calls."""

    source: str
    llvm: str
    warnings: tuple[Diagnostic, ...]
    statements: Sequence[Statement] = ()

    def module(self, kernel: str) -> Module:
        """The LLVM IR for x86-64, with the compiler's own functions as calls of the prelude's, and an entry for
        `kernel`, a symbol; "" for none. The prelude's functions that are always inlined have no lines.

        Raises:
            UnprovenError: it has something that no kernel needs. TooLargeError: there is too much of it.
        """
        return _prepared(ir_of(as_x86(self.llvm)), self.statements, kernel)


def _prepared(module: Module, statements: Sequence[Statement], kernel: str) -> Module:
    sizes = [(sum(len(b.instructions) for b in f.blocks), f.debug) for f in module.functions.values()]
    if sum(size for size, _ in sizes) > _MAX_INSTRUCTIONS:
        raise TooLargeError(int(field(module.metadata.get(max(sizes)[1], ""), "line") or 0))
    call_functions(module, statements)
    call_prelude(module)
    give_launches_room(module)
    add_entry(module, kernel)
    pass_aggregates(module)
    inherit_caller_lines(module, kernel)
    place_constants(module)
    return module


def program_module(x86: str, kernel: str) -> Module:
    """As `Text.module`, of a kernel and what it needs of its program's LLVM IR for x86-64.

    Raises:
        AsmError: it has an asm statement that is not known here. UnprovenError, TooLargeError: as `Text.module`.
    """
    module = ir_of(reachable(x86, [kernel, *HELPERS]))
    # A pointer to a function may come from anywhere in the program.
    pointed = set[str]()
    if calls_pointers(module) or reads_tables(module):
        whole = ir_of(x86)
        pointed = functions_with_addresses(whole)
        tables = (table.name for table in virtual_tables(whole))
        module = ir_of(reachable(x86, [kernel, *HELPERS, *pointed, *tables]))
    if statements := find_asm(module):
        module = ir_of(reachable(x86, {*HELPERS, *module.functions, *(f"@{s.function}" for s in statements)}))
        functions_for([s for s in statements if f"@{s.function}" not in module.functions])  # raises
    point_to(module, pointed)
    return _prepared(module, statements, kernel)


def module_of(code: DeviceCode) -> Module:
    """The kernel's part of its program's LLVM IR, as the compiler wrote it."""
    return ir_of(reachable(code.ir, [code.symbol]))


def _content(folder: Path, most: int = _MAX_IR) -> str:
    if (folder / _IR).stat().st_size > most:
        raise TooLargeError(0)
    return (folder / _IR).read_text(encoding="utf-8")


def ir_of(text: str) -> Module:
    """The LLVM IR that clang wrote.

    Raises:
        UnprovenError: it has something that no kernel needs, and that is not read here.
    """
    try:
        return read_module(text)
    except UnreadableError as error:
        raise UnprovenError(str(error), _line_of(error.part, text), "") from None


def _line_of(part: str, text: str) -> int:
    """The line in the source of a part of a module's text; 0 if it says none."""
    # (The part may be the first line of an instruction.)
    node = re.search(r"!dbg (!\d+)", part) or re.search(rf"{re.escape(part)}(?:.|\n {{4}})*?!dbg (!\d+)", text)
    place = node and re.search(rf"^{node[1]} = .*?\bline: (\d+)", text, re.MULTILINE)
    return int(place[1]) if place else 0


@lru_cache(maxsize=4)  # a text is described, and then compiled
def read(runtime: Runtime, source: str, chosen: str) -> Text | str:
    """What the compiler makes of `source` followed by `chosen` (`entry.choose`); or its messages if it rejects it.

    Raises:
        TooLargeError: its LLVM IR is too large.
    """
    with workplace() as folder:
        flags = [*kernel_flags(runtime, source), *TO_IR, _IR, "kernel.cu"]
        repaired, log, warnings = _repaired(source, chosen, flags, folder)
        if warnings:
            log = _compiled(flags, repaired, folder)
        return Text(repaired + chosen, _content(folder), tuple(warnings)) if log is None else log


def lower(runtime: Runtime, source: str, text: Text, folder: Path) -> Text | str:
    """What `read` has returned for `source`, with each asm statement as a call of a function, and in the file kernel.cu
    in `folder`; or the compiler's messages if it rejects one of their operands.

    Raises:
        AsmError: it has an asm statement that is not known here. UnprovenError: as `Text.module`.
    """
    (folder / "kernel.cu").write_text(text.source, encoding="utf-8")
    if "asm" in text.source:
        _refuse_other_asm([*kernel_flags(runtime, source), *TO_IR, _IR, "kernel.cu"], folder)
    statements = find_asm(ir_of(as_x86(text.llvm))) if " asm " in text.llvm else []
    if not statements:
        return text
    (folder / _ASM).write_text(functions_for(statements), encoding="utf-8")
    log = clang([*kernel_flags(runtime, source, [_ASM]), *TO_IR, _IR, "kernel.cu"], folder)
    return replace(text, llvm=_content(folder), statements=statements) if log is None else log


def with_copied_types(runtime: Runtime, source: str, text: Text, folder: Path) -> Text | str:
    """What `lower` has returned for `source`, in `folder`, with the type of each copied struct
    (`kernel_flags.typing_flags`); or the compiler's messages if it rejects the text."""
    more = [_ASM] if text.statements else []
    log = clang([*typing_flags(runtime, source, more), *TO_IR, _IR, "kernel.cu"], folder)
    return replace(text, llvm=_content(folder)) if log is None else log


def with_optimization(runtime: Runtime, source: str, text: Text, folder: Path) -> str | None:
    """The optimized LLVM IR (`kernel_flags.optimizing_flags`) of what `lower` has returned for `source`, in `folder`;
    None if the compiler rejects the text."""
    more = [_ASM] if text.statements else []
    flags = optimizing_flags(runtime, source, more)
    return _content(folder) if clang([*flags, "-emit-llvm", "-o", _IR, "kernel.cu"], folder) is None else None


def read_program(source: str, flags: Sequence[str], folder: Path) -> tuple[str, str]:
    """The LLVM IR for x86-64 of the half of a preprocessed program that runs on the GPU, which is compiled with these
    flags; and the text that it is of, with a function for each asm statement that is known here.

    Raises:
        RejectedError: the compiler rejects the text. TooLargeError: its LLVM IR is too large.
    """
    source, log, _ = _repaired(source, "", [*flags, *TO_IR, _IR, "kernel.cu"], folder, warned=())
    if log is not None:
        raise RejectedError(log)
    x86 = _program_ir(folder)
    statements = [statement for statement in find_asm(ir_of(x86)) if _is_known(statement)] if " asm " in x86 else []
    if not statements:
        return x86, source
    source += functions_for(statements, EXPANDED)
    return read_program_again(source, flags, folder), source


def read_program_again(source: str, flags: Sequence[str], folder: Path) -> str:
    """The LLVM IR of a text that `read_program` has returned, with other flags. Raises as `read_program`."""
    (folder / "kernel.cu").write_text(source, encoding="utf-8")
    if (log := clang([*flags, *TO_IR, _IR, "kernel.cu"], folder)) is not None:
        raise RejectedError(log)
    return _program_ir(folder)


def _program_ir(folder: Path) -> str:
    # Clang says of each `operator new`, the prelude's too, how large what it returns is.
    return as_x86(_content(folder, _MAX_PROGRAM)).replace(" allocsize(0) ", " ")


def repair_program(source: str, chosen: str, flags: Sequence[str], folder: Path) -> tuple[str, str | None]:
    """As `read_program`, of `source` followed by `chosen`, without making LLVM IR: `source` as clang takes it, and the
    compiler's messages if it rejects that, all of them."""
    source, log, _ = _repaired(source, chosen, [*flags, *ALL_ERRORS], folder, warned=())
    return source, log


def _redeclared(log: str, ir: Path) -> set[str]:
    """The names of functions that may be defined without the annotation of their declaration: the compiler's `log`
    says so, or they are declared in its LLVM IR and not defined."""
    if log or not ir.exists():
        return {name.rpartition("::")[2] for name in _REDECLARED.findall(log)}
    return {names[-1] for symbol in _UNDEFINED.findall(ir.read_text("utf-8")) if (names := names_of(symbol)[0])}


def _is_known(statement: Statement) -> bool:
    try:
        return bool(functions_for([statement], EXPANDED))
    except AsmError:
        return False


def find_errors(runtime: Runtime, source: str, folder: Path) -> str | None:
    """The compiler's messages if it rejects `source`, which takes it less time than `read`; None if it does not."""
    flags = [*kernel_flags(runtime, source), "-fsyntax-only", "kernel.cu"]
    repaired, log, warnings = _repaired(source, "", flags, folder)
    return _compiled(flags, repaired, folder) if warnings else log


def _repaired(
    source: str, chosen: str, flags: Sequence[str], folder: Path, warned: Sequence[str] = _WARNED
) -> tuple[str, str | None, list[Diagnostic]]:
    """The text as clang takes what nvcc takes, in the file kernel.cu followed by `chosen`; the compiler's messages if
    it rejects that, with warnings as errors; and the warnings."""
    warnings: list[Diagnostic] = []
    for _ in range(_MOST_REPAIRS):
        (folder / "kernel.cu").write_text(source + chosen, encoding="utf-8")
        # Request warnings as errors, because we keep only errors; so one compilation usually yields both.
        log, before = _compiled([*flags, *warned], source, folder, is_program=not warned), source
        source = _as_nvcc_takes_it(source, log or "", warnings)
        if source == before and lacks_template(log or ""):
            source = with_templates(source, clang([*flags, RANGES], folder) or "")
        if names := _redeclared(log or "", folder / _IR):
            source = with_annotations(source, flags, folder, [""] if warned else names)
        if source == before:
            break
    found = [m for m in ERROR.finditer(log or "") if m["file"] == "kernel.cu" and " [-W" in m["text"]]
    warnings += [Diagnostic(int(m["line"]), int(m["column"]), m["text"].partition(" [-W")[0]) for m in found]
    return source, log, sorted(warnings)


def _compiled(flags: Sequence[str], source: str, folder: Path, *, is_program: bool = False) -> str | None:
    """The messages of the compiler, and of NVIDIA's about functions of two sides, if it rejects what is in kernel.cu:
    `source`, and what follows it."""
    accepted, log = messages_of([*flags, NAMED], folder)
    if not accepted:
        return without_warnings(log)
    if _IR not in flags:
        return None
    return find_two_sides(log, _content(folder, _MAX_PROGRAM), source, flags, folder, is_program=is_program) or None


def _refuse_other_asm(flags: Sequence[str], folder: Path) -> None:
    """Refuse asm that is no statement: outside of functions, where clang leaves it out and NVIDIA's compilers do not,
    and as another name for a function or variable, such as the runtime's."""
    for node in nodes(syntax_tree(flags, folder)):
        if node.get("kind") in _OTHER_ASM:
            raise AsmError(line_of(node), _OTHER_ASM[node["kind"]])


def _as_nvcc_takes_it(source: str, log: str, warnings: list[Diagnostic]) -> str:
    """The text without what clang refuses and nvcc does not, where the compiler says it is: `__syncthreads` without
    parentheses, of which nvcc warns, too; one % before a special register; a shared array of a class with a
    constructor, which nobody calls. That shifts columns."""
    lines = with_joined_launches(source, log).split("\n")
    places = lines_by_place(lines) if log else {}
    for error in ERROR.finditer(log):
        column, text = int(error["column"]) - 1, error["text"]
        at = next(iter(places.get((error["file"], int(error["line"])), ())), None)
        if at is None:
            continue
        line = lines[at]
        if text == _NO_CALL and line.startswith(_BARRIER, column):
            warnings.append(Diagnostic(int(error["line"]), column + 1, _NO_CALL))
            lines[at] = f"{line[:column]}{'((void)0)':{len(_BARRIER)}}{line[column + len(_BARRIER) :]}"
        elif text == _ONE_SIGN and (sign := line.rfind("%", 0, column)) >= 0:  # the place is after it
            lines[at] = f"{line[:sign]}%{line[sign:]}"
        elif text == _CONSTRUCTED:
            spelled = _EXPANDED_SHARED if _EXPANDED_SHARED in line[:column] else _SHARED
            if (word := line.rfind(spelled, 0, column)) >= 0:
                lines[at] = f"{line[:word]}{_UNINITIALIZED}{line[word + len(spelled) :]}"
    return "\n".join(lines)
