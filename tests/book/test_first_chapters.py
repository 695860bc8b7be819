"""Do the kernels and programs of the first chapters do what these chapters say about them?"""

from pathlib import Path

import inputs
import pytest
from course_book import kernels
from course_book.reports import printed_text

from autograder import Kernel
from autograder.cuda.core.host_findings import HostKind
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.process import run_program

pytestmark = inputs.book

PROGRAMS = kernels.FOLDER.parent / "programs"
TAKES = kernels.read("launching/who_takes_what.cu")


def test_two_blocks_print_the_same_element_and_the_same_number() -> None:
    _, *lines = printed_text(TAKES, TAKES.source, TAKES.emulate()).splitlines()
    first = [line for line in lines if "out[0]" in line]
    assert len(lines) == 4 and [line.split(",")[0] for line in first] == ["block 0", "block 1"]
    assert len({line.split(" = ")[1] for line in first}) == 1


def test_a_kernel_that_prints_nothing_has_no_text_to_show() -> None:
    silent = kernels.read("celsius.cu")
    with pytest.raises(ValueError, match="celsius prints nothing in its launch"):
        printed_text(silent, silent.source, silent.emulate())


def test_printing_an_element_of_an_array_is_a_load_that_is_reported() -> None:
    source = TAKES.source.replace("i, c);", "i, out[i]);")
    run = Kernel(source, TAKES.name).emulate(**TAKES.launch)
    printing = next(number for number, line in enumerate(source.splitlines(), 1) if "printf" in line)
    found = [access for finding in run.findings for access in finding.accesses if access.line == printing]
    assert found and {access.array for access in found} == {"out"}


def test_a_thread_of_the_loop_takes_every_sixteenth_element() -> None:
    run = kernels.read("launching/celsius_loop.cu").emulate(trace=True)
    assert run.trace is not None
    events = run.trace.events
    by_thread_0 = (events["block"] == 0) & (events["thread"] == 0)
    stored = events[by_thread_0 & (events["array"] == run.trace.arrays.index("out"))]
    assert stored["index"].tolist() == [0, 16, 32]


def managed(folder: Path, without: str) -> tuple[str | None, list[HostKind]]:
    """What the program with managed memory prints, and what is found in it, without a part of its text."""
    file = folder / "managed.cu"
    file.write_text((PROGRAMS / "managed.cu").read_text().replace(without, ""))
    done = run_program(build_program(file), file, (), keep=True)
    return done.printed, [finding.kind for finding in done.findings]


def test_the_host_must_wait_before_it_reads_managed_memory(tmp_path: Path) -> None:
    assert managed(tmp_path, "// the host reads out next") == ("212 F are 100.0 C\n", [])
    early = managed(tmp_path, "CHECK(cudaDeviceSynchronize());")
    assert early == ("212 F are 100.0 C\n", [HostKind.UNSYNCHRONIZED])


@pytest.mark.parametrize(
    ("program", "line", "what"),
    [
        ("celsius", 40, "cudaGetLastError"),
        ("celsius", 41, "cudaDeviceSynchronize"),
        ("celsius", 43, "cudaMemcpy"),
        ("managed", 35, "cudaDeviceSynchronize"),
    ],
)
def test_a_line_that_the_page_numbers_is_the_one_it_means(program: str, line: int, what: str) -> None:
    assert f"line {line}" in (PROGRAMS.parent / "programs.md").read_text()
    assert what in (PROGRAMS / f"{program}.cu").read_text().splitlines()[line - 1]
