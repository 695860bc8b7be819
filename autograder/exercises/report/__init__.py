"""The checks of exercises in words: what each asserts, and its report on an answer.

Imports `cuda`, and `findings` and `values_problem` of this room.
"""

from .claims import NOT_COMPARED, claim, claim_of_none, claim_of_prediction, claim_of_run, claim_of_speed, claim_of_use
from .constructs import UNWANTED, WANTED, Shown, another_block, not_needed, not_used, unused, used, used_too_little
from .limits import claim_of_limit
from .needless_barriers import needless, needless_line, several_on_a_line
from .prediction import limit_confirmed, not_evaluated
from .programs import (
    HOST_CHECKS,
    RUNS_TOO_LONG,
    changed_given_text,
    compiles_too_long,
    copied_too_much,
    count_differs,
    ended,
    kernel_failed,
    kernel_not_compiled,
    kernel_stopped,
    no_number,
    not_noticed,
    not_on_the_gpu,
    not_overlapped,
    number_differs,
    overlooked,
    program_blocked,
    program_failed,
    program_not_compiled,
    program_report,
    unchanged_given_text,
    waits_too_often,
    wrong_prints,
)
from .speed import fast_enough, not_right, speed_not_graded
from .values import describe_values_problem
from .verdicts import (
    USED_UP,
    blocked,
    compile_report,
    compiled,
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
