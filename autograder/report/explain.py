"""From a finding to its words: one teller for each kind."""

from __future__ import annotations

from collections.abc import Callable

from ..core.findings import Finding, Kind
from ..core.setting import Setting
from .endings import tell_compile_error, tell_crash, tell_forbidden, tell_grader_fault, tell_step_limit
from .memory import tell_misaligned, tell_out_of_bounds, tell_uninitialized
from .races import tell_divergence, tell_race, tell_warp_mask
from .results import tell_bank_conflicts, tell_excess_traffic, tell_mismatch, tell_uncoalesced
from .speed import tell_too_slow
from .vocabulary import Names, Said

_TELLERS: dict[Kind, Callable[[Finding, Names], Said]] = {
    Kind.FORBIDDEN_CODE: tell_forbidden,
    Kind.RACE: tell_race,
    Kind.OUT_OF_BOUNDS: tell_out_of_bounds,
    Kind.UNINITIALIZED_READ: tell_uninitialized,
    Kind.MISALIGNED_ACCESS: tell_misaligned,
    Kind.BARRIER_DIVERGENCE: tell_divergence,
    Kind.INVALID_WARP_MASK: tell_warp_mask,
    Kind.STEP_LIMIT: tell_step_limit,
    Kind.CRASH: tell_crash,
    Kind.MISMATCH: tell_mismatch,
    Kind.UNCOALESCED: tell_uncoalesced,
    Kind.BANK_CONFLICTS: tell_bank_conflicts,
    Kind.EXCESS_TRAFFIC: tell_excess_traffic,
    Kind.TOO_SLOW: tell_too_slow,
    Kind.GRADER_FAULT: tell_grader_fault,
}


def explain(finding: Finding, setting: Setting | None, source: str) -> Said:
    """What happened, the rule, and where to read on. `source` is the kernel's text: compiler
    messages are shown under its lines."""
    if finding.kind is Kind.COMPILE_ERROR:
        return tell_compile_error(finding, source)
    return _TELLERS[finding.kind](finding, Names(finding.accesses, setting))
