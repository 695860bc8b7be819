"""From a kernel's text to LLVM IR: the text as clang gets it, and what clang says of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.findings import Diagnostic
from .annotations import with_annotations
from .asm_statements import AsmError, Statement, call_functions, find_asm
from .builtins import call_prelude
from .clang import ERROR, clang
from .device_ir import as_x86
from .entry import add_entry
from .ir import Module, UnreadableError, field, read_module
from .kernel_flags import Runtime, kernel_flags, typing_flags
from .passes.aggregates import pass_aggregates
from .passes.borrowed_lines import borrow_lines
from .passes.marks import place_constants
from .ptx import functions_for
from .syntax import line_of, nodes, syntax_tree
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


_MISSING = re.compile(r"missing 'template' keyword prior to dependent template name '(\w+)'")
_NO_CALL, _BARRIER = "builtin functions must be directly called", "__syncthreads"
_ONE_SIGN = "invalid % escape in inline assembly string"
_CONSTRUCTED = "initialization is not supported for __shared__ variables"
#: The prelude's word for the same without a constructor; by then an initializer is refused in other words.
_SHARED, _UNINITIALIZED = "__shared__", "emu_uninitialized"
_REDECLARED = re.compile(r"error: (?:out-of-line definition of .* does not match|no function template matches)")
#: A function of C++ that is declared, and not the runtime's.
_UNDEFINED = re.compile(r'^declare [^@"]*@_Z', re.M)
_OTHER_ASM = {"FileScopeAsmDecl": "asm outside of a function", "AsmLabelAttr": "asm as a name"}
#: How often we compile a text for these, of which the compiler reports a few at a time.
_MOST_REPAIRS = 20
#: Most bytes of a text's LLVM IR, and most of its instructions. Kernels have some hundred; many more would keep our own
#: passes busy for as long as the compiler.
_MAX_IR, _MAX_INSTRUCTIONS = 8 << 20, 30_000


class TooLargeError(Exception):
    """A text becomes more instructions than the emulator takes; `line` is that of its largest function (0: unknown)."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class Text:
    """A text that the compiler accepts, in the file `ir` as LLVM IR: its warnings, and its asm statements."""

    ir: Path
    warnings: list[Diagnostic]
    statements: list[Statement]

    def module(self) -> Module:
        """The LLVM IR that clang made of it, as x86-64 has it, with its asm statements and the compiler's own functions
        as calls of the prelude's. The prelude's functions that are always inlined have no lines of their own.

        Raises:
            UnprovenError: it has something that no kernel needs. TooLargeError: there is too much of it.
        """
        return _module(self.ir, self.statements)


def _module(ir: Path, statements: Sequence[Statement]) -> Module:
    module = _read(ir)
    sizes = [(sum(len(b.instructions) for b in f.blocks), f.debug) for f in module.functions.values()]
    if sum(size for size, _ in sizes) > _MAX_INSTRUCTIONS:
        raise TooLargeError(int(field(module.metadata.get(max(sizes)[1], ""), "line") or 0))
    call_functions(module, statements)
    call_prelude(module)
    add_entry(module)
    pass_aggregates(module)
    borrow_lines(module)
    place_constants(module)
    return module


def _read(ir: Path) -> Module:
    if ir.stat().st_size > _MAX_IR:
        raise TooLargeError(0)
    return ir_of(as_x86(ir.read_text(encoding="utf-8")))


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
    node = re.search(r"!dbg (!\d+)", part)
    place = node and re.search(rf"^{node[1]} = .*?\bline: (\d+)", text, re.MULTILINE)
    return int(place[1]) if place else 0


def read(runtime: Runtime, source: str, chosen: str, folder: Path) -> Text | str:
    """What the compiler makes of `source` followed by `chosen`, in `folder`; or its messages if it rejects it.

    Raises:
        AsmError: it has an asm statement that is not known here. UnprovenError, TooLargeError: as `Text.module`.
    """
    ir = folder / "kernel.ll"
    flags = [*kernel_flags(runtime, source), *TO_IR, ir.name, "kernel.cu"]
    source, log, warnings = _repaired(source, chosen, flags, folder)
    if warnings:
        log = clang(flags, folder)
    if log is None and "asm" in source:
        _refuse_other_asm(flags, folder)
    statements = find_asm(_read(ir)) if log is None and b" asm " in ir.read_bytes() else []
    if statements:
        (folder / "kernel.cu").write_text(source + chosen + functions_for(statements), encoding="utf-8")
        log = clang(flags, folder)
    return Text(ir, warnings, statements) if log is None else log


