"""Results: does a kernel compute what numpy computes?"""

from __future__ import annotations

from ...answers.trial import find_wrong_result
from ..judge import KernelCheck, kernel_check


@kernel_check
def matches_numpy() -> KernelCheck:
    """The launch ends, and every output is what numpy computes, in any order of the threads. Runs on the GPU if
    there is one. If all are right, many small sizes are tried, too."""
    return KernelCheck(find=find_wrong_result, on_gpu=True, orders="results", in_small_sizes=True)
