"""Textures as arguments of a kernel."""

from __future__ import annotations

import numpy as np

from ..errors import UsageError

#: As `cuda/emulator/include/texture_objects.h` numbers them.
_KINDS = tuple(np.dtype(name) for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32"))
_ADDRESS = ("wrap", "clamp", "mirror", "border")
_WORDS, _PITCH, _AT = 16, 11, 12


def texture(
    elements: np.ndarray,
    *,
    dimensions: int | None = None,
    linear: bool = False,
    address: str = "clamp",
    normalized: bool = False,
    as_float: bool = False,
) -> np.ndarray:
    """Describe a texture or surface: what the emulator takes for a `cudaTextureObject_t` or `cudaSurfaceObject_t`.

    Args:
        elements: of shape (width,), (height, width) or (depth, height, width), the last of these for layers, too; 8, 16
            or 32 bits each. With `dimensions` given, one axis more, of 1, 2 or 4, are the numbers of one element.
        dimensions: how many axes a texture has: 1, 2 or 3; all that `elements` has if None.
        linear: interpolate between elements; else take the nearest.
        address: what lies outside: "clamp" or "border"; with `normalized`, also "wrap" or "mirror".
        normalized: coordinates go from 0 to 1, and not to the size.
        as_float: read integers of 8 or 16 bits as numbers up to 1.

    Returns:
        The description and the elements: an array of uint8.

    Raises:
        UsageError: no texture can be like that; the message says what to pass.
    """
    axes = elements.ndim if dimensions is None else dimensions
    channels = elements.shape[axes] if elements.ndim == axes + 1 else 1
    if elements.dtype not in _KINDS or axes not in (1, 2, 3) or elements.ndim > axes + 1 or channels not in (1, 2, 4):
        raise UsageError(
            f"A texture has no elements of type {elements.dtype} and shape {elements.shape}: pass up to three axes of "
            f"{', '.join(str(kind) for kind in _KINDS)}, and 1, 2 or 4 numbers in each element."
        )
    if address not in _ADDRESS:
        raise UsageError(f"A texture has no address mode {address}: use {', '.join(_ADDRESS)}.")
    sizes = [*reversed(elements.shape[:axes]), 1, 1][:3]
    modes = [_ADDRESS.index(address)] * 3
    words = np.zeros(_WORDS, np.int32)
    described = [_KINDS.index(elements.dtype), channels, *sizes, linear, *modes, normalized, as_float]
    words[: len(described)] = described
    words[_PITCH] = sizes[0] * channels * elements.dtype.itemsize
    words[_AT] = words.nbytes
    return np.concatenate([words.view(np.uint8), np.ascontiguousarray(elements).reshape(-1).view(np.uint8)])
