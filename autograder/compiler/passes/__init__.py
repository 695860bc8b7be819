"""What is done to a kernel's LLVM IR before ThreadSanitizer's pass, which tells the runtime of every load and store,
and behind it. One file a pass; each changes a module in place.
"""

from collections.abc import Mapping

from ..ir import Module
from .access_numbers import leave_unnumbered, number_accesses
from .array_sections import separate_arrays
from .call_checks import keep_call_checks
from .casts import align_casts
from .copies import Position, copied_alignments, has_untyped_copies, mark_copies
from .local_arrays import watch_local_arrays
from .loops import mark_loops
from .marks import remove_marks
from .odd_widths import mark_odd_widths

__all__ = ["Position", "copied_alignments", "has_untyped_copies", "leave_unnumbered", "number_accesses", "prepare"]


def prepare(module: Module, alignments: Mapping[Position, int]) -> None:
    """All passes before ThreadSanitizer's.

    The loads and stores that copies become are accesses, so loops are marked behind them; and the assembly that hides
    what an indirect call calls is no call, so it comes last.

    Args:
        alignments: of copies whose type the IR does not say, in bytes; see `has_untyped_copies`.

    Raises:
        LocalArrayTooLargeError: no GPU has room for one of the local arrays.
    """
    remove_marks(module)
    watch_local_arrays(module)
    align_casts(module)
    separate_arrays(module)
    mark_copies(module, alignments)
    mark_loops(module)
    mark_odd_widths(module)
    keep_call_checks(module)
