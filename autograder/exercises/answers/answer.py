"""A student's answer as it is in its cell: the text, and whether anything was written yet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...cuda.core.diagnostics import Diagnostic
from ...cuda.core.findings import Finding
from ...cuda.core.setting import Size
from ...cuda.source.text import blank
from ..declarations.values import Number, parse_values

#: The mark in a stub's comment, where the answer is to be written.
MARK = "YOUR CODE HERE"
_KERNEL = re.compile(r"\b__global__\b")
_EMPTY_KERNEL = re.compile(r"\b__global__\b(?:(?!__global__)[^{};])*\{\s*\}")


@dataclass(frozen=True)
class KernelAnswer:
    """The text of a `%%cuda` cell.

    `source` is what `Kernel` takes, with an empty first line in place of the magic, so that line numbers
    are those that the student sees. `errors` keep it from compiling; `warnings` are those of a text that
    compiles: (line, column, text).
    """

    source: str
    errors: tuple[Finding, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def stub_line(self) -> int | None:
        """The line of the stub's mark; 0 for an answer with no code and no mark, or whose kernels are
        all empty; None for one that was written."""
        code = blank(self.source)
        for mark in re.finditer(MARK, self.source):
            if not code[mark.start() : mark.end()].strip():
                return self.source.count("\n", 0, mark.start()) + 1
        kernels = len(_KERNEL.findall(code))
        empty = not code.strip() or 0 < kernels == len(_EMPTY_KERNEL.findall(code))
        return 0 if empty else None


@dataclass(frozen=True)
class ValuesAnswer:
    """The text of a `%%values` cell, with an empty first line in place of the magic."""

    text: str

    @property
    def stub_line(self) -> int | None:
        """As `KernelAnswer.stub_line`."""
        if MARK in self.text:
            return self.text.count("\n", 0, self.text.index(MARK)) + 1
        return None if self.text.strip() else 0

    def evaluate(self, words: Sequence[str], size: Size, only: str = "") -> Mapping[str, Number | tuple[Number, ...]]:
        """Return the cell's value for each of `words`, with the variables of `size`; if `only` that word is asked for,
        lines of others may be wrong.

        Raises:
            UsageError: the text is wrong; one sentence, with its line.
        """
        return parse_values(self.text, words, tuple(size), only).evaluate(size, only)
