"""Builds the runtime that is linked into each program, and its headers, once for each version of them."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ...compiler.cache import SEAL, build_once, cache_folder, copy_tree, digest, mark_used
from ...compiler.clang import EXCEPTIONS, LINUX, STATIC
from ...compiler.emulator_runtime import EMULATOR, runtime_key
from ...compiler.kernel_flags import TO_PCH
from ...compiler.protocol_header import write_headers
from ...compiler.system_headers import header_flags
from ...compiler.zig import build
from .cpp_library import compile_objects

HERE = Path(__file__).parents[1]
#: Processor time for one step.
SECONDS = 120
#: Headers of libraries, which an answer does not find.
LIBRARIES, OF_LIBRARIES = HERE / "libraries" / "include", "libraries"
#: The file that includes what precedes each CUDA file, and the folder of what is made of it.
FIRST, FIRSTS = "include/first.h", "first"
COMMON = [*LINUX, *STATIC, *"-w -fno-caret-diagnostics -ferror-limit 3".split()]
# -O1 keeps lines; a call by a jump would have none. nvcc has the host's half compiled without any optimization, which
# programs rely on where they overflow or read bits as another type.
CODE = "-O1 -fno-optimize-sibling-calls -fwrapv -relaxed-aliasing".split()
_OBJECT = "-emit-obj -x c++".split()
_PART = [*COMMON, *EXCEPTIONS, "-std=c++17"]
_SANDBOX = [*COMMON, *"-x c++ -std=c++17 -ffreestanding -fno-builtin -O1 -emit-obj".split()]
#: What `first_macros` needs to be a macro, so that it says which headers have been read.
_ONCE = "#pragma once\n"
#: Headers of CUDA's that have nothing but what `cuda_runtime.h` has.
_SAME = """
builtin_types.h crt/device_functions.h crt/host_defines.h cuda_device_runtime_api.h cuda_profiler_api.h
device_atomic_functions.h device_functions.h device_launch_parameters.h device_types.h host_defines.h math_functions.h
sm_20_intrinsics.h sm_30_intrinsics.h sm_32_intrinsics.h sm_60_atomic_functions.h sm_61_intrinsics.h
surface_types.h texture_types.h vector_functions.h
""".split()
#: Headers of kernels' that the C++ library has for both halves; of some, kernels have functions besides.
_OF_LIBRARY = ["algorithm", "cmath", "iosfwd", "limits", "type_traits", "utility"]
_BESIDES = ["algorithm", "cmath", "utility"]


def runtime() -> Path:
    """Return the folder of our runtime's objects and headers. Its name says which version it is of."""
    return _built(cache_folder())


def runtime_is_built() -> bool:
    """Return whether this machine has our runtime; the first file that is read makes it."""
    return (_home(cache_folder()) / SEAL).exists()


def sandbox() -> Path:
    """Return the program that starts another one in a sandbox (`sandbox/sandbox.cpp`)."""
    return runtime() / "sandbox" / "sandbox"


@cache
def _home(folder: Path) -> Path:
    parts = sorted(
        [
            *HERE.rglob("*.h"),
            *HERE.rglob("*.[ch]pp"),
            *HERE.glob("*.py"),
            *HERE.glob("building/*.py"),
            *HERE.glob("include/*"),
        ]
    )
    key = digest(*(p.read_bytes() for p in parts), runtime_key(), sys.executable)
    return folder / "host" / key


@cache
def _built(folder: Path) -> Path:
    home = _home(folder)
    build_once(home, _build)
    mark_used(home)
    return home


def _build(home: Path) -> None:
    include = home / "include"
    shutil.rmtree(include, ignore_errors=True)  # of an interrupted build, whose complete objects stay
    copy_tree(EMULATOR / "include", include)
    for header in _OF_LIBRARY:
        (include / header).unlink()
    (include / "besides").mkdir()
    for header in _BESIDES:
        (include / "besides" / header).write_bytes((EMULATOR / "include" / header).read_bytes())
    for part in [*EMULATOR.glob("prelude*.h"), *(HERE / "include").iterdir()]:
        (include / part.name).write_bytes(part.read_bytes())
    copy_tree(LIBRARIES, home / OF_LIBRARIES)
    write_headers(home)
    (home / "prelude_protocol.h").rename(include / "prelude_protocol.h")
    for name in _SAME:
        (include / name).parent.mkdir(parents=True, exist_ok=True)
        (include / name).write_text("#include <cuda_runtime.h>\n")
    (include / "first.h").write_text("#include <cuda_runtime.h>\n")
    for path in include.rglob("*"):
        if path.is_file() and _ONCE in (text := path.read_text(encoding="utf-8")):
            was_read = f"EMU_{re.sub(r'[^A-Z0-9]', '_', str(path.relative_to(include)).upper())}"
            text = text.replace(_ONCE, f"#ifndef {was_read}\n#define {was_read}\n", 1)
            path.write_text(f"{text}#endif\n", encoding="utf-8")
    (home / "python.h").write_text(f'#define PYTHON R"path({sys.executable})path"\n', encoding="utf-8")
    # In one text, all but what must not see every header: the headers take most of the time.
    parts = [part for part in (HERE / "runtime").glob("*.cpp") if part.name != "start.cpp"]
    (home / "runtime.cpp").write_text("".join(f'#include "{part}"\n' for part in sorted(parts)), encoding="utf-8")
    folders: list[str | Path] = ["-isystem", include, *header_flags(), f"-I{home}"]
    compile_objects(
        {
            **{
                f"{text.stem}.o": [["clang", *_PART, *folders, *CODE, *_OBJECT, text, "-o", f"{text.stem}.o"]]
                for text in (home / "runtime.cpp", HERE / "runtime" / "start.cpp")
            },
            "sandbox": [
                ["clang", *_SANDBOX, *header_flags(), HERE / "sandbox" / "sandbox.cpp", "-o", "sandbox.bare"],
                ["ld.lld", "-static", "-z", "noexecstack", "sandbox.bare", "-o", "sandbox"],
            ],
        },
        home,
    )


def first_header(flags: Sequence[str]) -> list[str]:
    """Return flags that put before a file what nvcc does, precompiled: so it is not read with every compilation. The
    file is compiled with `flags`, which describe the language completely.

    Raises:
        GraderFault: it does not compile.
    """
    # Otherwise each file instantiates what templates are used there, which takes longer than the rest.
    made = _first([*flags, "-fpch-instantiate-templates", *TO_PCH], "first.pch")
    return ["-include-pch", str(made / "first.pch")]


def first_macros(flags: Sequence[str]) -> list[str]:
    """Return the same for the preprocessor, which reads nothing that is precompiled: its macros. Those of headers that
    have been read keep these from being read again."""
    made = _first([*flags, "-E", "-dM"], "first_macros.h")
    return ["-isystem", str(made), "-include", "first_macros.h"]


def _first(flags: Sequence[str], name: str) -> Path:
    home = runtime()
    found = ["-isystem", str(home / "include"), *header_flags()]

    def make(folder: Path) -> None:
        command: list[str | Path] = ["clang", *flags, *found, "-x", "cuda", home / FIRST, "-o", name]
        build(command, folder, "What precedes each CUDA file")

    return build_once(home / FIRSTS / digest(*flags, *found), make)
