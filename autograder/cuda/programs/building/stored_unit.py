"""A file of a program as its object stores it."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from ...source.gather import Gathered
from .runtime_build import runtime

#: The section of an object, and of a program, that holds its units, each ended by a zero byte.
SECTION = ".autograder"


@dataclass(frozen=True)
class Unit:
    """A file of a program, by a name of its content: the user's text and its files; as in `DeviceCode`, the LLVM IR of
    what runs on the GPU; the symbols there that are its `local`, where others are linked (None: it is linked with
    nothing); for NVRTC, `nvrtc_source.users_half`, and the standard of C++; and the GPU's `Options.generation`."""

    name: str
    gathered: Gathered
    ir: str
    typed: str
    local: tuple[str, ...] | None
    half: str
    standard: str
    generation: int


def packed(unit: Unit) -> str:
    """What an object, or the file of a module, holds of a unit: a line of ASCII."""
    content = {
        "made_by": runtime().name,
        "name": unit.name,
        "text": unit.gathered.text,
        "lines": unit.gathered.lines,
        "files": [str(path) for path in unit.gathered.files],
        "ir": _packed(unit.ir),
        "typed": _packed(unit.typed),
        "own": unit.local,
        "half": _packed(unit.half),
        "standard": unit.standard,
        "generation": unit.generation,
    }
    return json.dumps(content)


def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode())).decode()


def _unpacked(text: str) -> str:
    return zlib.decompress(base64.b64decode(text)).decode()


def read_units(section: bytes) -> dict[str, Unit]:
    """The units of a program, by their names.

    Raises:
        UsageError: another version of this package has made them.
    """
    units = {}
    for content in section.split(b"\0")[:-1]:
        held = json.loads(content)
        if held["made_by"] != runtime().name:
            raise UsageError("Another version of autograder has made the program: make it again from its sources.")
        lines = tuple((name, line) for name, line in held["lines"])
        gathered = Gathered(held["text"], lines, tuple(map(Path, held["files"])))
        name, local = held["name"], held["own"]
        ir, typed, half = (_unpacked(held[part]) for part in ("ir", "typed", "half"))
        local = None if local is None else tuple(local)
        units[name] = Unit(name, gathered, ir, typed, local, half, held["standard"], held["generation"])
    return units
