"""Whether a mutant that no check rejects is the same program as the answer that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...core.launch import Launch
from ...nvrtc import compiler as nvrtc
from .mutants import Mutant
from .syntax import is_kernel, parse, part, text_of, walk

#: The GPU whose machine code is compared.
ARCH = nvrtc.ARCHS[-1]
#: Elements along one side, or blocks: more than any case has, and few enough that a product of two is an `int`.
LARGE = 1 << 15
MAX_BLOCK = 1024
_AXES = "xyz"


def is_equivalent(text: str, mutant: Mutant, kernel: str, launches: Sequence[Launch]) -> bool:
    """Whether a mutant of the `%%cuda` answer `text` is equivalent: NVIDIA's compiler makes the same machine code of
    both for every launch that the contract allows; or the edit doubles a barrier, since the second orders nothing that
    the first does not.

    Args:
        kernel: the kernel that is launched; may be a template instance.
        launches: of the exercise's cases.
    """
    if mutant.operator == "double_barrier":
        return True
    at = _start_of_body(text, kernel.partition("<")[0])
    moved = len(mutant.text) - len(text) if mutant.edit.start < at else 0
    ranges = _ranges(launches)
    own = _machine_code(text[:at] + ranges + text[at:], kernel)
    other = _machine_code(mutant.text[: at + moved] + ranges + mutant.text[at + moved :], kernel)
    return own is not None and own == other


def _start_of_body(text: str, kernel: str) -> int:
    """Where the text of a kernel's first statement may begin."""
    for node in walk(parse(text)):
        if node.type == "function_definition" and is_kernel(node):
            declarator = part(node, "declarator")
            if text_of(part(declarator, "declarator")) == kernel:
                return part(node, "body").start_byte + 1
    raise AssertionError(f"{kernel} is launched, and so it is there")


def _ranges(launches: Sequence[Launch]) -> str:
    """A statement that tells the compiler what the contract says of a launch: a number is at least what it is in the
    smallest case, and at most `LARGE`; the grid's and the block's sizes are those of the cases if these are all the
    same."""
    facts = []
    numbers: dict[str, set[int]] = {}
    for launch in launches:
        for parameter, given in zip(launch.signature.parameters, launch.args, strict=True):
            if isinstance(given, np.generic) and given.dtype.kind in "iu":
                numbers.setdefault(parameter.name, set()).add(int(given))
    for name, seen in numbers.items():
        facts.append(f"{name} >= {min(seen)} && {name} <= {max(LARGE, *seen)}")
    for axis in range(3):
        for place, size, dims in (
            ("threadIdx", "blockDim", {launch.block[axis] for launch in launches}),
            ("blockIdx", "gridDim", {launch.grid[axis] for launch in launches}),
        ):
            largest = max(dims) if len(dims) == 1 else MAX_BLOCK if size == "blockDim" else LARGE
            facts.append(f"{size}.{_AXES[axis]} >= {min(dims)} && {size}.{_AXES[axis]} <= {largest}")
            facts.append(f"{place}.{_AXES[axis]} < {largest}")
    return "".join(f" __builtin_assume({fact});" for fact in facts)


@lru_cache(maxsize=4)  # of the answer itself, mutant after mutant
def _machine_code(text: str, kernel: str) -> bytes | None:
    """The machine code of `kernel`; None if NVIDIA's compiler does not accept the text."""
    compiled = nvrtc.compile_for(text, kernel, ARCH)
    return compiled.cubin if compiled.ok else None
