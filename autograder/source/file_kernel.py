"""What one kernel needs of a `.cu` file and its own headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import UsageError
from .device_code import DevicePart, LeftOut, device_part
from .gather import Gathered, gather
from .signature import kernel_names
from .text import MAX_LENGTH, blank, blank_directives

#: Headers that bring all that there is of `std` here.
_STD = ("algorithm", "cmath", "limits")
#: The head of main: no call, and no declaration. (One that does not compile is one, too, so that the compiler tells.)
_MAIN = re.compile(r"\bmain\s*\((?![^(){}]*\)\s*[;,)])")


def has_main(file: Path) -> bool:
    """Whether a file is a whole program. Raises UsageError if it can't be read."""
    return bool(_MAIN.search(blank_directives(blank(gather(file).text))))


def read_kernel(file: Path, kernel: str | None, folders: Sequence[Path] = ()) -> tuple[Gathered, DevicePart, str]:
    """Read a `.cu` file and its own headers as `kernel_part` does.

    Raises:
        UsageError: the file can't be read, or has no such kernel, or what the kernel needs is too long.
    """
    return kernel_part(gather(file, folders), kernel)


def kernel_part(gathered: Gathered, kernel: str | None) -> tuple[Gathered, DevicePart, str]:
    """What one kernel needs of a `.cu` file and its own headers, and the kernel's name; None names the only one. Lines
    of what was left out are the file's own.

    Raises:
        UsageError: there is no such kernel, or what it needs is too long.
    """
    name = _name(gathered.text) if kernel is None else kernel
    known = re.sub(r"\s|[<(].*", "", name, flags=re.DOTALL) in kernel_names(gathered.text)
    part = device_part(gathered.text, name if known else "")
    left_out = [_own_lines(gap, gathered) for gap in part.left_out if not gathered.own(gap.first_line)[0]]
    text, gathered = gathered.without_blanks(_with_std(part.text))
    part = replace(part, text=text, left_out=tuple(left_out))
    if len(part.text) > MAX_LENGTH:
        file = gathered.files[0]
        raise UsageError(
            f"{file} has {len(part.text)} characters, more than {MAX_LENGTH}: put the kernel in its own file."
        )
    return gathered, part, name


def _with_std(text: str) -> str:
    """The text with the headers of `std` that it uses but does not include, in lines that are blank: on a host, other
    headers bring them. Where an #include stands makes no difference."""
    lines = text.split("\n")
    blanks = (i for i, line in enumerate(lines) if not line.strip() and not (i and lines[i - 1].endswith("\\")))
    wanted = [*_STD] if re.search(r"\bstd\s*::", text) else []
    wanted += ["iosfwd"] if re.search(r"\bostream\b", text) else []
    for header, place in zip(wanted, blanks, strict=False):
        lines[place] = f"#include <{header}>"
    return "\n".join(lines)


def _own_lines(gap: LeftOut, gathered: Gathered) -> LeftOut:
    first = gathered.own(gap.first_line)[1]
    return LeftOut(gap.what, first, max(first, gathered.own(gap.last_line)[1]))


def _name(text: str) -> str:
    names = kernel_names(text)
    if not names:
        raise UsageError(
            "The file has no __global__ function: write one, as in __global__ void blur(float* out) {...}."
        )
    if len(names) > 1:
        raise UsageError(f"The file has {len(names)} kernels: choose one by --kernel {', '.join(names)}.")
    return names[0]