def find_errors(runtime: Runtime, source: str, folder: Path) -> str | None:
    """The compiler's messages if it rejects `source`, which takes it less time than `read`; None if it does not."""
    flags = [*kernel_flags(runtime, source), "-fsyntax-only", "kernel.cu"]
    _, log, warnings = _repaired(source, "", flags, folder)
    return clang(flags, folder) if warnings else log


def _repaired(source: str, chosen: str, flags: Sequence[str], folder: Path) -> tuple[str, str | None, list[Diagnostic]]:
    """The text as clang takes what nvcc takes, in the file kernel.cu followed by `chosen`; the compiler's messages if
    it rejects that, with warnings as errors; and the warnings."""
    warnings: list[Diagnostic] = []
    for _ in range(_MOST_REPAIRS):
        (folder / "kernel.cu").write_text(source + chosen, encoding="utf-8")
        # Request warnings as errors, because we keep only errors; so one compilation usually yields both.
        log, before = clang([*flags, *_WARNED], folder), source
        source = _as_nvcc_takes_it(source, log or "", warnings)
        ir = folder / "kernel.ll"
        if _REDECLARED.search(log or "") or (log is None and ir.exists() and _UNDEFINED.search(ir.read_text("utf-8"))):
            source = with_annotations(source, flags, folder)
        if source == before:
            break
    found = [m for m in ERROR.finditer(log or "") if m["file"] == "kernel.cu" and " [-W" in m["text"]]
    warnings += [Diagnostic(int(m["line"]), int(m["column"]), m["text"].partition(" [-W")[0]) for m in found]
    return source, log, sorted(warnings)


def _refuse_other_asm(flags: Sequence[str], folder: Path) -> None:
    """Refuse asm that is no statement: outside of functions, where clang leaves it out and NVIDIA's compilers do not,
    and as another name for a function or variable, such as the runtime's."""
    for node in nodes(syntax_tree(flags, folder)):
        if node.get("kind") in _OTHER_ASM:
            raise AsmError(line_of(node), _OTHER_ASM[node["kind"]])


def _as_nvcc_takes_it(source: str, log: str, warnings: list[Diagnostic]) -> str:
    """The text without what clang refuses and nvcc does not, where the compiler says it is: a `template` that is
    missing in front of a member's name; `__syncthreads` without parentheses, of which nvcc warns, too; one % in front
    of a special register; a shared array of a class with a constructor, which nobody calls. That shifts columns."""
    lines = source.split("\n")
    for error in ERROR.finditer(log):
        at, column, text = int(error["line"]) - 1, int(error["column"]) - 1, error["text"]
        if error["file"] != "kernel.cu" or at >= len(lines):
            continue
        line = lines[at]
        if missing := _MISSING.fullmatch(text):
            if name := re.compile(rf"::\s*(?={missing[1]}\b)").search(line, column):
                lines[at] = f"{line[: name.end()]}template {line[name.end() :]}"
        elif text == _NO_CALL and line.startswith(_BARRIER, column):
            warnings.append(Diagnostic(at + 1, column + 1, _NO_CALL))
            lines[at] = f"{line[:column]}{'((void)0)':{len(_BARRIER)}}{line[column + len(_BARRIER) :]}"
        elif text == _ONE_SIGN and (sign := line.rfind("%", 0, column)) >= 0:  # the place is after it
            lines[at] = f"{line[:sign]}%{line[sign:]}"
        elif text == _CONSTRUCTED and (word := line.rfind(_SHARED, 0, column)) >= 0:
            lines[at] = f"{line[:word]}{_UNINITIALIZED}{line[word + len(_SHARED) :]}"
    return "\n".join(lines)


def copied_types(runtime: Runtime, source: str, text: Text) -> Module | str:
    """The module of a text with the type of each copied struct (`kernel_flags.typing_flags`), or as `read`."""
    ir = text.ir.with_name("typed.ll")
    log = clang([*typing_flags(runtime, source), *TO_IR, ir.name, "kernel.cu"], ir.parent)
    return _module(ir, text.statements) if log is None else log
