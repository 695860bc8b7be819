"""The text of a CUDA file that NVRTC compiles: without what only the host has, and without what needs more than NVRTC
has, such as most of the C++ library.

It is made of what the preprocessor writes, in which no macro hides anything and lines keep their numbers. Clang decides
what goes, with the emulator's prelude, which declares what NVRTC does.
"""

from __future__ import annotations

import re

from ...compiler.cache import workplace
from ...compiler.emulator_runtime import build_runtime
from ...compiler.entry import choose
from ...compiler.kernel_flags import open_flags
from ...compiler.places import MARKER
from ...source.text import CUDA_HEADERS, STD_HEADERS
from .broken_parts import Whole, reduce_users_half, split_halves

_INCLUDE = "/include/"
#: What the macros of CUDA's that are attributes have become has words that are macros for NVRTC.
_ATTRIBUTES = "cluster_dims constant device global grid_constant launch_bounds managed noinline shared"
#: In terms of both compilers: what macros of headers have become.
_WORDS = (
    "".join(f"#undef __{word}__\n#define __{word}__ {word}\n" for word in _ATTRIBUTES.split())
    + """\
#undef __annotate__
#define __annotate__(...)
#undef __host__
#define __host__
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_huge_valf() __builtin_inff()
#define __builtin_huge_val() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nanf(text) __int_as_float(0x7fffffff)
#define __extension__
#define __builtin_FILE() ""
#define __builtin_LINE() 0
#undef __assert_fail
#ifdef __CUDACC_RTC__
#define __assert_fail(text, file, line, function) __assertfail(text, file, line, function, 1)
#else
#define __assert_fail(...) __trap()
#endif
"""
)
#: A directive, but for lines' numbers and for loops.
_DIRECTIVE = re.compile(r"^[^\S\n]*+(?:#|%:|\?\?=)(?!\s*+pragma\s++(?:no)?unroll\b).*", re.M)


def users_half(device: str) -> str:
    """Return the lines of the user's files in the preprocessed half of a file that runs on the GPU, after the headers
    of CUDA's that they include. They have no directive by which a compiler reads a file."""
    _, users = split_halves(device)
    users = _DIRECTIVE.sub(lambda found: found[0] if MARKER.fullmatch(found[0]) else "", users)
    named = {marker[2].rpartition(_INCLUDE)[2] for marker in MARKER.finditer(device)}
    headers = sorted(STD_HEADERS | named & CUDA_HEADERS)
    return '# 1 "words"\n' + "".join(f"#include <{header}>\n" for header in headers) + _WORDS + users


def nvrtc_source(half: str, kernel: str = "") -> Whole:
    """Return what NVRTC compiles of what `users_half` has returned, for a kernel or for any. `log` is not empty if the
    kernel needs what NVRTC does not have."""
    with workplace() as folder:
        flags = open_flags(build_runtime(), half)
        return reduce_users_half(half, choose(kernel) if kernel else "", flags, folder, keep_host=False)
