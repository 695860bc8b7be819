"""Source that does not compile, or is not allowed, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.diagnostics import Diagnostic
from ..core.findings import CompileError, ForbiddenCode, Kind
from ..core.refusal import Refusal
from .about import About
from .compile_errors import in_words
from .parts import Part, Row
from .refusals import describe_refusal
from .rule import Rule, Rules, choose
from .vocabulary import Explanation, Names, printable

_UNSUPPORTED = Rule("CUDA has it, but the emulator that runs the kernel here does not.")
_HEADERS = Rule(
    "A kernel may include headers of CUDA, such as cooperative_groups.h, cuda_fp16.h and mma.h, and a few of C++: "
    "algorithm, cmath, cstdint, limits, type_traits and utility. Much needs no header, such as printf and sqrtf."
)
_PTX = Rule(
    "Of inline PTX, the emulator follows what most programs use: arithmetic, loads, stores, atomics, what a warp does "
    "together, asynchronous copies, tensor maps, mma and wgmma; nothing that came after Hopper GPUs, such as tcgen05. "
    "Much of the rest also has a function in CUDA C++."
)
FORBIDDEN_CODE_RULES: Rules = {
    "": Rule("An answer consists of CUDA C++ only: a kernel, and what it calls."),
    Refusal.NO_HEAP: Rule("A kernel's memory is what it is given, what is shared, and its own variables and arrays."),
    Refusal.ASSEMBLY: _PTX,
    Refusal.INSTRUCTION: _PTX,
    Refusal.UNSUPPORTED: _UNSUPPORTED,
    Refusal.LAUNCH: _UNSUPPORTED,
    Refusal.NO_CODE: Rule("Pasted text may contain characters that only look like those of a keyboard: type them."),
    Refusal.HEADER: _HEADERS,
    Refusal.READS: _HEADERS,
}

#: Characters that nobody sees, as constructs, and what to do about them.
_UNSEEN = {"the character U+00A0": "a no-break space, which looks like a space: delete it and type a space"}


def describe_forbidden(finding: ForbiddenCode, names: Names) -> Explanation:
    what = describe_refusal(printable(finding.construct), finding.reason)
    holds, rule = f"holds {_UNSEEN.get(finding.construct, what)}", choose(FORBIDDEN_CODE_RULES, finding.reason)
    if not finding.line:
        return Explanation((f"A header of a library {holds}.",), rule)
    return Explanation((f"Line {finding.line} {holds}:", (Row("", finding.line, printable(finding.text)),)), rule)


def describe_compile_error(finding: CompileError, names: Names) -> Explanation:
    parts = describe_messages(finding.messages, names.source)
    if not parts:
        parts.append(printable(finding.log) or "The compiler gave no message.")
    return Explanation(tuple(parts))


def describe_messages(messages: Iterable[Diagnostic], source: str) -> list[Part]:
    """The compiler's messages, each under its line of `source`."""
    lines = source.splitlines()
    parts: list[Part] = []
    for line, column, text in in_words(messages):
        if not 1 <= line <= len(lines):
            parts.append(printable(text))
            continue
        # Shown as typed, but without its indentation, which the caret's column counts.
        code = printable(lines[line - 1])
        indent = len(code) - len(code.lstrip())
        shown = code.strip()
        caret = column - indent if indent < column <= indent + len(shown) + 1 else 0
        parts.append((Row("", line, shown, caret, printable(text)),))
    return parts


ABOUT = (
    About(
        Kind.COMPILE_ERROR,
        {CompileError: describe_compile_error},
        {},
        "an error of the compiler",
        ending="the kernel does not compile",
    ),
    About(
        Kind.FORBIDDEN_CODE,
        {ForbiddenCode: describe_forbidden},
        FORBIDDEN_CODE_RULES,
        "code that is not allowed",
        ending="the kernel does not compile",
    ),
)
