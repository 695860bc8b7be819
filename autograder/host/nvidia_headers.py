"""Finds NVIDIA's libraries of headers, as pip installs them: CCCL, which is CUB, Thrust and libcu++, and cuRAND's.

The emulator's own headers have the parts of CUB and libcu++ that courses use, compile in a tenth of the time, and need
no package. So NVIDIA's are read with a program that needs more than these have, and never with an answer.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from .unit import MissingHeaderError, Options, RefusedError

T = TypeVar("T")


@dataclass(frozen=True)
class Library:
    """A package of NVIDIA's with headers: what it is, its name for pip, the version that is tested, the folder of its
    headers, and how the names of those begin that programs include."""

    what: str
    package: str
    tested: str
    folder: str
    headers: tuple[str, ...]

    @property
    def requirement(self) -> str:
        """As pip and pyproject.toml have it."""
        return f"{self.package}=={self.tested}"

    def version(self) -> str:
        """The installed version; "" if there is none."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return ""

    def place(self) -> Path | None:
        """Where its headers are; None if it is not installed."""
        if not self.version():
            return None
        place = Path(str(importlib.metadata.distribution(self.package).locate_file(self.folder)))
        return place if place.is_dir() else None


LIBRARIES = (
    Library(
        "CUB, Thrust and libcu++",
        "nvidia-cuda-cccl-cu12",
        "12.9.27",
        "nvidia/cuda_cccl/include",
        ("cub/", "cuda/", "nv/", "thrust/"),
    ),
    Library("cuRAND's headers", "nvidia-curand-cu12", "10.3.10.19", "nvidia/curand/include", ("curand",)),
)


def install(libraries: tuple[Library, ...] = LIBRARIES) -> str:
    """The command that installs them."""
    return f"pip install {' '.join(library.requirement for library in libraries)}"


def with_libraries(options: Options, work: Callable[[Options], T]) -> T:
    """What `work` returns for these options; or if it lacks what NVIDIA's libraries have, and they are installed, for
    options with these.

    Raises:
        UsageError: as `work`; if the libraries are not installed, the message says how to.
    """
    try:
        return work(options)
    except RefusedError as error:
        header = error.header if isinstance(error, MissingHeaderError) else ""
        needed = header.startswith(tuple(name for library in LIBRARIES for name in library.headers))
        if options.untrusted or not (needed or error.of_stand_ins):
            raise
        places = [place for library in LIBRARIES if (place := library.place())]
        if len(places) == len(LIBRARIES):
            return work(replace(options, libraries=tuple(places)))
        if not needed:
            raise
        where = str(error).partition(" includes ")[0]
        raise MissingHeaderError(
            f"{where} includes {header}, one of NVIDIA's own: run `{install()}`.", header
        ) from None
