"""Attacks on grading, as data: the texts of hostile kernels, and Python that got into a notebook's process.

One corpus for two uses: tests try all of it, in all ways, and a machine that grades tries it once beforehand
(`execution/preflight.py`). What an attack does is harmless even where it succeeds.

Imports `cuda`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

#: An address that belongs to nobody. An access there that is not reported as out of bounds was not watched, and could
#: just as well have changed the runtime's own memory: a forged result.
NOWHERE = "0x123456789000"
#: What a kernel that can run a command would create.
ESCAPED = Path("/tmp/a_kernel_escaped")


@dataclass(frozen=True)
class Attack:
    """One attempt.

    Args:
        name: in a few words, for people.
        text: of a kernel `k(float* out)`, or Python for a cell of a notebook.
        stopped: each way in which it may end without having succeeded: the kind of the launch's last finding; or what
            the cell prints, or the name of its exception.
        construct: what a `ForbiddenCode` must name, where that matters.
    """

    name: str
    text: str
    stopped: tuple[str, ...]
    construct: str | None = None


def kernel(body: str, before: str = "") -> str:
    """The text of a kernel `k`, with something before it."""
    return f"{before}\n__global__ void k(float* out)\n{{\n{body}\n}}\n"


def attacks(texts: Mapping[str, str | tuple[str, str | None]], *stopped: str) -> tuple[Attack, ...]:
    """Attacks by name; each is a text, or a text and a construct. All may be stopped in the same ways."""
    pairs = {name: (text, None) if isinstance(text, str) else text for name, text in texts.items()}
    return tuple(Attack(name, text, stopped, construct) for name, (text, construct) in pairs.items())
