"""Attacks by an author who knew the threat model and clang, and none of our code. Each text says in its first line what
would be gained, and in its second what a sound grader does with it."""

from __future__ import annotations

from pathlib import Path

import inputs
import numpy as np
import pytest
from cpu_limit import cpu_limit

from autograder import Kernel
from autograder.cuda.core.findings import CompileError, ForbiddenCode
from autograder.cuda.errors import UsageError

pytestmark = inputs.emulation_of_attacks

TEXTS = sorted((Path(__file__).parent / "foreign_attacks").glob("*.cu"))
#: What is taken, because nothing is gained: each is a kernel as any other, and is watched as one.
HARMLESS = {
    "part_23b_assume": "an assumption has no effect",
    "part_29b_alias": "another name for a function of the text",
    "part_37a_target": "an attribute of the host's processor has no effect",
    "part_38a_section_initarray": "a section has no effect",
    "part_38b_section_preinitarray": "a section has no effect",
    "part_38d_section_text": "a section has no effect",
    "part_38e_section_xngloblmainn": "a section has no effect",
    "part_38f_section_noteGNUstack": "a section has no effect",
    "part_44d_device_kernel_attribute": "other kernels, which nobody launches",
    "41_pretty_function": "of a graded answer, one_kernel.py refuses the name",
    "part_07c_file": "it is always kernel.cu",
    "part_07d_base_file": "it is always kernel.cu",
    "part_44b_static_kernel": "a kernel may be static",
    "part_44e_kernel_with_c_name": "other functions, which nobody calls",
    "part_55a_globaltimer": "the emulator's clock, which counts steps",
    "part_55b_clock64": "the emulator's clock, which counts steps",
    "part_55g_lanemask_lt": "computed as a GPU has it",
    "part_56d_ptx_comments_and_nul": "blanks between words",
    "part_58b_ptx_tied_operands": "computed as a GPU has it",
    "part_58c_ptx_tied_operands": "computed as a GPU has it",
}


@pytest.mark.sampled(one_in=12)
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_nothing_is_gained(path: Path) -> None:
    goal, wanted, *_ = path.read_text(encoding="utf-8").split("\n")
    assert goal.startswith("// goal: (") and wanted.startswith("// wanted: ")
    try:
        with cpu_limit():
            run = Kernel(path.read_text(encoding="utf-8"), "k").emulate(1, 32, [np.zeros(64, np.int32), 64])
    except UsageError:
        return
    if path.stem in HARMLESS:
        assert run.completed and not run.findings
        return
    assert run.findings
    if run.completed:  # what it does is seen
        assert "harmless" in wanted
    for finding in run.findings:
        if isinstance(finding, CompileError | ForbiddenCode):
            assert "grader" not in str(getattr(finding, "messages", "")).lower()


def test_all_that_is_taken_is_there() -> None:
    assert HARMLESS.keys() <= {path.stem for path in TEXTS}
