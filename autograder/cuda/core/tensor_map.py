"""Tensor maps as arguments of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import UsageError

#: As `cuda/emulator/hooks/tensor_map.h` has it.
_MAP = np.dtype(
    [
        *(("address", np.uint64), ("magic", np.uint64), ("strides", np.uint64, (4,)), ("extents", np.uint64, (5,))),
        *(("box", np.uint16, (5,)), ("rank", np.uint8), ("element_bytes", np.uint8), ("swizzle", np.uint32)),
        *(("skipped", np.uint32), ("is_float", np.uint8), ("rest", np.uint8, (19,))),
    ]
)
_MAGIC = 0x70616D5F75746D65
BYTES = _MAP.itemsize
_SWIZZLES = (0, 32, 64, 128)


def tensor_map(elements: np.ndarray, box: Sequence[int], swizzle: int = 0) -> np.ndarray:
    """Describe a tensor for bulk copies of tiles: what the emulator takes for a `CUtensorMap`, or any other struct of
    128 bytes, that a kernel has as a parameter.

    Args:
        elements: 1 to 5 axes, the last of which is the first coordinate in PTX; its rows have a multiple of 16 bytes.
        box: the shape of a tile, with as many axes, 1 to 256 elements along each.
        swizzle: the bytes of a tile's row over which its pieces are permuted: 32, 64 or 128; 0 for none.

    Returns:
        The description and the elements: an array of uint8. After the launch, the elements begin at byte `BYTES`.

    Raises:
        UsageError: no tensor map can be like that; the message says what to pass.
    """
    axes, size = elements.ndim, elements.itemsize
    even = axes == 1 or (axes > 1 and elements.shape[-1] * size % 16 == 0)
    if not (1 <= axes <= 5 and even and elements.dtype.kind in "biuf" and elements.size and size <= 8):
        raise UsageError(
            f"A tensor map describes no array of shape {elements.shape} and type {elements.dtype}: pass up to five "
            "axes of numbers, in rows of a multiple of 16 bytes."
        )
    row = box[-1] * size if len(box) == axes and all(1 <= n <= 256 for n in box) else 1
    if row % 16 or (swizzle and row > swizzle):
        raise UsageError(
            f"A tensor map has no box {tuple(box)} of {elements.dtype} with swizzle {swizzle}: pass 1 to 256 elements "
            "for each axis, in rows of a multiple of 16 bytes, and no longer than the swizzle."
        )
    if swizzle not in _SWIZZLES:
        raise UsageError(f"A tensor map has no swizzle {swizzle}: use {', '.join(map(str, _SWIZZLES))}.")
    elements = np.ascontiguousarray(elements)
    described = np.zeros(1, _MAP)
    described["magic"], described["rank"], described["element_bytes"] = _MAGIC, axes, size
    described["swizzle"], described["skipped"] = swizzle, BYTES
    described["is_float"] = elements.dtype.kind == "f"
    described["extents"][0, :axes], described["box"][0, :axes] = elements.shape[::-1], tuple(box)[::-1]
    described["strides"][0, : axes - 1] = elements.strides[:-1][::-1]
    return np.concatenate([described.view(np.uint8), elements.reshape(-1).view(np.uint8)])


def description(given: np.ndarray) -> dict[str, Any]:
    """What a driver needs to make the tensor map that `tensor_map` has described: the `type` of the elements as numpy
    spells it (of each size, of floats and of integers without a sign), and by axes, the first coordinate in PTX first,
    `extents`, `strides` in bytes (of all but the first), `box`; and the `swizzle`."""
    held = np.frombuffer(given[:BYTES].tobytes(), _MAP)[0]
    rank, kind = int(held["rank"]), "f" if held["is_float"] else "u"
    return {
        "type": np.dtype(f"{kind}{held['element_bytes']}").name,
        "extents": held["extents"][:rank].tolist(),
        "strides": held["strides"][: rank - 1].tolist(),
        "box": held["box"][:rank].tolist(),
        "swizzle": int(held["swizzle"]),
    }


def is_tensor_map(given: object) -> bool:
    """Whether an argument is what `tensor_map` has made."""
    if not isinstance(given, np.ndarray) or given.dtype != np.uint8 or given.ndim != 1 or given.size <= BYTES:
        return False
    return bool(np.frombuffer(given[:BYTES].tobytes(), _MAP)["magic"][0] == _MAGIC)
