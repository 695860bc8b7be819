"""Small modules of LLVM IR for the tests of passes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from autograder.cuda.compiler.ir import Module, read_module


def module_of(body: str, before: str = "", after: str = "") -> Module:
    """A module with one watched function, `void @k(ptr %0, i64 %1)`, made of these lines, with any indentation.

    Args:
        before: lines between the module's head and the function.
        after: lines after the function, such as metadata.
    """
    lines = [
        *textwrap.dedent(before).strip("\n").split("\n"),
        "",
        "define void @k(ptr %0, i64 %1) #0 !dbg !1 {",
        *map(_indented, body.strip().split("\n")),
        "}",
        "",
        "attributes #0 = { sanitize_thread }",
        "attributes #1 = { nounwind }",
        "",
        "!5 = !DILocation(line: 5, column: 9, scope: !1)",
        *textwrap.dedent(after).strip("\n").split("\n"),
        "",
    ]
    return read_module("\n".join(lines))


def _indented(line: str) -> str:
    line = line.strip()
    return line if line.endswith(":") else f"    {line}" if line.startswith("#") else f"  {line}"


def body_after(change: Callable[[Module], None], module: Module) -> str:
    """The lines of the module's function `@k` after a change, without indentation."""
    change(module)
    lines = module.functions["@k"].text().split("\n")[1:-1]
    return "\n".join(line.removeprefix("  ") for line in lines if line)
