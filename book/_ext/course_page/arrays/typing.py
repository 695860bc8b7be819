"""numpy.typing: names for annotations."""

from typing import Any

DTypeLike = Any
NDArray = Any
