"""The one table of findings: for each kind, its name, the check that owns it, and its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..core import check_findings as checked
from ..core import findings as ran
from ..core.findings import BarrierDivergence, Finding, Kind
from ..core.host_findings import HostKind
from ..core.setting import Setting
from . import barriers, endings, limits, memory, prediction, races, results, speed
from .chapters import reference
from .host import HOST_TERMS
from .rule import Rules, for_reader
from .vocabulary import Names, Said


@dataclass(frozen=True)
class About:
    """What holds for every finding of a kind.

    Args:
        term: what it is called where there is room for no more.
        check: the method of `Checker` whose report tells it.
        tell: by class of finding, what puts it into words.
        rules: by situation, the rules that it breaks.
        ending: how it ends a launch, as a clause; empty if it does not.
    """

    term: str
    check: str
    tell: Mapping[type[Finding], Callable[[Any, Names], Said]]
    rules: Rules
    ending: str = ""


#: The book's page on each kind of finding.
FINDINGS = "book/appendix-findings"
#: Findings of the launch itself, whatever is checked.
_OF_RUNS: Mapping[Kind, About] = {
    Kind.COMPILE_ERROR: About(
        "an error of the compiler",
        "",
        {ran.CompileError: endings.tell_compile_error},
        {},
        "the kernel does not compile",
    ),
    Kind.FORBIDDEN_CODE: About(
        "code that is not allowed",
        "",
        {ran.ForbiddenCode: endings.tell_forbidden},
        endings.FORBIDDEN_CODE_RULES,
        "the kernel does not compile",
    ),
    Kind.RACE: About(
        "a data race",
        "has_no_races",
        {ran.Race: races.tell_race},
        races.RACE_RULES,
    ),
    Kind.BARRIER_DIVERGENCE: About(
        "barrier divergence",
        "reaches_every_barrier",
        {ran.BarrierDivergence: barriers.tell_divergence},
        barriers.BARRIER_DIVERGENCE_RULES,
        "the launch stops at a barrier that only some threads reach",
    ),
    Kind.INVALID_WARP_MASK: About(
        "a warp function with a wrong mask",
        "reaches_every_barrier",
        {ran.InvalidWarpMask: barriers.tell_warp_mask, ran.AbsentLane: barriers.tell_absent_lane},
        barriers.INVALID_WARP_MASK_RULES,
        "the launch stops at a warp function with a wrong mask",
    ),
    Kind.OUT_OF_BOUNDS: About(
        "an access out of bounds",
        "stays_in_bounds",
        {
            ran.OutOfBounds: memory.tell_out_of_bounds,
            ran.IndexOutOfBounds: memory.tell_index_out_of_bounds,
            ran.WildAccess: memory.tell_wild_access,
            ran.ReadOnlyWrite: memory.tell_read_only_write,
            ran.EscapedPointer: memory.tell_escaped_pointer,
            ran.AbsentBlock: memory.tell_absent_block,
            ran.EndedBlock: memory.tell_ended_block,
        },
        memory.OUT_OF_BOUNDS_RULES,
        "the launch stops at an access out of bounds",
    ),
    Kind.MISALIGNED_ACCESS: About(
        "a misaligned access",
        "stays_in_bounds",
        {ran.MisalignedAccess: memory.tell_misaligned},
        memory.MISALIGNED_ACCESS_RULES,
        "the launch stops at a misaligned access",
    ),
    Kind.UNINITIALIZED_READ: About(
        "an uninitialized read",
        "reads_only_what_was_written",
        {ran.UninitializedRead: memory.tell_uninitialized},
        memory.UNINITIALIZED_READ_RULES,
    ),
    Kind.STEP_LIMIT: About(
        "a launch that does not end",
        "matches_numpy",
        {ran.StepLimit: endings.tell_step_limit},
        endings.STEP_LIMIT_RULES,
        "the launch does not end",
    ),
    Kind.CRASH: About(
        "a crash",
        "matches_numpy",
        {
            ran.Crash: endings.tell_crash,
            ran.GpuCrash: endings.tell_gpu_crash,
            ran.DamagedGuard: endings.tell_damaged_guard,
        },
        endings.CRASH_RULES,
        "the launch crashes",
    ),
}
#: Findings of checks in the results, counts and times of a launch.
_OF_CHECKS: Mapping[Kind, About] = {
    Kind.MISMATCH: About(
        "a wrong result",
        "matches_numpy",
        {
            checked.Mismatch: results.tell_mismatch,
            checked.WrongNumber: prediction.tell_wrong_number,
            checked.WrongLimit: prediction.tell_wrong_limit,
        },
        {**results.MISMATCH_RULES, **prediction.PREDICTION_RULES},
    ),
    Kind.UNCOALESCED: About(
        "uncoalesced accesses",
        "is_coalesced",
        {checked.Uncoalesced: results.tell_uncoalesced},
        results.UNCOALESCED_RULES,
    ),
    Kind.BANK_CONFLICTS: About(
        "bank conflicts",
        "has_no_bank_conflicts",
        {checked.BankConflicts: results.tell_bank_conflicts},
        results.BANK_CONFLICTS_RULES,
    ),
    Kind.EXCESS_TRAFFIC: About(
        "too many accesses",
        "",
        {
            checked.ExcessTraffic: limits.tell_excess_traffic,
            checked.LoadImbalance: results.tell_load_imbalance,
            checked.UnsharedLoads: results.tell_unshared_loads,
            checked.IdleThreads: results.tell_idle_threads,
        },
        {**limits.EXCESS_TRAFFIC_RULES, **results.LOAD_IMBALANCE_RULES},
    ),
    Kind.TOO_SLOW: About(
        "too slow",
        "is_faster_than",
        {checked.TooSlow: speed.tell_too_slow},
        speed.TOO_SLOW_RULES,
    ),
}
KINDS: Mapping[Kind, About] = {**_OF_RUNS, **_OF_CHECKS}
#: The checks of findings of the launch itself; `matches_numpy` compares results.
CHECKS_OF_RUNS = tuple(dict.fromkeys(a.check for a in _OF_RUNS.values() if a.check not in ("", "matches_numpy")))


def anchor(kind: str) -> str:
    """The label that the book's page on findings has for `kind`: "finding-out-of-bounds" for "OutOfBounds"."""
    return "finding" + re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", Kind(kind))


