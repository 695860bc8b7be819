"""Builds the emulator's runtime for WebAssembly, a module of its own whose memory each kernel's module shares, and the
math library that kernels are linked with."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

from ...errors import GraderFault
from ..cache import digest, keeping, lock, workplace
from ..emulator_runtime import EMULATOR
from ..kernel_flags import Runtime
from ..verifier.entries import runtime_entries
from ..zig import FEW_THREADS, executable, run
from .binary import BASE, KERNEL_BASE, MAX_MEMORY, exported_globals

#: What the runtime and a kernel tell each other in passing.
_WORDS = ("emu_index", "emu_running", "emu_shape", "emu_site", "emu_way")
_LINK = [
    *f"wasm-ld -mwasm64 --no-entry --global-base={BASE} -z stack-size=65536 --no-stack-first".split(),
    # A kernel's entry is put into place 1 of the table: see platform/wasm/kernel.h.
    *f"--export-memory=memory --export-table --table-base=2 --allow-undefined {MAX_MEMORY} -s".split(),
    *"--export=__stack_pointer --export=__heap_base".split(),
]
#: What a kernel calls besides the entries of the verifier: see retarget.py.
_CALLED = ("emu_frame", "emu_rounding", "emu_rounds_made")
_FREESTANDING = "-target wasm64-freestanding -O2 -mbulk-memory -fno-sanitize=all".split()
_RUNTIME = "-std=c++20 -fno-exceptions -fno-rtti -fno-builtin -Wall -Wextra -Werror -x c++ -c".split()
# (fma.c takes a single function of a header that there is for real processors only.)
_MATH = "-std=c99 -ffreestanding -nostdinc -Wno-everything -c -D_ATOMIC_H -Da_clz_64=__builtin_clzll".split()
#: Files of musl's math library that the compiler's own runtime library does not replace; its `fma` is wrong for
#: products that are subnormal numbers, or too large.
_MATH_FILES = (
    *"__math_divzero __math_divzerof __math_invalid __math_invalidf __math_oflow __math_oflowf".split(),
    *"__math_uflow __math_uflowf __math_xflow __math_xflowf __expo2 __expo2f exp_data exp2f_data pow".split(),
    *"pow_data powf powf_data".split(),
    *"acosh asinf asinh asinhf atan2 atan2f atanh atanhf sinh erf erff expm1 expm1f ilogb ilogbf j0 j0f j1 j1f".split(),
    *"jn jnf ldexp ldexpf lgamma lgamma_r lgammaf lgammaf_r llrint llrintf llround llroundf logb logbf".split(),
    *"nearbyint nearbyintf nextafter nextafterf remainder remainderf remquo remquof scalbln scalblnf".split(),
    *"scalbn scalbnf signgam tgamma tgammaf __sin __cos __sindf __cosdf fma".split(),
)


def build_runtime_module(runtime: Runtime) -> Path:
    """The runtime, built on first use.

    Raises:
        GraderFault: it does not build.
    """
    math = build_math_library(runtime)
    return _build(runtime, runtime.prelude.with_name("emulator.wasm"), partial(_build_runtime, math))


def shared_words(runtime: Runtime) -> dict[str, int]:
    """The addresses of the runtime's variables that a kernel reads and writes, by name."""
    places = exported_globals(build_runtime_module(runtime).read_bytes())
    return {word: places[word] for word in _WORDS}


def build_math_library(runtime: Runtime) -> Path:
    """The math library, which only depends on the compiler's version. Raises as `build_runtime_module`."""
    name = f"{digest(version('ziglang'), *_MATH_FILES)}.o"
    return _build(runtime, runtime.prelude.parents[2] / "wasm-math" / name, _build_math)


def _build(runtime: Runtime, target: Path, build: Callable[[Path, Path], str]) -> Path:
    """Let `build` make a file, whose name it returns, unless it is there; it gets the runtime's folder and one to work
    in."""
    home, cache = runtime.prelude.parent, runtime.prelude.parents[2]
    if not target.exists():
        with keeping(), lock(cache / "runtime.lock"):
            if not target.exists():
                target.parent.mkdir(exist_ok=True)
                with workplace() as folder:
                    shutil.move(folder / build(home, folder), target)
    return target


def _build_runtime(math: Path, home: Path, folder: Path) -> str:
    source = EMULATOR / "main.cpp"
    _zig(folder, "clang", *_FREESTANDING, *_RUNTIME, "-I", home, "-I", EMULATOR, source, "-o", "emulator.o")
    entries = [name[1:] for name in runtime_entries() if name.startswith(("@emu_", "@__tsan_", "@__ubsan_"))]
    exports = [f"--export-if-defined={name}" for name in (*entries, *_CALLED, *_WORDS)]
    _zig(folder, *_LINK, *exports, "emulator.o", math, "-o", "emulator.wasm")
    if exported_globals((folder / "emulator.wasm").read_bytes())["__heap_base"] > KERNEL_BASE:
        raise GraderFault("The emulator's runtime reaches to where a kernel's data begin.")
    return "emulator.wasm"


def _build_math(_: Path, folder: Path) -> str:
    library = executable().parent / "lib"
    musl = library / "libc/musl"
    flags: list[str | Path] = [*_FREESTANDING, *_MATH, "-isystem", library / "include"]
    for header in (musl / "src/include", musl / "src/internal", musl / "arch/generic"):
        flags += ["-I", header]
    for name in ("wasm-wasi-musl", "x86_64-linux-musl", "generic-musl"):
        flags += ["-I", library / "libc/include" / name]
    _zig(folder, "clang", *flags, *(musl / f"src/math/{name}.c" for name in _MATH_FILES))
    compiled = "-target wasm64-freestanding -OReleaseSmall -femit-bin=rt.o".split()
    _zig(folder, "build-obj", FEW_THREADS, *compiled, library / "compiler_rt.zig")
    _zig(folder, "wasm-ld", "-mwasm64", "-r", "rt.o", *(f"{name}.o" for name in _MATH_FILES), "-o", "built.o")
    return "built.o"


def _zig(folder: Path, *arguments: str | Path) -> None:
    zig_cache = {f"ZIG_{which}_CACHE_DIR": str(folder / "zig") for which in ("GLOBAL", "LOCAL")}
    done = run([executable(), *arguments], folder, zig_cache, seconds=600)
    if done.returncode:
        raise GraderFault(f"The emulator's runtime does not build for WebAssembly: {done.stderr.strip()[-2000:]}")
