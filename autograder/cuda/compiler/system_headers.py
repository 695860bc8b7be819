"""The headers of C and C++ that host code is compiled with: those in ziglang's wheel, whatever the machine has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from . import clang
from .zig import executable

#: The files that hold the flags which all compilations of host code share: what is cached depends on them, too.
FLAG_FILES = (Path(__file__), Path(clang.__file__))
#: As ziglang's own `zig c++` calls clang: the C library of this version, and its C++ library.
_DEFINED = """
__GLIBC_MINOR__=28 _LIBCPP_ABI_VERSION=1 _LIBCPP_ABI_NAMESPACE=__1 _LIBCPP_HAS_THREADS=1 _LIBCPP_HAS_MONOTONIC_CLOCK
_LIBCPP_HAS_TERMINAL _LIBCPP_HAS_MUSL_LIBC=0 _LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS
_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS _LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0 _LIBCPP_HAS_FILESYSTEM=1
_LIBCPP_HAS_RANDOM_DEVICE _LIBCPP_HAS_LOCALIZATION _LIBCPP_HAS_UNICODE _LIBCPP_HAS_WIDE_CHARACTERS
_LIBCPP_HAS_NO_STD_MODULES _LIBCPP_HAS_TIME_ZONE_DATABASE _LIBCPP_PSTL_BACKEND_SERIAL
_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE
_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE
""".split()
_C_FOLDERS = """
include libc/include/x86-linux-gnu libc/include/generic-glibc libc/include/x86-linux-any libc/include/any-linux-any
""".split()
_FOLDERS = ["libcxx/include", "libcxxabi/include", *_C_FOLDERS, "libunwind/include"]


def wheel_library() -> Path:
    """Return the folder of ziglang's wheel that holds headers, and the sources of libraries."""
    return executable().parent / "lib"


def header_folders() -> list[Path]:
    """Return the folders of the headers of the C and the C++ library."""
    return [wheel_library() / name for name in _FOLDERS]


def header_flags() -> list[str]:
    """Flags for clang to find these headers."""
    return [*_system(_FOLDERS), *(f"-D{word}" for word in _DEFINED)]


def unwind_header_flags() -> list[str]:
    """Flags for libunwind's sources in C, which need its own unwind.h, before clang's."""
    return _system(["libunwind/include", *_C_FOLDERS])


def _system(folders: Sequence[str]) -> list[str]:
    return [flag for name in folders for flag in ("-isystem", str(wheel_library() / name))]