def term(kind: str) -> str:
    """The term for findings of `kind`, such as "bank conflicts"."""
    return HOST_TERMS[HostKind(kind)] if kind in list(HostKind) else KINDS[Kind(kind)].term


def about(kind: str) -> dict[str, Any]:
    """What holds for every finding of `kind`: its term, the rules that it may break, each with the chapter that
    explains it, the general one first, and the section of the book about it. Of a kind of the host's half, each report
    says the rule.

    Raises:
        ValueError: there is no such kind; the message says which there are.
    """
    if kind in list(HostKind):
        return {"kind": kind, "term": term(kind), "rules": [], "section": "book/appendix-tool"}
    if kind not in list(Kind):
        raise ValueError(f"There is no kind {kind}: use {', '.join([*KINDS, *HostKind])}.")
    every = KINDS[Kind(kind)].rules
    rules = dict.fromkeys([*filter(None, (every.get(""),)), *every.values()])
    told = [rule.of(space="memory that they share", until="Between one barrier and the next") for rule in rules]
    return {
        "kind": kind,
        "term": term(kind),
        "rules": [{"rule": rule.hint, "read": reference(rule.chapter)} for rule in told],
        "section": f"{FINDINGS}#{anchor(kind)}",
    }


def stops(finding: Finding) -> str:
    """How a launch ended early, as a clause, and in which line."""
    how = KINDS[finding.kind].ending
    if isinstance(finding, BarrierDivergence) and finding.in_warp_function:
        how = "the launch stops at a warp function that only some of its lanes call"
    return how + (f" (line {finding.accesses[0].line})" if finding.accesses else "")


def explain(finding: Finding, setting: Setting | None, source: str) -> Said:
    """What happened, the rule, and where to read on, for a reader who has come to the exercise of `setting`. `source`
    is the kernel's text: compiler messages are shown under its lines."""
    tell = KINDS[finding.kind].tell[type(finding)]
    said = tell(finding, Names(finding.accesses, setting, source))
    return replace(said, rule=for_reader(said.rule, setting.exercise if setting else ""))
