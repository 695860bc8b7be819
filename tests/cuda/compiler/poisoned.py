"""Environments in which everything ought to work as ever: none, and one in which all that compilers look at is bad."""

from __future__ import annotations

import os
from pathlib import Path

_HEADERS = "stdio.h stdint.h stddef.h string.h cuda_runtime.h cstdio cstdint vector string iostream".split()
_PROGRAMS = "gcc g++ cc c++ clang clang++ as ld ld.lld lld nvcc ptxas zig sh node python python3".split()
#: Lists of folders of headers, libraries or programs.
_LISTS = "CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX PATH"
_CUDA = "CUDA_HOME CUDA_PATH CUDA_ROOT CUDACXX"
_ZIG = "ZIG_LIB_DIR ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR ZIG_LIBC"


def poisoned(folder: Path) -> dict[str, str]:
    """An environment in which whatever a compiler may look at is wrong. It has folders in the new folder `folder`."""
    bad, temporary = folder / "bad", folder / "temporäre Dateien 中"
    for made in (bad / "include", temporary):
        made.mkdir(parents=True)
    for name in _HEADERS:
        (bad / name).write_text("#error poisoned\n")
        (bad / "include" / name).write_text("#error poisoned\n")
    for name in _PROGRAMS:
        (bad / name).write_text("#!/bin/false\n")
        (bad / name).chmod(0o755)
    (bad / "version.json").write_text('{"cuda": {"version": "8.0.0"}}')
    return {
        **dict.fromkeys(f"{_LISTS} {_CUDA}".split(), str(bad)),
        **dict.fromkeys(_ZIG.split(), "/nowhere"),
        **dict.fromkeys(("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS"), "-DPOISON -lpoison"),
        **dict.fromkeys(("LANG", "LC_ALL"), "xx_YY.UTF-8"),
        "CCC_OVERRIDE_OPTIONS": "+-poison",
        "TMPDIR": str(temporary),
        "HOME": "",
        "PYTHONSAFEPATH": "1",
        "PYTHONOPTIMIZE": "2",
        **_cache(),
    }


def none(_: Path) -> dict[str, str]:
    """No environment, but for the cache that other tests have."""
    return _cache()


def _cache() -> dict[str, str]:
    # Where the home is named by HOME alone, a process without it has another cache.
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return {"XDG_CACHE_HOME": home}
