"""Findings in words: the one place that holds sentences for students.

Every function turns data into a `Report` (or one line); `layout` and `html` only lay it out. A
report names threads, lines, arrays and indices, states the rule in its hint, and never gives away
the fix. Imports `core` and the rooms below it.
"""

from .barriers import needless, needless_line, several_on_a_line
from .claims import NOT_COMPARED, claim, claim_of_none, claim_of_prediction, claim_of_run, claim_of_speed, claim_of_use
from .constructs import UNWANTED, WANTED, Shown, another_block, not_needed, not_used, unused, used, used_too_little
from .html import to_html
from .layout import MIME, WIDTH, Report, from_data, to_data, to_text
from .limits import claim_of_limit
from .prediction import limit_confirmed, not_evaluated
from .programs import (
    RUNS_TOO_LONG,
    compiles_too_long,
    copied_too_much,
    count_differs,
    ended,
    kept,
    kernel_failed,
    kernel_not_compiled,
    kernel_stopped,
    no_number,
    not_kept,
    not_noticed,
    not_on_the_gpu,
    not_overlapped,
    number_differs,
    overlooked,
    program_blocked,
    program_failed,
    program_not_compiled,
    program_report,
    waits_too_often,
    wrong_prints,
)
from .speed import WIDE, fast_enough, not_right, speed_not_graded, timing
from .values import tell_values_problem
from .verdicts import (
    USED_UP,
    blocked,
    compile_report,
    compiled,
    describe,
    evaluated,
    failed,
    is_template,
    misfit,
    no_results,
    not_compiled,
    not_launched,
    not_written,
    noted,
    nothing_shared,
    nothing_together,
    order_decides,
    other_mistake,
    passed,
    printed,
    results_not_right,
    unwritten,
    values_report,
    warned,
)
