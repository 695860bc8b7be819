"""Which lanes of each warp of a block take part, step by step: what divergence and a tree's schedule cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .traced import WARP, Traced


@dataclass(frozen=True)
class Step:
    """One line, executed once by some warps; `lanes[i]` are those of the i-th warp that take part, perhaps none."""

    label: str
    lanes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Lanes:
    """The steps of one block. `executed` counts how often a warp executes a step, `working` its lanes in
    them."""

    array: str
    action: str
    where: str
    steps: tuple[Step, ...]

    @property
    def warps(self) -> int:
        return len(self.steps[0].lanes)

    @property
    def executed(self) -> int:
        return sum(bool(lanes) for step in self.steps for lanes in step.lanes)

    @property
    def working(self) -> int:
        return sum(len(lanes) for step in self.steps for lanes in step.lanes)


def from_trace(
    traced: Traced, array: str, action: str, mark: str = "", block: int = 0, labels: Sequence[str] = ()
) -> Lanes:
    """Return the steps in which a block's warps touch one array.

    Args:
        action: "read", "write" or "atomic".
        mark: only at the line with this mark.
        labels: what to call each step, in order; "line 7" by default.

    Raises:
        ValueError: there is no such access, or the labels are not as many as the steps.
    """
    mine = traced.select(array, mark, action, block)
    keys, numbers = np.unique(mine[["interval", "turn", "line"]], return_inverse=True)
    if labels and len(labels) != len(keys):
        raise ValueError(f"'{array}' has {len(keys)} steps here, and ':labels:' names {len(labels)}: name each.")
    called = labels or [f"line {key['line']}" for key in keys]
    x, y, z = traced.block
    warps = range(-(-x * y * z // WARP))
    steps = []
    for number, label in enumerate(called):
        now = mine[numbers.reshape(-1) == number]
        lanes = (now["lane"][now["warp"] == warp] for warp in warps)
        steps.append(Step(label, tuple(tuple(sorted({int(lane) for lane in found})) for found in lanes)))
    return Lanes(array, action, f"block {traced.block_name(block)}", tuple(steps))
