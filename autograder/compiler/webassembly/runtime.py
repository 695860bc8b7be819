"""Builds the emulator's runtime for WebAssembly: the objects that each kernel is linked with."""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

from ...errors import GraderFault
from ..cache import digest, keeping, lock, workplace
from ..emulator_runtime import EMULATOR
from ..kernel_flags import Runtime
from ..zig import executable, run

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


def build_runtime_objects(runtime: Runtime) -> list[Path]:
    """The objects that a kernel is linked with, built on first use: the runtime, and the math library, which only
    depends on the compiler's version.

    Raises:
        GraderFault: they do not build.
    """
    of_math = digest(version("ziglang"), *_MATH_FILES)
    home, cache = runtime.prelude.parent, runtime.prelude.parents[2]
    objects = {home / "emulator.wasm.o": _build_runtime, cache / "wasm-math" / f"{of_math}.o": _build_math}
    for target, build in objects.items():
        if not target.exists():
            with keeping(), lock(cache / "runtime.lock"):
                if not target.exists():
                    target.parent.mkdir(exist_ok=True)
                    with workplace() as folder:
                        build(home, folder)
                        shutil.move(folder / "built.o", target)
    return list(objects)


def _build_runtime(home: Path, folder: Path) -> None:
    source = EMULATOR / "main.cpp"
    _zig(folder, "clang", *_FREESTANDING, *_RUNTIME, "-I", home, "-I", EMULATOR, source, "-o", "built.o")


def _build_math(_: Path, folder: Path) -> None:
    library = executable().parent / "lib"
    musl = library / "libc/musl"
    flags: list[str | Path] = [*_FREESTANDING, *_MATH, "-isystem", library / "include"]
    for header in (musl / "src/include", musl / "src/internal", musl / "arch/generic"):
        flags += ["-I", header]
    for name in ("wasm-wasi-musl", "x86_64-linux-musl", "generic-musl"):
        flags += ["-I", library / "libc/include" / name]
    _zig(folder, "clang", *flags, *(musl / f"src/math/{name}.c" for name in _MATH_FILES))
    compiled = "build-obj -target wasm64-freestanding -OReleaseSmall -femit-bin=rt.o".split()
    _zig(folder, *compiled, library / "compiler_rt.zig")
    _zig(folder, "wasm-ld", "-mwasm64", "-r", "rt.o", *(f"{name}.o" for name in _MATH_FILES), "-o", "built.o")


def _zig(folder: Path, *arguments: str | Path) -> None:
    zig_cache = {f"ZIG_{which}_CACHE_DIR": str(folder / "zig") for which in ("GLOBAL", "LOCAL")}
    done = run([executable(), *arguments], folder, zig_cache, seconds=600)
    if done.returncode:
        raise GraderFault(f"The emulator's runtime does not build for WebAssembly: {done.stderr.strip()[-2000:]}")
