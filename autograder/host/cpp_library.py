"""Makes the C++ library for programs: libc++, libc++abi, libunwind and compiler_rt, of the sources in ziglang's wheel.

`zig c++` would make them, too, but optimizes them, and makes a C library to link with: that takes minutes. Ours is made
of few large texts and hardly optimized, and programs use the C library that Python runs with.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ..compiler.cache import cache_folder, digest, keeping, lock, mark_used
from ..compiler.clang import ASSEMBLE, EXCEPTIONS, LINUX, STATIC
from ..compiler.emulator_runtime import c_library
from ..compiler.system_headers import FLAG_FILES, header_flags, unwind_header_flags, wheel_library
from ..compiler.zig import FEW_THREADS, build
from ..errors import GraderFault

_PART = [*LINUX, *STATIC, *"-w -ffunction-sections -fdata-sections -DNDEBUG".split()]
_LIBCXX = [
    *EXCEPTIONS,
    *"-emit-obj -x c++ -std=c++23 -faligned-allocation".split(),
    *"-D_LIBCPP_BUILDING_LIBRARY -DLIBCXX_BUILDING_LIBCXXABI".split(),
    *"-D_LIBCPP_HAS_NO_PRAGMA_SYSTEM_HEADER -DLIBC_NAMESPACE=__llvm_libc_common_utils".split(),
    # Without what only programs made with older headers call: its definitions keep files from being one text.
    "-D_LIBCPP_AVAILABILITY_MINIMUM_HEADER_VERSION=6",
]
_LIBCXXABI = "-D_LIBCXXABI_BUILDING_LIBRARY -DHAVE___CXA_THREAD_ATEXIT_IMPL".split()
_UNWIND = "-O1 -fno-rtti -D_LIBUNWIND_IS_NATIVE_ONLY".split()
#: About half of libc++, by the time that it takes.
_STREAMS = """
charconv fstream ios ios.instantiations iostream locale memory ostream print string strstream system_error
""".split()
#: What does not go together with the other files, and what no program made with these headers calls.
_ALONE, _UNUSED = ["condition_variable_destructor"], ["mutex_destructor", "cxa_noexception"]
#: libunwind's parts, each with the flags of its language.
_UNWIND_PARTS = {
    "libunwind.cpp": "-emit-obj -x c++".split(),
    "UnwindLevel1.c": "-emit-obj -x c".split(),
    "UnwindLevel1-gcc-ext.c": "-emit-obj -x c".split(),
}
_UNWIND_ASSEMBLY = ("UnwindRegistersRestore", "UnwindRegistersSave")


def library_is_built() -> bool:
    """Whether this machine has the C++ library for programs; the first program makes it."""
    return (_home() / "ready").exists()


def build_library() -> list[Path]:
    """The library's objects, built once for each version of them.

    Raises:
        GraderFault: it does not compile, or cannot be kept.
    """
    home = _home()
    if not library_is_built():
        with keeping(), lock(cache_folder() / "host-library.lock"):
            if not library_is_built():
                shutil.rmtree(home, ignore_errors=True)
                home.mkdir(parents=True)
                _build(home)
                (home / "ready").touch()
    mark_used(home / "ready")
    return sorted(home.glob("*.o"))


@cache  # where notebooks are graded, /proc is closed, and forks inherit this
def system_libraries() -> tuple[Path, ...]:
    """The C library that Python runs with, and its parts; before glibc 2.34, threads have a file of their own."""
    names = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")
    return tuple(path for path in map(c_library().with_name, names) if path.exists())


def compile_parts(commands: Sequence[Sequence[str | Path]], home: Path) -> None:
    """Run the compiler in `home` once for each of `commands`, two at a time.

    Raises:
        GraderFault: one of them failed.
    """
    with ThreadPoolExecutor(2) as both:
        for _ in both.map(lambda command: build(command, home, "The runtime for programs"), commands):
            pass
    shutil.rmtree(home / "zig", ignore_errors=True)


def _home() -> Path:
    parts = (Path(__file__), *FLAG_FILES)
    return cache_folder() / "host-library" / digest(*(p.read_bytes() for p in parts), version("ziglang"))


def _build(home: Path) -> None:
    lib = wheel_library()
    cpp, abi, unwind = (lib / name / "src" for name in ("libcxx", "libcxxabi", "libunwind"))
    own = [f"-I{folder}" for folder in (cpp, lib / "libcxx/libc", abi)]
    libcxx = ["clang", *_PART, *header_flags(), *own, *_LIBCXX]
    files = [*cpp.glob("*.cpp"), *(cpp / "filesystem").glob("*.cpp"), *(cpp / "ryu").glob("*.cpp")]
    files = [file for file in files if file.stem not in (*_ALONE, *_UNUSED)]
    texts = {
        "rest": [file for file in files if file.stem not in _STREAMS],
        "streams": [file for file in files if file.stem in _STREAMS],
        "abi": [file for file in abi.glob("*.cpp") if file.stem not in _UNUSED],
        **{name: [cpp / f"{name}.cpp"] for name in _ALONE},
    }
    commands: list[list[str | Path]] = []
    for name, parts in texts.items():
        (home / f"{name}.cpp").write_text("".join(f'#include "{part}"\n' for part in sorted(parts)))
        # Sorting and strings are worth the optimizer's time.
        flags = ["-O1" if name == "rest" else "-O0", *(_LIBCXXABI if name == "abi" else ())]
        commands.append([*libcxx, *flags, f"{name}.cpp", "-o", f"{name}.o"])
    commands.append(_compiler_rt(home))
    flags = [*_PART, *_UNWIND, *unwind_header_flags()]
    for part, made in _UNWIND_PARTS.items():
        commands.append(["clang", *flags, *made, unwind / part, "-o", f"{Path(part).stem}.o"])
    for name in _UNWIND_ASSEMBLY:
        commands.append(["clang", *flags, "-E", "-x", "assembler-with-cpp", unwind / f"{name}.S", "-o", f"{name}.s"])
    compile_parts(commands, home)
    compile_parts([["clang", *ASSEMBLE, f"{name}.s", "-o", f"{name}.o"] for name in _UNWIND_ASSEMBLY], home)


def _compiler_rt(home: Path) -> list[str | Path]:
    """The command for compiler_rt, without what the C library has: its functions would come before the C library's,
    for the C library itself, too."""
    text = (wheel_library() / "compiler_rt.zig").read_text()
    changes = {
        "if (!builtin.is_test) @export": "if (name[0] == '_') @export",
        '_ = @import("compiler_rt/ssp.zig");': "",  # __memcpy_chk and its like
    }
    for old, new in changes.items():
        if old not in text:
            raise GraderFault("compiler_rt in ziglang's wheel is not as expected.")
        text = text.replace(old, new)
    (home / "compiler_rt.zig").write_text(text)
    (home / "compiler_rt").symlink_to(wheel_library() / "compiler_rt")
    # zig's own code generator, which is fast, not LLVM
    flags = "-target x86_64-linux-gnu -ODebug -fno-llvm -fstrip --name compiler_rt".split()
    return ["build-obj", FEW_THREADS, "compiler_rt.zig", *flags]
