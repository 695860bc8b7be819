"""Whether a mutant that no check rejects is the same program as the answer that it was made from."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from ....cuda.core.setting import Size
from ....cuda.nvrtc import compiler as nvrtc
from ...declarations.declaration import Exercise
from ...declarations.values import Values, parse_values
from .contract import AXES, Contract
from .mutants import Mutant
from .retyped import is_same_in_type
from .syntax import is_kernel, parse, part, text_of, walk

#: The GPU whose machine code is compared.
ARCH = nvrtc.ARCHS[-1]
#: Sizes for which the values of a `%%values` cell are compared.
MOST_SIZES = 200_000
#: The second number of a kernel's launch bounds.
_LAUNCH_BOUNDS = re.compile(r"__launch_bounds__\([^,()]*,([^,()]*)\)")
#: An array that a kernel declares, in PTX.
_ARRAY = re.compile(r"(\.(?:shared|const)[\w .]*\.b8 \w+)\[(\d+)\]")


def is_equivalent(text: str, mutant: Mutant, kernel: str, contract: Contract) -> bool:
    """Whether a mutant of the `%%cuda` answer `text` is equivalent, in every launch that the contract allows: NVIDIA's
    compiler makes the same machine code of both, or the same PTX but for shared or constant arrays that are longer; or
    only variables have another type that holds all that they ever hold; or the edit doubles a barrier, since the second
    orders nothing that the first does not; or it is in the second of the launch bounds, which says for how many blocks
    at once registers are shared out.

    Args:
        kernel: the kernel that is launched; may be a template instance.
        contract: what the contract says of a launch.
    """
    if mutant.operator == "double_barrier" or _bounds_blocks_per_sm(text, mutant):
        return True
    if mutant.operator in ("change_type", "change_sign") and is_same_in_type(text, mutant, contract):
        return True
    at = _start_of_body(text, kernel.partition("<")[0])
    moved = len(mutant.text) - len(text) if mutant.edit.start < at else 0
    facts = _facts(contract)
    original = _compiled(text[:at] + facts + text[at:], kernel)
    other = _compiled(mutant.text[: at + moved] + facts + mutant.text[at + moved :], kernel)
    return original.ok and other.ok and (original.cubin == other.cubin or _is_longer(original.ptx, other.ptx))


def is_same_launch(exercise: Exercise, text: str, mutant: Mutant) -> bool:
    """Whether a mutant of the `%%values` answer `text` gives the same launch for all sizes of the domain. It may ask
    for more dynamic shared memory, since a kernel cannot tell."""
    original, other = (parse_values(item, exercise.values, tuple(exercise.domain)) for item in (text, mutant.text))
    line = next(n for n, (a, b) in enumerate(zip(text.splitlines(), mutant.text.splitlines(), strict=True)) if a != b)
    word = text.splitlines()[line].partition("=")[0].strip()
    names = [_names(item.splitlines()[line]) for item in (text, mutant.text)]
    if any(word in _names(other_line) for n, other_line in enumerate(text.splitlines()) if n != line):
        return False  # another line's value changes, too
    sizes = _sizes_of(exercise, names[0] | names[1])
    return bool(sizes) and all(_is_same(original, other, size) for size in sizes)


def _bounds_blocks_per_sm(text: str, mutant: Mutant) -> bool:
    bounds = _LAUNCH_BOUNDS.finditer(text)
    return any(found.start(1) <= mutant.edit.start and mutant.edit.end <= found.end(1) for found in bounds)


def _is_same(original: Values, other: Values, size: Size) -> bool:
    item, item2 = original.evaluate(size), other.evaluate(size)
    needed, more = item.pop("shared_mem", 0), item2.pop("shared_mem", 0)
    return item == item2 and isinstance(needed, int) and isinstance(more, int) and needed <= more


def _sizes_of(exercise: Exercise, words: set[str]) -> list[Size]:
    """All sizes of the domain that differ in `words`; the other words are the first of their ranges. empty if there are
    too many."""
    sizes: list[dict[str, object]] = [{}]
    for word, given in exercise.domain.items():
        sizes = [
            {**size, word: value}
            for size in sizes
            for value in (given.values(size) if word in words else given.values(size)[:1])
        ]
        if len(sizes) > MOST_SIZES:
            return []
    return [*sizes]


def _names(line: str) -> set[str]:
    code = line.partition("#")[0].strip()
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def _start_of_body(text: str, kernel: str) -> int:
    """Where the text of a kernel's first statement may begin."""
    for node in walk(parse(text)):
        if node.type == "function_definition" and is_kernel(node):
            declarator = part(node, "declarator")
            if text_of(part(declarator, "declarator")) == kernel:
                return part(node, "body").start_byte + 1
    raise AssertionError(f"{kernel} is launched, and so it is there")


def _facts(contract: Contract) -> str:
    """Statements that tell the compiler what the contract says of a launch."""
    facts = [f"{name} >= {low} && {name} <= {high}" for name, (low, high) in contract.spans.items()]
    for place, size in (("threadIdx", "blockDim"), ("blockIdx", "gridDim")):
        facts += [f"{place}.{axis} < {contract.spans[f'{size}.{axis}'][1]}" for axis in AXES]
        facts += [f"{place}.{axis} < {size}.{axis}" for axis in AXES]
    return "".join(f" __builtin_assume({fact});" for fact in (*facts, *contract.relations))


def _is_longer(original: str, other: str) -> bool:
    """Whether two texts in PTX differ only in the lengths of arrays, of which the other's are longer."""
    if _ARRAY.sub(r"\1", original) != _ARRAY.sub(r"\1", other):
        return False
    lengths = ([int(length) for _, length in _ARRAY.findall(item)] for item in (original, other))
    return all(length <= longer for length, longer in zip(*lengths, strict=True))


@lru_cache(maxsize=4)  # of the answer itself, mutant after mutant
def _compiled(text: str, kernel: str) -> nvrtc.NvrtcResult:
    return nvrtc.compile_for(text, kernel, ARCH)
