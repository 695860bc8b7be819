"""Arrays under numpy's name, for judging in a page, where numpy is not to be had.

Pyodide comes from npm without numpy, and no registry of ours has one for it. So a page gets this package under the name
`numpy`: as much of it as judging uses, in Python alone. References never run on it: a page gets their cases as data.
`tests/book/test_page_arrays.py` holds it against numpy, function by function, and whole reports against those that
numpy leads to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from .dtypes import dtype, finfo, iinfo
from .functions import (
    abs,
    append,
    arange,
    argmax,
    argsort,
    argwhere,
    array,
    asarray,
    ascontiguousarray,
    bincount,
    cumsum,
    diff,
    equal,
    flatnonzero,
    frombuffer,
    full,
    isfinite,
    isin,
    isinf,
    isnan,
    lexsort,
    ndim,
    ravel_multi_index,
    repeat,
    searchsorted,
    shape,
    sort,
    unique,
    unravel_index,
    where,
    zeros,
)
from .ndarray import ndarray
from .scalars import (
    bool_,
    float16,
    float32,
    float64,
    floating,
    generic,
    int8,
    int16,
    int32,
    int64,
    integer,
    uint8,
    uint16,
    uint32,
    uint64,
    void,
)

#: Nobody draws in a page: its cases are data.
random = SimpleNamespace(Generator=object, default_rng=lambda seed: None)


@contextmanager
def errstate(**_: Any) -> Iterator[None]:
    """Nothing here warns."""
    yield


__all__ = [
    "abs",
    "append",
    "arange",
    "argmax",
    "argsort",
    "argwhere",
    "array",
    "asarray",
    "ascontiguousarray",
    "bincount",
    "bool_",
    "cumsum",
    "diff",
    "dtype",
    "equal",
    "errstate",
    "finfo",
    "flatnonzero",
    "float16",
    "float32",
    "float64",
    "floating",
    "frombuffer",
    "full",
    "generic",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "integer",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "lexsort",
    "ndarray",
    "ndim",
    "random",
    "ravel_multi_index",
    "repeat",
    "searchsorted",
    "shape",
    "sort",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "unravel_index",
    "void",
    "where",
    "zeros",
]
