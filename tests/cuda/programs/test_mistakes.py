"""What is reported about programs and kernels that do not compile: each file of `mistakes/` has one mistake, and its
first line is the report's: `// line 7: the message`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.cuda.compiler.cache import workplace
from autograder.cuda.core.findings import CompileError
from autograder.cuda.errors import UsageError
from autograder.cuda.programs.building.unit import DEFAULTS, compile_unit, expand
from autograder.cuda.programs.launches.file_kernel import read_kernel
from autograder.cuda.report.compile_errors import in_words

MISTAKES = Path(__file__).parent / "mistakes"
pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


def first_message(path: Path) -> str:
    """The first line and message about a program, or about a file with one kernel and no `main`."""
    if "int main()" not in path.read_text():
        finding = read_kernel(path, None).code
        assert isinstance(finding, CompileError)
        line, _, text = in_words(finding.messages)[0]
        return f"line {line}: {text}"
    with pytest.raises(UsageError) as caught, workplace() as folder:
        compile_unit(expand(path, folder, DEFAULTS), folder, DEFAULTS)
    words = str(caught.value).removeprefix(f"{path.name} ")
    return re.sub(r"^(line \d+) does not compile: (.*?)\.?$", r"\1: \2", words)


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("path", sorted(MISTAKES.glob("*.cu")), ids=lambda path: path.stem)
def test_the_report_names_the_line_and_says_what_to_do(path: Path) -> None:
    expected, _, _ = path.read_text().partition("\n")
    assert first_message(path) == expected.removeprefix("// ")
