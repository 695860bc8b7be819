"""Runs clang on a text, and tells a text that it rejects from a compiler that fails.

All calls run clang's compiler or assembler itself (-cc1, -cc1as), not its driver. The driver looks around on the
machine for CUDA, GCC, configuration files and the distribution's name, and passes on what it finds; without it, a
compilation has the flags and the headers that this package names, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from . import zig
from .canary import machine_fault

#: Where a message from the compiler is.
PLACE = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):", re.M)
#: An error message from the compiler; with `RANGES`, it may say which part of the file it is about.
ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+):(?:\{(?P<range>[\d:-]+)\}[^ ]*:)? "
    r"(?:fatal )?error: (?P<text>.*)$",
    re.M,
)
RANGES = "-fdiagnostics-print-source-range-info"

#: What each compilation has, as the driver would add it; and no headers but those that other flags name.
CC1 = [
    *"-cc1 -disable-free -clear-ast-before-backend -disable-llvm-verifier -discard-value-names".split(),
    *"-ffp-contract=on -fno-rounding-math -mconstructor-aliases -fgnuc-version=4.2.1".split(),
    *"-nostdsysteminc -nobuiltininc -nostdinc++".split(),
]
_X86 = "-target-cpu x86-64 -mframe-pointer=all -funwind-tables=2 -fdwarf2-cfi-asm -debugger-tuning=gdb".split()
#: For each file of native code but what a kernel becomes.
LINUX = [*CC1, *_X86, *"-triple x86_64-unknown-linux-gnu -tune-cpu generic -fmath-errno -faddrsig".split()]
FUCHSIA = [*CC1, *_X86, *"-triple x86_64-unknown-fuchsia -enable-tlsdesc".split()]
#: For a kernel's first step. The architecture decides which of CUDA's features there are, and is the newest that all of
#: them need; macros tell a text that it is another.
NVPTX = [
    *CC1,
    *"-triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -aux-target-cpu x86-64".split(),
    *"-target-cpu sm_90 -target-feature +ptx83 -target-sdk-version=12.9 -fcuda-is-device -x cuda".split(),
    *"-mframe-pointer=all -funwind-tables=2 -fdwarf2-cfi-asm -debugger-tuning=gdb -fmath-errno".split(),
]
WASM = [
    *CC1,
    *"-triple wasm64-freestanding -target-cpu generic -target-feature +bulk-memory -fvisibility=hidden".split(),
    *"-mrelocation-model static -mframe-pointer=none".split(),
]
ASSEMBLE = "-cc1as -triple x86_64-unknown-linux-gnu -target-cpu x86-64 -filetype obj".split()
#: For code that may be loaded anywhere: in a library, and in an executable.
PIC = "-mrelocation-model pic -pic-level 2 -fhalf-no-semantic-interposition".split()
PIE = "-mrelocation-model pic -pic-level 2 -pic-is-pie".split()
STATIC = "-mrelocation-model static".split()
EXCEPTIONS = "-fcxx-exceptions -fexceptions".split()


def clang(arguments: Sequence[str], folder: Path) -> str | None:
    """Run the compiler in `folder`; its messages if it rejected the text, None if not."""
    accepted, log = messages_of(arguments, folder)
    return None if accepted else log


def messages_of(arguments: Sequence[str], folder: Path) -> tuple[bool, str]:
    """Run the compiler in `folder`: whether it accepted the text, and its messages."""
    refusal = "kernel.cu:1:1: error: the compiler gave up on this text: it {}\n"
    seconds = zig.COMPILE_SECONDS
    done = zig.run([zig.executable(), "clang", *arguments], folder, seconds=seconds)
    if done.returncode == 0:
        return True, done.stderr
    if not ERROR.search(done.stderr):
        zig.require_share(done.returncode, folder)
    if done.returncode in zig.TOOK_TOO_LONG:
        return False, refusal.format(f"was still busy after {seconds} seconds")
    if done.returncode in zig.WROTE_TOO_MUCH or re.search(r"out of memory|bad_alloc|File too large", done.stderr):
        return False, refusal.format("needs too much memory")
    if done.returncode in zig.BROKE_DOWN:  # it has compiled the prelude, so it is the text
        return False, refusal.format("broke down; try it without your last changes")
    if not ERROR.search(done.stderr):
        raise machine_fault(f"it failed ({done.returncode}): {done.stderr.strip()[-2000:]}")
    return False, done.stderr
