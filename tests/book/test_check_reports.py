"""Does a page show the same as a notebook for a kernel: the report of the check that it fails?"""

import re
from pathlib import Path

import pytest
from course_book import kernels
from course_book.check_reports import check_report
from course_book.reports import report_html

from autograder.cuda.report.kinds import anchor, kinds

APPENDIX = (Path(__file__).parents[2] / "book/appendix-findings.md").read_text()
#: By kernel, a part of its report.
REPORTED = {
    "compile_error": "expected ';'",
    "forbidden": 'Line 6 holds the PTX instruction "mov.u32 %0, %nsmid"',
    "warp_mask": "lane 16",
    "step_limit": "more steps than a launch of this size can need",
    "step_limit_spin": "no other thread can still set",
    "step_limit_output": "printed more than a launch may print",
    "crash_division": "division by zero",
    "crash_stack": "stack overflow",
    "crash_assert": "assertion failed: x >= 0",
    "mismatch": "out[1] is 2.0; numpy says 1.0.",
    "uncoalesced": "1024 sectors in 32 requests",
    "bank_conflicts": "Bank conflicts cost 992",
    "excess_traffic": "4160 loads",  # 64 threads, 65 each
    "unshared_work": "uses memory 65 times, where 32",
}


def section(kind: str) -> str:
    """The part of the page on findings that is about `kind`."""
    found = re.search(rf"^\({anchor(kind)}\)=\n### (.*?)(?=^\(finding-|^#|\Z)", APPENDIX, re.MULTILINE | re.DOTALL)
    assert found, kind
    return found[1]


CHECKED = [
    (kind, file, options)
    for kind in kinds()
    for file, options in re.findall(r"^```{check-report} findings/(\w+).cu\n(.*?)```", section(kind), re.M | re.S)
]
RUN = [
    (kind, file)
    for kind in kinds()
    for file in re.findall(r"^```{kernel-report} findings/(\w+).cu$", section(kind), re.MULTILINE)
]


@pytest.mark.parametrize(("kind", "file", "options"), CHECKED, ids=[file for _, file, _ in CHECKED])
def test_the_report_of_a_check_is_of_the_kind_that_its_section_is_about(kind: str, file: str, options: str) -> None:
    given = dict(re.findall(r"^:([\w-]+): (.*)$", options, re.MULTILINE))
    report = check_report(
        kernels.read(f"findings/{file}.cu"),
        given.get("check", "matches_numpy"),
        given.get("expected", ""),
        int(given.get("at-most", 0)),
    )
    assert report.kinds == (kind,)
    assert REPORTED.get(file, "") in " ".join(str(report).split())


@pytest.mark.parametrize(("kind", "file"), RUN, ids=[file for _, file in RUN])
def test_the_finding_of_a_kernel_is_of_the_kind_that_its_section_is_about(kind: str, file: str) -> None:
    assert kernels.read(f"findings/{file}.cu").emulate().findings[0].kind == kind


def test_of_several_races_a_page_tells_the_one_that_a_notebook_tells() -> None:
    kernel = kernels.read("findings/race_one_line.cu")
    assert "each change (read, compute, write) must be one step" in report_html(
        kernel, kernel.without(0), kernel.emulate()
    )


def test_the_report_of_right_results_that_came_about_by_another_way() -> None:
    report = check_report(
        kernels.read("findings/another_way.cu"), "does_without", "np.array([ramp(64).sum()])", construct="atomics"
    )
    assert "not by the method" in str(report) and "64 atomic operations" in str(report)


def test_the_report_of_right_results_with_a_needless_barrier() -> None:
    report = check_report(kernels.read("findings/needless_barrier.cu"), "has_no_needless_barriers", "ramp(64)[::-1]")
    assert "line 9 __syncthreads(); Hint" in " ".join(str(report).split())


def test_a_kernel_that_passes_has_no_report() -> None:
    with pytest.raises(ValueError, match="passes loads_at_most"):
        check_report(kernels.read("findings/mismatch.cu"), "loads_at_most", "2 * ramp(64)", 128)


def test_what_gives_no_right_result_is_not_said_to_pass() -> None:
    report = check_report(kernels.read("findings/mismatch.cu"), "loads_at_most", "-1 - ramp(64)", 128)
    assert "BLOCKED" in str(report)
