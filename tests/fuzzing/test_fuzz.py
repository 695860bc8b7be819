"""The fuzzer makes cases for each target, and sees a kernel that gets past its hooks."""

from __future__ import annotations

from pathlib import Path

import fuzz
import inputs
import numpy as np
import pytest
from fuzz_target import Target, launch

from autograder.classroom.attacks import NOWHERE, kernel
from autograder.cuda.backends import emulator
from autograder.cuda.compiler import cache, machine_code, zig
from autograder.cuda.compiler.passes.access_numbers import number_accesses

pytestmark = [
    pytest.mark.cached(*inputs.GRADING, "tests/cuda/kernels/**/*"),
    pytest.mark.usefixtures("as_in_a_fuzzer"),
]


@pytest.fixture
def as_in_a_fuzzer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Undo the limits for the impatient, and keep what is compiled apart."""
    for module, name in ((emulator, "IDLE_SECONDS"), (emulator, "MEMORY"), (zig, "COMPILE_SECONDS")):
        monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(emulator, "OPTIMIZE_THREADS", emulator.OPTIMIZE_THREADS)
    monkeypatch.setattr(cache, "_apart", tmp_path)
    monkeypatch.setattr(fuzz, "STORED", tmp_path)


@pytest.mark.parametrize("kind", fuzz.SHARES)
def test_each_target_has_cases_that_end_as_they_must(kind: type[Target], tmp_path: Path) -> None:
    target = kind(1, tmp_path)
    ends = [fuzz.run_case(target, 1, number) for number in range(3)]
    assert "broken" not in ends
    shown = target.shown
    assert (fuzz.run_case(target, 1, 2), target.shown) == (ends[2], shown)


def test_an_access_without_a_hook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    unwatched = [flag for flag in machine_code.INSTRUMENT if not flag.startswith("-fsanitize=")]
    monkeypatch.setattr(machine_code, "INSTRUMENT", unwatched)
    monkeypatch.setattr(machine_code, "finish", lambda module, numbered: number_accesses(module))
    monkeypatch.setattr(machine_code, "verify", lambda module: None)
    with pytest.raises(AssertionError, match="wild pointer"):
        launch(kernel(f"*(int*){NOWHERE} = 1;"), "k", (1,), (1,), [np.zeros(64, np.float32)], 0)
