"""Does a page show of a kernel what a notebook would show: the report of the check that it fails?"""

import pytest
from course_book import kernels
from course_book.check_reports import check_report
from course_book.reports import report_html


@pytest.mark.parametrize(
    ("file", "check", "expected", "at_most", "told"),
    [
        ("mismatch", "matches_numpy", "ramp(64) ** 2", 0, "out[1] is 2.0; numpy says 1.0."),
        ("uncoalesced", "is_coalesced", "ramp(32, 32).sum(axis=1)", 0, "32.0 sectors a request"),
        ("bank_conflicts", "has_no_bank_conflicts", "ramp(32, 32).T.copy()", 0, "992 conflicts in 32 load requests"),
        ("excess_traffic", "loads_at_most", "ramp(64) / ramp(64).sum()", 64, "4160 loads"),  # 64 threads, 65 each
        ("unshared_work", "shares_the_work", "np.array([ramp(64).sum()])", 32, "uses memory 65 times, where 32"),
        ("warp_mask", "reaches_every_barrier", "", 0, "lane 16"),
        ("step_limit", "matches_numpy", "", 0, "more steps than a launch of this size can need"),
        ("step_limit_spin", "matches_numpy", "", 0, "no other thread can set"),
        ("step_limit_output", "matches_numpy", "", 0, "printed more than a launch may print"),
        ("crash_division", "matches_numpy", "", 0, "division by zero"),
        ("crash_stack", "matches_numpy", "", 0, "stack overflow"),
        ("crash_assert", "matches_numpy", "", 0, "assertion failed: x >= 0"),
        ("compile_error", "matches_numpy", "", 0, "expected ';'"),
        ("forbidden", "matches_numpy", "", 0, "Line 6 holds asm"),
    ],
)
def test_the_report_of_a_finding(file, check, expected, at_most, told):
    report = check_report(kernels.read(f"findings/{file}.cu"), check, expected, at_most)
    assert told in " ".join(str(report).split())


def test_of_several_races_a_page_tells_the_one_that_a_notebook_tells():
    kernel = kernels.read("findings/race_one_line.cu")
    assert "each change (read, compute, write) must be one step" in report_html(
        kernel, kernel.without(0), kernel.emulate()
    )


def test_the_report_of_right_results_that_came_about_by_another_way():
    report = check_report(
        kernels.read("findings/another_way.cu"), "does_without", "np.array([ramp(64).sum()])", construct="atomics"
    )
    assert "by another way" in str(report) and "64 atomic operations" in str(report)


def test_a_kernel_that_passes_has_no_report():
    with pytest.raises(ValueError, match="passes loads_at_most"):
        check_report(kernels.read("findings/mismatch.cu"), "loads_at_most", "2 * ramp(64)", 128)


def test_what_gives_no_right_result_is_not_said_to_pass():
    report = check_report(kernels.read("findings/mismatch.cu"), "loads_at_most", "-1 - ramp(64)", 128)
    assert "BLOCKED" in str(report)
