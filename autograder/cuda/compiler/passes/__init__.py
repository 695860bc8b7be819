"""Rewrites a kernel's LLVM IR before and after ThreadSanitizer's pass, which makes every load and store call the
runtime. Each pass changes a module in place.
"""

from ...core.debug_info import DebugInfo
from ..ir import Module
from .access_numbers import MAX_INLINED, number_accesses
from .array_sections import separate_arrays
from .call_paths import mark_call_paths
from .casts import align_casts
from .copies import Alignments, copied_alignments, has_untyped_copies, mark_copies
from .defined_values import define_values
from .endings import remove_constructor, trap_unreachable
from .first_values import fill_first_values
from .frozen_pointers import freeze_pointers
from .function_pointers import call_by_name
from .guards import guard_accesses
from .library_volatiles import relax_volatiles_of_libraries
from .local_arrays import watch_local_arrays
from .loops import mark_loops
from .marks import cluster_of, place_constants, remove_marks
from .names import name_buffer, rename_user_functions
from .odd_widths import mark_odd_widths
from .recursion import count_recursion
from .steps import report_steps
from .swap_reads import read_atomically_for_swaps
from .unchecked import allow_inlining, forget_read_only_loads, show_variables, yield_at_volatile_reads
from .unset_variables import report_unset_variables
from .virtual_tables import read_tables_by_name


def prepare(module: Module, alignments: Alignments, *, steps: bool = False) -> DebugInfo | None:
    """Run all passes that come before ThreadSanitizer's.

    Copies become loads and stores, which are accesses, so loops are marked after that. Loops are marked differently
    around calls through pointers, so those are replaced later.

    Args:
        alignments: for copies whose type is missing from the IR; see `has_untyped_copies`.
        steps: report what a debugger shows, and return what that means.

    Raises:
        LocalArrayTooLargeError: no GPU has room for one of the local arrays.
    """
    remove_marks(module)
    define_values(module)
    fill_first_values(module)
    report_unset_variables(module)
    count_recursion(module)
    watch_local_arrays(module)
    debug = report_steps(module) if steps else None
    align_casts(module)
    separate_arrays(module)
    mark_copies(module, alignments)
    mark_loops(module)
    mark_odd_widths(module)
    read_tables_by_name(module)
    call_by_name(module)
    mark_call_paths(module)
    return debug


def prepare_unchecked(module: Module) -> None:
    """Run the passes without which a kernel computes something else: for a module of whose accesses nobody hears."""
    remove_marks(module)
    define_values(module)
    count_recursion(module)
    align_casts(module)
    separate_arrays(module)
    read_tables_by_name(module)
    call_by_name(module)
    forget_read_only_loads(module)
    yield_at_volatile_reads(module)
    show_variables(module)


def finish_unchecked(module: Module) -> None:
    """The same for a module of whose accesses nobody hears: it says that it has none with a number."""
    allow_inlining(module)
    number_accesses(module, 0)


def finish(module: Module, inline: int) -> None:
    """Run all passes that come after ThreadSanitizer's. The accesses get numbers, and `inline` of them are to be
    inlined."""
    remove_constructor(module)
    trap_unreachable(module)
    number_accesses(module, inline)
    guard_accesses(module)
    freeze_pointers(module)
