"""Chooses between CUDA 12 and CUDA 13: what the driver runs, what is installed, and what to install.

A driver runs what was built for its CUDA or an older one, so CUDA 12 works with every driver that CuPy supports, and
CUDA 13 with those that support 13. We recommend 13 to them, because support for 12 ends first; except that CUDA 13
no longer compiles for GPUs before Turing. The packages of both can be installed side by side, apart from CuPy's:
cupy-cuda12x and cupy-cuda13x have the same files.
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from types import MappingProxyType
from typing import Any

Version = tuple[int, int]

#: CuPy's package for each major version of CUDA; with [ctk], it brings the rest of CUDA that it needs.
CUPY: Mapping[int, str] = MappingProxyType({12: "cupy-cuda12x", 13: "cupy-cuda13x"})
#: NVRTC's package for each major version of CUDA. Where both are installed, 13 is loaded.
NVRTC: Mapping[int, str] = MappingProxyType({12: "nvidia-cuda-nvrtc-cu12", 13: "nvidia-cuda-nvrtc"})
#: The newest Python that CuPy has packages for, as in pyproject.toml.
NEWEST_PYTHON = (3, 14)
#: The oldest GPUs that CUDA 12 compiles for, as in "sm_50".
OLDEST_OF_12 = 50


@dataclass(frozen=True)
class Cuda:
    """What decides between CUDA 12 and 13 on a machine.

    `driver` is the newest CUDA that the NVIDIA driver runs, for example (13, 0); None without a driver. `installed` are
    the installed packages of `CUPY` and `NVRTC`, and "cupy" for a CuPy from elsewhere.
    """

    driver: Version | None
    installed: tuple[str, ...] = ()

    @property
    def newest(self) -> int:
        """The newest major version of CUDA, 12 or 13, that the driver runs."""
        return 13 if self.driver and self.driver[0] >= 13 else 12

    @property
    def major(self) -> int:
        """The major version of CUDA to install: that of the installed CuPy if the driver runs it, else the newest."""
        fitting = [major for major, name in CUPY.items() if name in self.installed and major <= self.newest]
        return fitting[0] if len(fitting) == 1 else self.newest

    @property
    def cupys(self) -> tuple[str, ...]:
        """The installed CuPys: more than one get in each other's way."""
        return tuple(name for name in self.installed if name.startswith("cupy"))

    def install_cupy(self, major: int | None = None) -> str:
        """The commands that leave one CuPy here, for CUDA `major` (by default `self.major`), with all that it needs."""
        major = major or self.major
        gone = [name for name in self.installed if name in self.cupys or (name == NVRTC[13] and major < 13)]
        install = f"`pip install '{CUPY[major]}[ctk]'`"
        return f"run `pip uninstall {' '.join(gone)}`, then {install}" if gone else f"run {install}"

    def install_toolkit(self, *parts: str, major: int | None = None, anew: bool = False) -> str:
        """The command that installs or updates the named parts of CUDA `major` (by default `self.major`); with `anew`,
        over damaged ones."""
        how = "--force-reinstall" if anew else "--upgrade"
        return f"run `pip install {how} cuda-pathfinder 'cuda-toolkit[{','.join(parts)}]=={major or self.major}.*'`"

    @property
    def nvrtc(self) -> int:
        """The major version of the NVRTC that is loaded; without one, that of the NVRTC to install."""
        return max((major for major, name in NVRTC.items() if name in self.installed), default=self.major)


def here() -> Cuda:
    """What this machine has; found without starting CUDA or importing CuPy."""
    return Cuda(driver_version(), installed_packages())


def driver_version(load: Callable[[str], Any] = ctypes.CDLL) -> Version | None:
    """The newest CUDA that the NVIDIA driver runs; None if there is no driver.

    Args:
        load: loads a library, or raises OSError.
    """
    try:
        driver = load("libcuda.so.1")
    except OSError:
        return None
    version = ctypes.c_int()
    if driver.cuDriverGetVersion(ctypes.byref(version)) or not version.value:  # a stub, for linking alone
        return None
    return as_version(version.value)


def as_version(number: int) -> Version:
    """CUDA's number of a version, such as 12090, as (12, 9)."""
    return number // 1000, number % 1000 // 10


def installed_packages(
    version: Callable[[str], str] = importlib.metadata.version,
    find: Callable[[str], ModuleSpec | None] = importlib.util.find_spec,
) -> tuple[str, ...]:
    """The installed packages that `Cuda.installed` lists.

    Args:
        version: returns a package's version, or raises PackageNotFoundError.
        find: finds a module.
    """
    found = []
    for name in ("cupy", *CUPY.values(), *NVRTC.values()):
        try:
            version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        found.append(name)
    spec = None if any(name.startswith("cupy") for name in found) else find("cupy")
    if spec is not None and spec.origin is not None:  # not only a folder that an uninstalled CuPy has left
        found.insert(0, "cupy")
    return tuple(found)
