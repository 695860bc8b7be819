"""Counts the arrays of a thread that no compiler can put into registers: some index there is not known as a number.

They are read from optimized IR: with every loop written out that makes a known number of rounds, however that is
spelled, what has become of an array is values, or it is still an array. NVIDIA's compiler gives the same for these.
"""

from __future__ import annotations

from functools import lru_cache

from .ir import Alloca
from .toolchain import optimized_ir


@lru_cache(maxsize=16)  # a check asks again for each case
def count_local_arrays(source: str, name: str) -> int:
    """Return how many arrays kernel `name` has in local memory, with those of the functions in its text that are
    not made part of it. The text must compile."""
    module = optimized_ir(source, name)
    if module is None:  # nothing is written out of a text that takes too much
        return 1
    variables = (i for function in module.functions.values() for i in function.instructions() if isinstance(i, Alloca))
    return sum(variable.type.startswith("[") for variable in variables)
