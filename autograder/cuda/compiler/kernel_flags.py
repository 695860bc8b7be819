"""The flags for a kernel's source, and the precompiled prelude before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import GraderFault
from ..source.text import library_headers
from .cache import build_once
from .clang import EXCEPTIONS, NVPTX, PIC, clang
from .reserved import HEADER

#: Flags for a kernel's first step, from text to LLVM IR; the precompiled prelude must be built with the same flags.
KERNEL = [
    *NVPTX,
    *PIC,
    # (limited: with the members of classes whose constructors nobody calls here, for `kernel_signature`)
    *"-std=c++20 -fdeprecated-macro -fno-rtti -O0 -debug-info-kind=limited -dwarf-version=4".split(),
    "-fno-cxx-modules",  # an import would look for files
    *"-Wno-everything -fdeclspec -relaxed-aliasing -fstrict-flex-arrays=3 -fdata-sections".split(),
    *"-fsanitize=thread,array-bounds,local-bounds".split(),
    *"-fsanitize-recover=array-bounds -fsanitize-merge=array-bounds".split(),
    # Otherwise long double has a width that we don't observe. A GPU has no long double either.
    "-mlong-double-64",
    # Extensions that NVIDIA's compiler lacks: a variable-length array can be anywhere in memory if its size is
    # negative, and a computed goto can jump anywhere. Also a value returned from a `void` function.
    # Of constants, a division by zero would be computed here, not found when it runs.
    *"-Werror=vla-extension -Werror=gnu-label-as-value -Werror=return-mismatch -Werror=division-by-zero".split(),
    # A verdict depends on no clock.
    "-Werror=date-time",
    # [[assume]], however it is spelled, would let the optimizer leave out checks.
    "-fno-assumptions",
    # Behavior that C++ leaves undefined but a GPU defines, or that students get wrong: the optimizer must keep it.
    *"-fwrapv -fno-finite-loops -fno-delete-null-pointer-checks -fno-optimize-sibling-calls".split(),
    "-fno-strict-float-cast-overflow",
    # (Filling a local array of megabytes, which we reject later anyway, would take the compiler seconds.)
    *"-ftrivial-auto-var-init=pattern -ftrivial-auto-var-init-max-size=1048576 -disable-O0-optnone".split(),
    *"-fno-caret-diagnostics -ferror-limit 5 -ftemplate-depth=200 -fconstexpr-steps=1000000".split(),
]
#: What a whole program may have that a kernel's text may not: its host's half is in the same text.
_NOT_OF_PROGRAMS = {"-std=c++20", "-fno-rtti", *(flag for flag in KERNEL if flag.startswith("-Werror="))}
#: The same for the half of a whole program that runs on the GPU; a standard is to be added.
PROGRAM = [
    *(f for f in KERNEL if f not in _NOT_OF_PROGRAMS),
    *EXCEPTIONS,
    *"-fcuda-allow-variadic-functions -fcheck-new -fno-assume-sane-operator-new".split(),  # it may return null
]
#: From a header to a precompiled one. (At the system's root, clang would look for the settings of an SDK.) What goes in
#: is in its key; the time at which somebody wrote a header is not, and reinstalling a package changes it.
TO_PCH = "-emit-pch -isysroot . -fno-pch-timestamp".split()


@dataclass(frozen=True)
class Runtime:
    """The emulator's own parts, built once for each version of them."""

    runner: Path
    prelude: Path
    headers: Path
    hooks: Path
    counting_hooks: Path
    key: str


#: Headers that take longer to parse (90 ms each) than the rest of a compilation takes.
HEAVY = ("cuda_bf16.h", "cuda_fp16.h", "mma.h")


def prelude_of(runtime: Runtime, source: str) -> Path:
    """Return the precompiled prelude for `source`. A text with heavy headers gets a prelude that contains them, built
    on first use; the text's own #include then has nothing left to read."""
    heavy = [header for header in HEAVY if header in source]
    heavy = ["mma.h"] if "mma.h" in heavy else heavy  # it includes the others
    if not heavy:
        return runtime.prelude
    if (
        not runtime.prelude.exists()
    ):  # in a page, which has it for the compiler alone: the text reads the headers itself
        return runtime.prelude

    def build(folder: Path) -> None:
        (folder / "prelude.h").write_text("".join(f'#include "{name}"\n' for name in ["../prelude.h", *heavy]))
        headers = runtime.headers.resolve()  # it remembers them, and a link, as `autograder mutate` makes, goes
        log = clang([*KERNEL, "-I", str(headers), *TO_PCH, "prelude.h", "-o", "prelude.pch"], folder)
        if log is not None:
            raise GraderFault(f"The emulator's headers do not compile: {log}")

    return build_once(runtime.prelude.with_name("-".join(["with", *heavy])), build) / "prelude.pch"


def typing_flags(runtime: Runtime, source: str, more: Sequence[str] = ()) -> list[str]:
    """Flags for LLVM IR that names the type of each copied struct. This takes a third of a second. The text can't tell
    this step from the other by a macro."""
    prelude = str(runtime.prelude.with_name("prelude.h"))
    return [*typing(KERNEL), "-include", prelude, *_headers(runtime, source, more), *_RESERVED]


def typing(flags: Sequence[str]) -> list[str]:
    """Return the flags of a first step so changed that LLVM IR names the type of each copied struct."""
    typed = "-O1 -new-struct-path-tbaa -U__OPTIMIZE__ -D__NO_INLINE__=1".split()
    return [*(flag for flag in flags if flag not in ("-O0", "-relaxed-aliasing")), *typed]


def optimizing_flags(runtime: Runtime, source: str, more: Sequence[str] = ()) -> list[str]:
    """Flags for optimized LLVM IR, with every loop written out that makes a known number of rounds."""
    plain = [f for f in KERNEL if f != "-O0" and not f.startswith(("-fsanitize", "-ftrivial-auto", "-fno-finite"))]
    prelude = str(runtime.prelude.with_name("prelude.h"))
    optimized = [*plain, *"-O3 -mllvm -unroll-threshold=20000".split(), "-include", prelude]
    return [*optimized, *_headers(runtime, source, more), *_RESERVED]


def kernel_flags(runtime: Runtime, source: str, more: Sequence[str] = ()) -> list[str]:
    """Flags for the first step of a kernel's text: to LLVM IR, after the prelude, the headers that the text includes,
    and `more` headers. So its macros, which may precede an #include, change no word of them."""
    return [*open_flags(runtime, source, more), *_RESERVED]


def open_flags(runtime: Runtime, source: str, more: Sequence[str] = ()) -> list[str]:
    """As `kernel_flags`, for a text that may use reserved names: what the prelude's macros expand to has some."""
    return [*KERNEL, "-include-pch", str(prelude_of(runtime, source)), *_headers(runtime, source, more)]


def _headers(runtime: Runtime, source: str, more: Sequence[str]) -> list[str]:
    # CUDA has textures without an #include.
    textures = ["texture_objects.h"] if re.search(r"\bcuda(?:Texture|Surface)Object_t\b", source) else []
    included = [*textures, *library_headers(source), *more]
    return ["-I", str(runtime.headers), *(flag for header in included for flag in ("-include", header))]


_RESERVED = ["-include", HEADER]
