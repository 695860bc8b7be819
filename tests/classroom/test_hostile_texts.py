"""Hostile kernels that no rule about the text finds. See test_hostile.py for the layers of protection."""

from __future__ import annotations

import hostile_texts as texts
import inputs
import numpy as np
import pytest
from hostile_kernels import run, stopped_by

from autograder import Kernel
from autograder.cuda.core.findings import CompileError, ForbiddenCode, Kind

pytestmark = [inputs.emulation_of_attacks, pytest.mark.sampled(one_in=4)]

REFUSED = {**texts.ATTRIBUTES, **texts.NAMES, **texts.JUMPS, **texts.LANGUAGE, **texts.SPELLINGS}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_on_its_line(name: str) -> None:
    text = REFUSED[name]
    finding = stopped_by(text)
    assert isinstance(finding, CompileError | ForbiddenCode)
    line = finding.messages[0].line if isinstance(finding, CompileError) else finding.line
    assert 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize("name", texts.WATCHED)
def test_what_it_does_is_seen(name: str) -> None:
    assert stopped_by(texts.WATCHED[name]).kind in (Kind.OUT_OF_BOUNDS, Kind.CRASH, Kind.UNINITIALIZED_READ)


@pytest.mark.parametrize("name", texts.TAKEN)
def test_what_gains_nothing_runs(name: str) -> None:
    done = run(texts.TAKEN[name])
    assert (done.completed, done.findings) == (True, ())


@pytest.mark.parametrize("macro", ["static", "constexpr", "auto", "device", "used", "emu_kernel"])
def test_no_macro_changes_what_is_launched(macro: str) -> None:
    text = f"__global__ void k(float* out) {{ out[0] = 3; }}\n#define {macro} int x;\n"
    done = Kernel(text, "k").emulate(1, 1, [np.zeros(1, np.float32)])
    assert (done.findings, done.outputs[0][0]) == ((), 3)


def test_a_reserved_name_is_found_after_other_letters() -> None:
    finding = stopped_by("__global__ void k(float* out)\n{\n/* é, ü */ emu_sleep(0);\n}\n")
    assert isinstance(finding, ForbiddenCode)
    assert (finding.construct, finding.line) == ("emu_sleep", 3)
