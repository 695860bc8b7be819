"""Runs clang on a text, and tells a text that it rejects from a compiler that fails."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..errors import GraderFault
from . import zig

#: An error message from the compiler.
ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>.*)$", re.M)


def clang(arguments: Sequence[str], folder: Path) -> str | None:
    """Run the compiler in `folder`; its messages if it rejected the text, None if not."""
    refusal = "kernel.cu:1:1: error: the compiler gave up on this text: it {}\n"
    seconds = zig.COMPILE_SECONDS
    # No report of a crash: it would leave the text in /tmp.
    done = zig.run([zig.executable(), "clang", "-fno-crash-diagnostics", *arguments], folder, seconds=seconds)
    if done.returncode == 0:
        return None
    if done.returncode in zig.TOOK_TOO_LONG:
        return refusal.format(f"was still busy after {seconds} seconds")
    if done.returncode in zig.WROTE_TOO_MUCH or re.search(r"out of memory|bad_alloc|File too large", done.stderr):
        return refusal.format("needs too much memory")
    if "clang frontend command failed" in done.stderr:  # it has compiled the prelude, so it is the text
        return refusal.format("broke down; try it without your last changes")
    if not ERROR.search(done.stderr):
        raise GraderFault(f"The emulator's compiler failed: {done.stderr.strip()[-2000:]}")
    return done.stderr
