"""From a kernel's text to LLVM IR: the text as clang gets it, and what clang says of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..core.findings import Diagnostic
from ..source.text import bare, blank, dynamic_shared, join_lines
from .clang import ERROR, clang
from .ir import Module, UnreadableError, field, read_module
from .kernel_flags import Runtime, kernel_flags
from .passes.borrowed_lines import borrow_lines
from .ptx import read_asm
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


_ALWAYS_INLINE = re.compile(r"\b__attribute__[^\S\n]*\(\((?:always_inline|__always_inline__)\)\)", re.ASCII)
#: A call of a member template of what parameters decide, as in `Cast<T>::apply<4>(x)`: C++ wants `template` behind the
#: colons, which nvcc does not.
_MEMBER_TEMPLATE = re.compile(r">\s*::\s*(?P<name>[A-Za-z_]\w*)\s*<[\w\s,:]*>\s*\(", re.ASCII)
_PART, _CALLED = re.compile(r"[^;{}]+"), re.compile(r"(\w+)\s*\(", re.ASCII)
#: Most bytes of a text's LLVM IR, and most of its instructions. Kernels have some hundred; many more would keep our own
#: passes busy for as long as the compiler.
_MAX_IR, _MAX_INSTRUCTIONS = 8 << 20, 30_000


class TooLargeError(Exception):
    """A text becomes more instructions than the emulator takes; `line` is that of its largest function (0: unknown)."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def first_ir(path: Path) -> Module:
    """The LLVM IR that clang made of a text, before any pass but one: the prelude's functions that are always inlined
    have no lines of their own. Raises as `ir_of` and `borrow_lines`, and:

    TooLargeError: there is too much of it.
    """
    if path.stat().st_size > _MAX_IR:
        raise TooLargeError(0)
    module = ir_of(path.read_text(encoding="utf-8"))
    sizes = [(sum(len(b.instructions) for b in f.blocks), f.debug) for f in module.functions.values()]
    if sum(size for size, _ in sizes) > _MAX_INSTRUCTIONS:
        raise TooLargeError(int(field(module.metadata.get(max(sizes)[1], ""), "line") or 0))
    borrow_lines(module)
    return module


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


def entry_of(kernel: str) -> str:
    """What stands behind a text for the runtime to call its kernel, an expression."""
    return (
        # (Two lines, since the text may end in a comment that goes on.)
        '\n\n#undef warpSize\n#line 1 "launch"\n'
        'extern "C" { alignas(1024) char emu_dynamic[232448] '
        '__attribute__((__section__(".bss.emu_dynamic"), __used__));\n'
        # never empty: the linker scripts insert their sections after these two
        'static char emu_data __attribute__((__section__(".data"), __used__)) = 1;\n'
        'static char emu_bss __attribute__((__section__(".bss"), __used__));\n'
        'extern "C++" const int warpSize = 32;\n'
        # No macro of the text's changes a keyword, or a word that begins with emu_. One that is the kernel's name
        # makes this another constant: nothing runs but what is called as a kernel.
        f"static constexpr auto* emu_kernel = {kernel};\n"
        "EMU_RAW void emu_entry(void** emu_arguments) { emu_call<emu_kernel>(emu_arguments); }\n"
        "extern const auto emu_parameters __attribute__((__used__)) = emu_sizes<emu_kernel>; }\n"
    )


def read(
    runtime: Runtime, source: str, entry: str, flags: Sequence[str], folder: Path
) -> tuple[str | None, list[Diagnostic]]:
    """The compiler's messages if it rejects `source` followed by `entry`, or None; and its warnings."""
    (folder / "kernel.cu").write_text(emulated(source) + entry, encoding="utf-8")
    flags = [*kernel_flags(runtime, source), *flags, "kernel.cu"]
    # Request warnings as errors, because we keep only errors; so one compilation usually yields both.
    log = clang([*flags, *_WARNED], folder)
    found = [m for m in ERROR.finditer(log or "") if m["file"] == "kernel.cu" and " [-W" in m["text"]]
    if found:
        log = clang(flags, folder)
    return log, [Diagnostic(int(m["line"]), int(m["column"]), m["text"].partition(" [-W")[0]) for m in found]


def emulated(source: str) -> str:
    """The text as the compiler gets it, with the same lines and columns: `extern __shared__` becomes `extern`, and
    an `alignas` after a memory space, where C++ doesn't allow one, becomes an attribute. That a function is always
    inlined makes no difference, and goes. Only behind inline PTX, which becomes C++, and behind a `template` that clang
    wants, columns change."""
    out = source
    for word in re.finditer(r"\b(?:__shared__|__constant__)\s+(alignas)\b", blank(source)):
        out = out[: word.start(1)] + "__emual" + out[word.end(1) :]
    for inlined in _ALWAYS_INLINE.finditer(blank(source)):
        out = out[: inlined.start()] + " " * len(inlined[0]) + out[inlined.end() :]
    for found in dynamic_shared(source):
        start, end = found.shared
        out = out[:start] + "__emudyn__" + out[end:]
    return _without_asm(_with_template(out))


def _with_template(source: str) -> str:
    code = blank(source)
    parts = list(_PART.finditer(code))
    heads = (part[0] for part in parts if "template" in part[0])
    templates = {name for head in heads for name in _CALLED.findall(head)}
    calls = [m for part in parts if "template" not in part[0] for m in _MEMBER_TEMPLATE.finditer(code, *part.span())]
    places = [m.start("name") for m in calls if m["name"] in templates]
    return "template ".join(source[start:end] for start, end in zip([0, *places], [*places, None], strict=True))


def _without_asm(source: str) -> str:
    joined, place = join_lines(source)
    if "asm" not in joined:
        return source
    code = bare(joined)
    out, at, end = "", 0, 0
    for word in re.finditer(r"(?<!\w)asm(?!\w)", code, re.ASCII):
        if word.start() >= end and (found := read_asm(joined, word.start())):
            start, end = place[found.start], found.end
            stop = place[end - 1] + 1
            # Its lines end behind it as they did: with a splice, where a macro goes on.
            out += source[at:start] + found.expression + "".join(re.findall(r"\\?\r?\n", source[start:stop]))
            at = stop
    return out + source[at:]
