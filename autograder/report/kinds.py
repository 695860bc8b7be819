"""The one table of what can be found: by kind, its name, the check that owns it, and the rules that it breaks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..core.findings import Kind
from . import check_rules, run_rules
from .rule import Rule


@dataclass(frozen=True)
class About:
    """What holds for every finding of a kind.

    Args:
        term: what it is called where there is room for no more.
        check: the method of `Checker` whose report tells it; where it stops a launch, this check is named by others.
        rules: by situation, the rules that it breaks.
        ending: how it ends a launch, as a clause; empty if it does not.
    """

    term: str
    check: str
    rules: Mapping[str, Rule]
    ending: str = ""


def anchor(kind: str) -> str:
    """The label that the book's page on findings has for `kind`: "finding-out-of-bounds" for "OutOfBounds"."""
    return "finding" + re.sub("[A-Z]", lambda letter: f"-{letter[0].lower()}", Kind(kind))


KINDS: Mapping[Kind, About] = {
    Kind.COMPILE_ERROR: About("an error of the compiler", "", {}),
    Kind.FORBIDDEN_CODE: About("code that is not allowed", "", run_rules.FORBIDDEN_CODE),
    Kind.RACE: About(
        "a data race",
        "has_no_races",
        run_rules.RACE,
    ),
    Kind.OUT_OF_BOUNDS: About(
        "an access out of bounds",
        "stays_in_bounds",
        run_rules.OUT_OF_BOUNDS,
        "the launch stops at an access out of bounds",
    ),
    Kind.UNINITIALIZED_READ: About(
        "an uninitialized read",
        "reads_only_what_was_written",
        run_rules.UNINITIALIZED_READ,
    ),
    Kind.MISALIGNED_ACCESS: About(
        "a misaligned access",
        "stays_in_bounds",
        run_rules.MISALIGNED_ACCESS,
        "the launch stops at a misaligned access",
    ),
    Kind.BARRIER_DIVERGENCE: About(
        "barrier divergence",
        "reaches_every_barrier",
        run_rules.BARRIER_DIVERGENCE,
        "the launch stops at a barrier that only some threads reach",
    ),
    Kind.INVALID_WARP_MASK: About(
        "a warp function with a wrong mask",
        "reaches_every_barrier",
        run_rules.INVALID_WARP_MASK,
        "the launch stops at a warp function with a wrong mask",
    ),
    Kind.STEP_LIMIT: About(
        "a launch that does not end",
        "matches_numpy",
        run_rules.STEP_LIMIT,
        "the launch does not end",
    ),
    Kind.CRASH: About(
        "a crash",
        "matches_numpy",
        run_rules.CRASH,
        "the launch crashes",
    ),
    Kind.MISMATCH: About(
        "a wrong result",
        "matches_numpy",
        check_rules.MISMATCH,
    ),
    Kind.UNCOALESCED: About(
        "uncoalesced accesses",
        "is_coalesced",
        check_rules.UNCOALESCED,
    ),
    Kind.BANK_CONFLICTS: About(
        "bank conflicts",
        "has_no_bank_conflicts",
        check_rules.BANK_CONFLICTS,
    ),
    Kind.EXCESS_TRAFFIC: About(
        "too many accesses",
        "",
        check_rules.EXCESS_TRAFFIC,
    ),
    Kind.TOO_SLOW: About(
        "too slow",
        "is_faster_than",
        check_rules.TOO_SLOW,
    ),
}


def rule(kind: Kind, situation: str = "") -> Rule:
    """The rule that a finding of `kind` breaks in `situation`, or the kind's general one where it has none of that."""
    rules = KINDS[kind].rules
    return rules.get(situation) or rules[""]
