"""Provides the names and headers that kernels may assume under NVRTC, which has no C or C++ headers of its own.

The emulator's names of the C library are compiled before every kernel, and each header of the C or C++
library that a kernel may include is an empty text in memory. That way the kernel's own lines keep their numbers, such
an include needs no file, and the result is the same with and without an installed CUDA toolkit.

CUDA's own headers (`source.CUDA_HEADERS`) are NVIDIA's files; `nvrtc` finds their folder. Some of them
define 64-bit integers as `long long` under NVRTC; for a text that includes one, we set EMU_INT64
accordingly.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..source.text import LIBRARY_HEADERS, STD_HEADERS

#: NVRTC's name for the kernel's text; `messages` looks for it in the log.
FILE_NAME = "kernel.cu"
PRELUDE_NAME = "autograder_prelude.h"

#: What the emulator spells otherwise.
_MORE = """\
#ifndef NULL
#define NULL 0
#endif
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#ifndef CUDART_VERSION
#define CUDART_VERSION 12090
#endif
"""

#: CUB's own text of this name brings functions of the host's, too, which NVRTC does not take.
_CUB = "cub/cub.cuh"
_EMULATOR = Path(__file__).parents[1] / "emulator"


@cache
def headers() -> dict[str, str]:
    """Header name -> text: the headers in memory that NVRTC may include."""
    return {
        PRELUDE_NAME: (_EMULATOR / "prelude_names.h").read_text(encoding="utf-8") + _MORE,
        **dict.fromkeys(sorted(LIBRARY_HEADERS), ""),
        **{name: (_EMULATOR / "include" / name).read_text(encoding="utf-8") for name in sorted([*STD_HEADERS, _CUB])},
    }
