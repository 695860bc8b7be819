"""Generates the Python side of `emulator/protocol.json`: its enumerations, and a frozen class for each record.

`python -m autograder.cuda.compiler.protocol_records` writes them into `cuda/core`, where they are committed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.protocol import DESCRIPTION, Type, fields, number

FOLDER = Path(__file__).parents[1] / "core"
_ENUMERATIONS = '''"""The enumerations of `emulator/protocol.json`; `cuda/compiler/protocol_records.py` makes this."""

from __future__ import annotations

from enum import IntEnum

'''
_RECORDS = '''"""The records of an answer (`emulator/protocol.json`); `cuda/compiler/protocol_records.py` makes this."""

from __future__ import annotations

from dataclasses import dataclass

from .counts import Counts
from .enumerations import {names}
'''
_COUNTS = '''"""What a launch did to memory; `cuda/compiler/protocol_records.py` makes this."""

from __future__ import annotations

from dataclasses import dataclass
'''
_WIDTH = 116


def python_files() -> dict[str, str]:
    """Return the texts of the generated files, by their names in `cuda/core`."""
    enumerations = "\n".join(_enumeration(*item) for item in DESCRIPTION["enumerations"].items())
    described = dict(DESCRIPTION["records"])
    counts = _record("Counts", described.pop("Counts"))  # which users see, too
    records = [line for item in described.items() for line in _record(*item)]
    unions = [line for item in DESCRIPTION["unions"].items() for line in _union(*item)]
    used = {type_.name for record in described for type_ in fields(record).values()}
    names = ", ".join(sorted(used & DESCRIPTION["enumerations"].keys()))
    return {
        "counts.py": "\n".join([_COUNTS, *counts]),
        "enumerations.py": f"{_ENUMERATIONS}{enumerations}\n",
        "records.py": "\n".join([_RECORDS.format(names=names), *records, *unions, ""]),
    }


def _enumeration(name: str, described: dict[str, Any]) -> str:
    """A call, which is shorter than a class and tells a type checker as much."""
    members = ", ".join(f'"{member}": {value}' for member, value in described["members"].items())
    text = f'{name} = IntEnum("{name}", {{{members}}})'
    about = "\n".join(textwrap.wrap(described["about"], _WIDTH, initial_indent="#: ", subsequent_indent="#: "))
    return f"{about}\n{text}{'  # fmt: skip  # noqa: E501' if len(text) > _WIDTH else ''}"


def _record(name: str, described: dict[str, Any]) -> Iterator[str]:
    """Numbers alone default to zero, so that what is compared with an answer need not name them all."""
    known = fields(name)
    default = " = 0" if {_type(type_) for type_ in known.values()} == {"int"} else ""
    yield from ("", "@dataclass(frozen=True, kw_only=True)", f"class {name}:")
    if not isinstance(described["about"], str):
        first, *others = described["about"]
        yield from (f"    {line}".rstrip() for line in (f'"""{first}', *others, '"""', ""))
    yield from (f"    {field}: {_type(type_)}{default}" for field, type_ in known.items())
    yield ""


def _type(type_: Type) -> str:
    name = type_.name
    if name not in DESCRIPTION["enumerations"]:
        name = "int" if number(name) else {"text": "str"}.get(name, name)
    return {"list": f"list[{name}]", "optional": f"{name} | None"}.get(type_.form, name)


def _union(name: str, members: list[str]) -> Iterator[str]:
    yield f"\n{name} = ("
    yield from (f"    {'| ' if i else ''}{member}" for i, member in enumerate(members))
    yield ")"


if __name__ == "__main__":
    for file, text in python_files().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
