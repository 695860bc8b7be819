"""Special builds of the emulator's runtime: with checks of itself, or counting which of its lines run. Needs g++. Such
a build has no sandbox: it is only for kernels of this repository."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from autograder.cuda.compiler.emulator_runtime import EMULATOR
from autograder.cuda.compiler.observer_list import write_observer_list
from autograder.cuda.compiler.protocol_header import write_headers

#: Put before the runtime's one translation unit. The sandbox would stop what the checks need, from the file of a
#: coverage count to the terabytes of address space of AddressSanitizer's shadow.
_BEFORE = """\
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#define setrlimit(what, limit) 0
#define IS_SEAL(option) ((option) == PR_SET_SECCOMP || (option) == PR_SET_NO_NEW_PRIVS)
#define prctl(option, ...) (IS_SEAL(option) ? 0 : prctl(option, __VA_ARGS__))
"""
# As on an older Linux, which has no guards within a mapping: the ordinary runner is tested with them if they exist.
_OLDER = """\
#include <sys/mman.h>
#define madvise(...) -1
"""
_SANITIZED = """\
#include <sanitizer/asan_interface.h>
// The runtime's own signal handlers are what is to be tested; threads run on stacks of the runtime's own.
extern "C" const char* __asan_default_options() {
    return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:use_sigaltstack=0:detect_leaks=0:"
           "detect_stack_use_after_return=0:abort_on_error=0:exitcode=99";
}
// It would unmark the frames that are left over, but knows none of our stacks, and says so: begin_stack unmarks them.
extern "C" void __asan_handle_no_return() {}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1:exitcode=99"; }
"""
_COVERED = """\
extern "C" void __gcov_dump();
#define _exit(status) (__gcov_dump(), _exit(status))
"""
#: What differs in the sanitized runtime, by file: before -> after. Each "before" must be there once.
_CHANGES = {
    # The pool hands out slices of larger pieces, where no check would find an overflow from one to the next.
    "launch/allocate.h": ("static void* allocate(u64 bytes) {", " if (bytes) return calloc(1, bytes);"),
    # A thread that has ended leaves its frames, marked as in use; the next one begins on the same stack.
    "platform/linux/stacks.h": (
        "static Stack begin_stack(u32 i, void (*entry)()) {",
        " __asan_unpoison_memory_region(stacks + i * (STACK_BYTES + GUARD_BYTES) + GUARD_BYTES, STACK_BYTES);",
    ),
}


def missing() -> str:
    """What this machine lacks to build one; empty if nothing."""
    return "" if shutil.which("g++") else "no g++"


def sanitized(folder: Path) -> Path:
    """The runner with AddressSanitizer and UndefinedBehaviorSanitizer. Either ends it with a status of its own, and
    the message on stderr."""
    source = _copied(folder)
    for name, (head, more) in _CHANGES.items():
        text = (source / name).read_text()
        assert text.count(head) == 1, f"{name} has changed: {head}"
        (source / name).write_text(text.replace(head, head + more))
    flags = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    return _built(source, _BEFORE + _OLDER + _SANITIZED, flags)


def covered(folder: Path) -> Path:
    """The runner that counts how often each of its lines runs, for gcov."""
    return _built(_copied(folder), _BEFORE + _COVERED, ["-O1", "--coverage", "-fprofile-update=atomic"])


def _copied(folder: Path) -> Path:
    source = Path(shutil.copytree(EMULATOR, folder / "emulator"))
    write_headers(source)
    write_observer_list(source, source)
    return source


def _built(source: Path, before: str, flags: Sequence[str]) -> Path:
    (source / "special.cpp").write_text(f'{before}#include "main.cpp"\n')
    command = ["g++", "-std=c++20", "-g", "-w", "-fno-exceptions", "-fno-rtti", "-fno-omit-frame-pointer"]
    command += ["-mno-red-zone", "-rdynamic", "-I", "."]
    done = subprocess.run(
        [*command, *flags, "special.cpp", "-o", "emu-run", "-ldl", "-lm"], cwd=source, capture_output=True, text=True
    )
    assert not done.returncode, done.stderr
    return source / "emu-run"
