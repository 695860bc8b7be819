"""Builds the C library's mathematical functions for WebAssembly, of the sources in ziglang's wheel.

They are musl's, most of them translated to Zig: the compiler's own runtime library (compiler_rt) has some, zig's C
library (lib/c/math.zig) others, and the rest is C.
"""

from __future__ import annotations

import shutil
from importlib.metadata import version
from pathlib import Path

from ...errors import GraderFault
from ..cache import digest
from ..clang import WASM
from ..system_headers import FLAG_FILES, wheel_library
from ..zig import FEW_THREADS, build

FREESTANDING = [*WASM, *"-O2 -vectorize-loops -vectorize-slp -emit-obj".split()]
# (fma.c takes a single function of a header that there is for real processors only.)
_C = [
    *"-x c -std=c99 -D_GNU_SOURCE -ffreestanding -D_ATOMIC_H -Da_clz_64=__builtin_clzll".split(),
    *"-Wno-everything -Werror=implicit-function-declaration".split(),
]
#: The files in C; compiler_rt's `fma` is wrong for products that are subnormal numbers, or too large.
_FILES = (
    *"__math_divzero __math_divzerof __math_invalid __math_invalidf __math_oflow __math_oflowf".split(),
    *"__math_uflow __math_uflowf __math_xflow __math_xflowf __expo2 __expo2f exp_data exp2f_data pow".split(),
    *"pow_data powf powf_data".split(),
    *"acosh asinf asinh asinhf atan2 atan2f atanh atanhf erf erff expm1 expm1f ilogb ilogbf j0 j0f j1 j1f".split(),
    *"jn jnf ldexp ldexpf lgamma lgamma_r lgammaf lgammaf_r llrint llrintf llround llroundf logb logbf".split(),
    *"nearbyint nearbyintf nextafter nextafterf remainder remainderf remquo remquof scalbln scalblnf".split(),
    *"scalbn scalbnf signgam sinh sinhf tgamma tgammaf __sin __cos __sindf __cosdf fma".split(),
)
#: What lib/c/math.zig expects around it, of which it takes this alone.
_ROOT = """\
pub inline fn symbol(comptime function: *const anyopaque, comptime name: []const u8) void {
    @export(function, .{ .name = name, .linkage = .weak });
}
comptime {
    _ = @import("c/math.zig");
}
"""
_ZIG = ("build-obj", FEW_THREADS, "-OReleaseSmall", "-fstrip")
#: Of compiler_rt's log2 and log10: they scale a subnormal number, and then go on with the lower half of the old one.
_SCALED = "hx = @intCast(@as(u64, @bitCast(x)) >> 32);"
_WHAT = "The math library for WebAssembly"


def key() -> str:
    """Return what the library depends on, as a name."""
    return digest(version("ziglang"), *(path.read_bytes() for path in (Path(__file__), *FLAG_FILES)))


def build_in(folder: Path) -> str:
    """Build the library, an object, in `folder`. Returns its name.

    Raises:
        GraderFault: it does not build.
    """
    library = wheel_library()
    _write_sources(library, folder)
    musl = library / "libc/musl"
    flags: list[str | Path] = [*FREESTANDING, *_C, "-isystem", library / "include"]
    for header in (musl / "src/include", musl / "src/internal", musl / "arch/generic"):
        flags += ["-I", header]
    for name in ("wasm-wasi-musl", "x86_64-linux-musl", "generic-musl"):
        flags += ["-I", library / "libc/include" / name]
    for name in _FILES:
        build(["clang", *flags, musl / f"src/math/{name}.c", "-o", f"{name}.o"], folder, _WHAT)
    build([*_ZIG, "-target", "wasm64-freestanding", "-femit-bin=rt.o", "compiler_rt.zig"], folder, _WHAT)
    # With an operating system, or math.zig would leave some functions to another library.
    build([*_ZIG, "-target", "wasm64-linux-musl", "-femit-bin=c.o", "c.zig"], folder, _WHAT)
    objects = ["c.o", "rt.o", *(f"{name}.o" for name in _FILES)]
    build(["wasm-ld", "-mwasm64", "-r", *objects, "-o", "built.o"], folder, _WHAT)
    return "built.o"


def _write_sources(library: Path, folder: Path) -> None:
    (folder / "c").mkdir()
    shutil.copyfile(library / "c/math.zig", folder / "c/math.zig")
    (folder / "c.zig").write_text(_ROOT)
    shutil.copyfile(library / "compiler_rt.zig", folder / "compiler_rt.zig")
    shutil.copytree(library / "compiler_rt", folder / "compiler_rt")
    for name in ("log2", "log10"):
        source = folder / f"compiler_rt/{name}.zig"
        text = source.read_text()
        if text.count(_SCALED) != 1:
            raise GraderFault(f"compiler_rt's {name} in ziglang's wheel is not as expected.")
        source.write_text(text.replace(_SCALED, "ix = @bitCast(x);\n        hx = @intCast(ix >> 32);"))
