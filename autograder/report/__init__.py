"""Findings in words: the one place that holds sentences for students.

Every function turns data into a `Report` (or one line); `layout` and `html` only lay it out. A
report names threads, lines, arrays and indices, states the rule in its hint, and never gives the
edit away. Imports `core` and the rooms below it.
"""

from .claims import claim, claim_of_none, claim_of_prediction, claim_of_speed, claim_of_use
from .constructs import UNWANTED, WANTED, another_block, not_needed, not_used, unused, used, used_too_little
from .data import MIME, from_data, to_data
from .html import to_html
from .layout import WIDTH, Report, to_text
from .limits import claim_of_limit
from .prediction import limit_confirmed, not_evaluated
from .speed import WIDE, fast_enough, not_right, speed_not_graded, timing
from .values import tell_values_problem
from .verdicts import (
    blocked,
    compile_report,
    compiled,
    describe,
    evaluated,
    failed,
    no_results,
    not_compiled,
    not_launched,
    not_written,
    noted,
    nothing_shared,
    nothing_together,
    order_decides,
    passed,
    printed,
    results_not_right,
    unwritten,
    values_report,
    warned,
)

__all__ = [
    "MIME",
    "UNWANTED",
    "WANTED",
    "WIDE",
    "WIDTH",
    "Report",
    "another_block",
    "blocked",
    "claim",
    "claim_of_limit",
    "claim_of_none",
    "claim_of_prediction",
    "claim_of_speed",
    "claim_of_use",
    "compile_report",
    "compiled",
    "describe",
    "evaluated",
    "failed",
    "fast_enough",
    "from_data",
    "limit_confirmed",
    "no_results",
    "not_compiled",
    "not_evaluated",
    "not_launched",
    "not_needed",
    "not_right",
    "not_used",
    "not_written",
    "noted",
    "nothing_shared",
    "nothing_together",
    "order_decides",
    "passed",
    "printed",
    "results_not_right",
    "speed_not_graded",
    "tell_values_problem",
    "timing",
    "to_data",
    "to_html",
    "to_text",
    "unused",
    "unwritten",
    "used",
    "used_too_little",
    "values_report",
    "warned",
]
