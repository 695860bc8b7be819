"""Builds the emulator's own parts, the program that runs kernels and the precompiled prelude, once for each
version of their sources; a cache keeps them."""

from __future__ import annotations

import itertools
import platform
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ..errors import GraderFault, MachineFault
from ..source.text import LIBRARY_HEADERS
from .cache import build_once, cache_folder, copy_tree, digest, forget_old, mark_used, open_cache
from .clang import LINUX, PIC, PIE, clang
from .engine import native_problem
from .kernel_flags import HEAVY, KERNEL, TO_PCH, Runtime, prelude_of
from .observer_list import registered_observers, write_observer_list
from .protocol_header import write_headers
from .reserved import HEADER, reserved_header
from .system_headers import header_flags
from .zig import build, problem

COMPILER = Path(__file__).parent
EMULATOR = COMPILER.with_name("emulator")

_HOOKS = [
    *LINUX,
    *PIC,
    *"-x c++ -std=c++20 -fno-rtti -O1 -relaxed-aliasing -emit-llvm-bc".split(),
]
#: (An observer takes all parameters of an event, and may need few.)
WARNINGS = "-Wall -Wextra -Wno-unused-parameter -Werror".split()
# Only what a kernel may call is visible to it.
_RUNNER = [
    *LINUX,
    *PIE,
    *"-x c++ -std=c++20 -fno-rtti -DNDEBUG -O2 -vectorize-loops -vectorize-slp".split(),
    *"-fvisibility=hidden -disable-red-zone -emit-obj".split(),
    *WARNINGS,
]
_START = [*LINUX, *PIE, *"-x c -emit-obj".split()]
_LINK = [
    *"ld.lld -pie --export-dynamic --as-needed -z relro -z now -z noexecstack".split(),
    *"--dynamic-linker /lib64/ld-linux-x86-64.so.2".split(),
]


def build_runtime() -> Runtime:
    """Build the runner, the precompiled prelude, and the header folder, unless they are in the cache.

    Raises:
        MachineFault: this machine cannot emulate. GraderFault: the build failed.
    """
    return _built(cache_folder())


@cache
def _built(cache: Path) -> Runtime:
    trouble = problem()
    if trouble:
        raise MachineFault(trouble)
    open_cache(cache)
    key = runtime_key()
    home = cache / "runtime" / key
    runner, prelude, headers = home / "emu-run", home / "prelude.pch", home / "include"
    runtime = Runtime(runner, prelude, headers, home / "hooks.bc", home / "counting.bc", key)
    build_once(home, _build)
    mark_used(home)
    forget_old(cache)
    return runtime


@cache  # a program's runtime asks, too
def runtime_key() -> str:
    """Names everything that a cached module depends on, this package's compiler included, and the C library that the
    runner links to, because machines with different ones may share a home folder."""
    parts = sorted(p for p in EMULATOR.rglob("*") if p.is_file())
    parts += [
        *registered_observers(),
        *sorted(COMPILER.rglob("*.py")),
        *(COMPILER.parent / name for name in ("source/text.py", "core/protocol.py")),
    ]
    return digest(*(p.read_bytes() for p in parts), version("ziglang"), platform.libc_ver()[1])


def _build(home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    write_headers(home)
    with ThreadPoolExecutor() as both:
        parts = [both.submit(build, home) for build in (_build_prelude, _build_hooks)]
        if native_problem() is None:  # the runtime for WebAssembly is built with the first kernel
            parts.append(both.submit(build_runner, EMULATOR, home))
        for part in parts:
            part.result()


def _build_prelude(home: Path) -> None:
    # In place: a precompiled header remembers the path and date of its source, so the source must be a
    # copy that stays, not a file in a checkout that may disappear.
    headers = home / "include"
    copy_tree(EMULATOR / "include", headers)  # CUDA's own headers, as text: only texts that include them pay
    for header in LIBRARY_HEADERS:  # the prelude declares what they would
        (headers / header).touch()
    for part in EMULATOR.glob("prelude*.h"):
        shutil.copy(part, home)
    texts = [path for path in (*home.glob("prelude*.h"), *headers.rglob("*")) if path.is_file()]
    (headers / HEADER).write_text(reserved_header(path.read_text(encoding="utf-8") for path in texts))
    log = clang([*KERNEL, *TO_PCH, str(home / "prelude.h"), "-o", "prelude.pch"], home)
    if log is not None:
        raise GraderFault(f"The emulator's prelude does not compile: {log}")


def _build_hooks(home: Path) -> None:
    """Build the code that is compiled into each kernel: as LLVM bitcode, and without debug information, so that it
    takes the source position of the access that follows it."""
    for flags in (["-o", "hooks.bc"], ["-DONLY_COUNTS", "-o", "counting.bc"]):
        log = clang([*_HOOKS, *includes(EMULATOR), str(EMULATOR / "inlined/inline_hooks.cpp"), *flags], home)
        if log is not None:
            raise GraderFault(f"The emulator's hooks do not compile: {log}")


def includes(source: Path) -> list[str]:
    """Flags for the compiler to find headers: protocol.h in its current folder, the others in `source`."""
    return ["-I", ".", "-I", str(source)]


def build_unchecked_runner(runtime: Runtime) -> Path:
    """The runner without observers, built on first use. Raises as `build_runner`."""
    home = runtime.prelude.parent

    def build(folder: Path) -> None:
        build_runner(EMULATOR, folder, "emu-run", "-DUNCHECKED", "-I", str(home))

    return build_once(home / "unchecked", build) / "emu-run"


def build_runner(source: Path, home: Path, name: str = "emu-run", *flags: str) -> None:
    """Compile the runner in `source`, and link it to the C library that Python runs with. (zig
    would make one of its own to link with, which takes three times as long as all the rest.)

    Args:
        home: a folder with the headers of `write_headers`; afterwards with the runner by its `name`.
        flags: more of the compiler's.

    Raises:
        GraderFault: it does not build. UsageError: as `write_observer_list`.
    """
    write_observer_list(home, source)
    libraries = [c_library().with_name(name) for name in ("libc.so.6", "libdl.so.2", "libm.so.6")]
    commands: list[list[str | Path]] = [
        ["clang", *_RUNNER, *flags, *includes(source), *header_flags(), source / "main.cpp", "-o", "main.o"],
        ["clang", *_START, source / "platform/linux/start.c", "-o", "start.o"],
        [*_LINK, "start.o", "main.o", *libraries, "-o", name],
    ]
    for command in commands:
        build(command, home, "The emulator's runtime")


def c_library() -> Path:
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        raise MachineFault("This machine's /proc is missing, by which the C library is found: mount it.") from None
    for line in maps.splitlines():
        # before glibc 2.34, the file is libc-2.31.so, and libc.so.6 is a link to it
        if found := re.search(r" (/.*/libc(-[\d.]+)?\.so(\.6)?)$", line):
            return Path(found[1])
    raise GraderFault("The C library that Python runs with was not found, so the emulator cannot be built.")


def build_preludes() -> None:
    """Build every prelude that a text may need, for processes that must not write to the cache.

    Raises: as `build_runtime`, and GraderFault: the headers do not compile.
    """
    for count in range(1, len(HEAVY) + 1):
        for headers in itertools.combinations(HEAVY, count):
            prelude_of(build_runtime(), " ".join(headers))
