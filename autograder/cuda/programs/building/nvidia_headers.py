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

from .refusals import MissingHeaderError, RefusedError
from .unit import Options

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
    """What `work` returns for these options; or if it lacks what NVIDIA's libraries have, for options with those that
    are installed.

    Raises:
        UsageError: as `work`; if a library is not installed, the message says how to install it.
    """
    try:
        return work(options)
    except RefusedError as error:
        if options.untrusted or not (_library_of(error) or error.of_stand_ins):
            raise
        if not (places := tuple(place for library in LIBRARIES if (place := library.place()))):
            raise _lacking(error) from None
    try:
        return work(replace(options, libraries=places))
    except RefusedError as error:
        raise _lacking(error) from None


def _lacking(error: RefusedError) -> RefusedError:
    """An error as the user gets it: if it is about a header of a library that is not installed, with what to do."""
    library = _library_of(error)
    if library is None or library.place():
        return error
    header = error.header if isinstance(error, MissingHeaderError) else ""
    where = str(error).partition(" includes ")[0]
    return MissingHeaderError(f"{where} includes {header}, one of NVIDIA's own: run `{install((library,))}`.", header)


def _library_of(error: RefusedError) -> Library | None:
    """The library that has the header which a program lacks."""
    header = error.header if isinstance(error, MissingHeaderError) else ""
    return next((library for library in LIBRARIES if header.startswith(library.headers)), None)
