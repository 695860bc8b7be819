"""From a finding to its words: one function for each class of finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import check_findings as checked
from ..core import findings as ran
from ..core.setting import Setting
from . import endings, memory, prediction, races, results, speed
from .vocabulary import Names, Said

_TELLERS: dict[type[ran.Finding], Callable[[Any, Names], Said]] = {
    ran.ForbiddenCode: endings.tell_forbidden,
    ran.Race: races.tell_race,
    ran.OutOfBounds: memory.tell_out_of_bounds,
    ran.IndexOutOfBounds: memory.tell_index_out_of_bounds,
    ran.WildAccess: memory.tell_wild_access,
    ran.ReadOnlyWrite: memory.tell_read_only_write,
    ran.EscapedPointer: memory.tell_escaped_pointer,
    ran.UninitializedRead: memory.tell_uninitialized,
    ran.MisalignedAccess: memory.tell_misaligned,
    ran.BarrierDivergence: races.tell_divergence,
    ran.InvalidWarpMask: races.tell_warp_mask,
    ran.AbsentLane: races.tell_absent_lane,
    ran.StepLimit: endings.tell_step_limit,
    ran.Crash: endings.tell_crash,
    ran.GpuCrash: endings.tell_gpu_crash,
    ran.DamagedGuard: endings.tell_damaged_guard,
    checked.Mismatch: results.tell_mismatch,
    checked.WrongNumber: prediction.tell_wrong_number,
    checked.WrongLimit: prediction.tell_wrong_limit,
    checked.Uncoalesced: results.tell_uncoalesced,
    checked.BankConflicts: results.tell_bank_conflicts,
    checked.ExcessTraffic: results.tell_excess_traffic,
    checked.LoadImbalance: results.tell_load_imbalance,
    checked.TooSlow: speed.tell_too_slow,
}


def explain(finding: ran.Finding, setting: Setting | None, source: str) -> Said:
    """What happened, the rule, and where to read on. `source` is the kernel's text: compiler
    messages are shown under its lines."""
    if isinstance(finding, ran.CompileError):
        return endings.tell_compile_error(finding, source)
    return _TELLERS[type(finding)](finding, Names(finding.accesses, setting))
