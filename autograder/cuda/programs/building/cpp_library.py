"""Makes the C++ library for programs: libc++, libc++abi, libunwind and compiler_rt, of the sources in ziglang's wheel.

`zig c++` would make them, too, but optimizes them, and makes a C library to link with: that takes minutes. Ours is made
of few large sources and hardly optimized, and programs use the C library that Python runs with. It is made in steps:
first what every program needs, and the rest when a program needs it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ...compiler.cache import cache_folder, digest, is_whole, keeping, lock, mark_used, seal
from ...compiler.clang import ASSEMBLE, EXCEPTIONS, LINUX, STATIC
from ...compiler.emulator_runtime import c_library
from ...compiler.system_headers import FLAG_FILES, header_flags, unwind_header_flags, wheel_library
from ...compiler.zig import FEW_THREADS, build
from ...errors import GraderFault

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
#: Sources of libc++ that are compiled as one: the headers take most of the time.
_SOURCES = {
    "core": """
call_once condition_variable error_category exception functional future hash memory mutex new new_handler new_helpers
stdexcept string system_error thread typeinfo vector verbose_abort
""",
    "streams": "fstream ios ios.instantiations iostream locale ostream print strstream",
    "clocks": "atomic barrier chrono random random_shuffle shared_mutex valarray",
    "sort": "algorithm",
    # Does not go together with the other sources.
    "condition_variable_destructor": "condition_variable_destructor",
}
#: Strings and sorting are worth the optimizer's time.
_OPTIMIZED = ("core", "sort")
#: No program made with these headers calls it.
_UNUSED = ("mutex_destructor", "cxa_noexception")
#: libunwind's sources, each with the flags of its language.
_UNWIND_SOURCES = {
    "libunwind.cpp": "-emit-obj -x c++".split(),
    "UnwindLevel1.c": "-emit-obj -x c".split(),
    "UnwindLevel1-gcc-ext.c": "-emit-obj -x c".split(),
}
_UNWIND_ASSEMBLY = ("UnwindRegistersRestore", "UnwindRegistersSave")


def _stem(source: str) -> str:
    return source.rpartition(".")[0]


#: The library's objects, in the steps in which they are made: for every program, for many, and for few.
_STEPS = (
    ("core", "abi", "condition_variable_destructor", *map(_stem, _UNWIND_SOURCES), *_UNWIND_ASSEMBLY),
    ("streams", "clocks", "sort"),
    ("rest", "compiler_rt"),
)


def library_is_begun() -> bool:
    """Return whether this machine has what every program needs of the C++ library; the first program makes it."""
    return _are_made(_STEPS[0])


def growing_library() -> Iterator[list[Path]]:
    """Yield the objects of the library that this machine has, at least those that every program needs; when the caller
    needs more, make more of them, and yield all again.

    Raises:
        GraderFault: it does not compile, or cannot be cached.
    """
    made: list[Path] = []
    for number, names in enumerate(_STEPS, 1):
        _make(names)
        made += map(_object, names)
        if number == len(_STEPS) or not _are_made(_STEPS[number]):
            mark_used(_home())  # by whose date `forget_old` knows
            yield made


def build_library() -> None:
    """Make all of the library. Raises as `growing_library`."""
    for _ in growing_library():
        pass


@cache  # where notebooks are graded, /proc is closed, and forks inherit this
def system_libraries() -> tuple[Path, ...]:
    """Return the C library that Python runs with, and its parts; before glibc 2.34, threads have a file of their
    own."""
    names = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")
    return tuple(path for path in map(c_library().with_name, names) if path.exists())


def compile_objects(commands: Mapping[str, Sequence[Sequence[str | Path]]], home: Path) -> None:
    """Run the commands for each file of `commands`, which make it in their current folder, for two files at a time. The
    folder becomes `home/<file>` when the file is complete, so that an interrupted build continues; one that is there,
    and not damaged, is left as it is. Call this in one process at a time.

    Raises:
        GraderFault: one of them failed.
    """

    def make(name: str) -> None:
        if is_whole(home / name):
            return
        folder = home / f"{name}.making"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for command in commands[name]:
            build(command, folder, "The runtime for programs")
        seal(folder)
        shutil.rmtree(home / name, ignore_errors=True)
        folder.rename(home / name)

    with ThreadPoolExecutor(2) as both:
        for _ in both.map(make, commands):
            pass


def _home() -> Path:
    return cache_folder() / "host-library" / _key()


@cache
def _key() -> str:
    return digest(*(part.read_bytes() for part in (Path(__file__), *FLAG_FILES)), version("ziglang"))


def _object(name: str) -> Path:
    return _home() / f"{name}.o" / f"{name}.o"


def _are_made(names: Sequence[str]) -> bool:
    return all(is_whole(_object(name).parent) for name in names)


def _make(names: Sequence[str]) -> None:
    if _are_made(names):
        return
    with keeping(), lock(cache_folder() / "host-library.lock"):
        _home().mkdir(parents=True, exist_ok=True)
        compile_objects({f"{name}.o": _commands(name) for name in names}, _home())


def _commands(name: str) -> list[list[str | Path]]:
    """Return what makes an object, one after the other."""
    lib, made = wheel_library(), ["-o", f"{name}.o"]
    cpp, abi, unwind = (lib / part / "src" for part in ("libcxx", "libcxxabi", "libunwind"))
    flags = [*_PART, *_UNWIND, *unwind_header_flags()]
    if name in _UNWIND_ASSEMBLY:
        whole: list[str | Path] = [
            "clang",
            *flags,
            "-E",
            "-x",
            "assembler-with-cpp",
            unwind / f"{name}.S",
            "-o",
            f"{name}.s",
        ]
        return [whole, ["clang", *ASSEMBLE, f"{name}.s", *made]]
    for source, language in _UNWIND_SOURCES.items():
        if name == _stem(source):
            return [["clang", *flags, *language, unwind / source, *made]]
    if name == "compiler_rt":
        return [_compiler_rt()]
    if name == "abi":
        sources = list(abi.glob("*.cpp"))
    elif name == "rest":
        others = {other for names in _SOURCES.values() for other in names.split()}
        sources = [file for folder in (".", "filesystem", "ryu") for file in (cpp / folder).glob("*.cpp")]
        sources = [file for file in sources if file.stem not in others]
    else:
        sources = [cpp / f"{source}.cpp" for source in _SOURCES[name].split()]
    text = _home() / f"{name}.cpp"
    text.write_text("".join(f'#include "{file}"\n' for file in sorted(sources) if file.stem not in _UNUSED))
    flags = ["-O1" if name in _OPTIMIZED else "-O0", *(_LIBCXXABI if name == "abi" else ())]
    folders = [f"-I{folder}" for folder in (cpp, lib / "libcxx/libc", abi)]
    return [["clang", *_PART, *header_flags(), *folders, *_LIBCXX, *flags, text, *made]]


def _compiler_rt() -> list[str | Path]:
    """Return the command for compiler_rt, without what the C library has: its functions would come before the C
    library's, for the C library itself, too."""
    text = (wheel_library() / "compiler_rt.zig").read_text()
    changes = {
        "if (!builtin.is_test) @export": "if (name[0] == '_') @export",
        '_ = @import("compiler_rt/ssp.zig");': "",  # __memcpy_chk and its like
    }
    for old, new in changes.items():
        if old not in text:
            raise GraderFault("compiler_rt in ziglang's wheel is not as expected.")
        text = text.replace(old, new)
    source = _home() / "compiler_rt.zig"
    source.write_text(text)
    source.with_suffix("").unlink(missing_ok=True)
    source.with_suffix("").symlink_to(wheel_library() / "compiler_rt")
    # zig's own code generator, which is fast, not LLVM
    flags = "-target x86_64-linux-gnu -ODebug -fno-llvm -fstrip -femit-bin=compiler_rt.o".split()
    return ["build-obj", FEW_THREADS, source, *flags]
