"""Programs that are awkward for a tool that reads C++ by its text, by an author who saw none of our code. nvcc takes
all of them, and printed.json holds what they printed on an H200."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograder import cli

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")

HERE = Path(__file__).parent / "awkward"
PRINTED: dict[str, str] = json.loads((HERE / "printed.json").read_text(encoding="utf-8"))["printed"]


def test_each_program_has_its_output() -> None:
    assert {path.stem for path in HERE.glob("*.cu")} == PRINTED.keys()


@pytest.mark.sampled(one_in=12)
@pytest.mark.parametrize("name", sorted(PRINTED))
def test_it_prints_what_a_gpu_prints(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    cli.main(["run", "--std", "c++20", "--json", str(HERE / f"{name}.cu")])
    document: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert document["printed"] == PRINTED[name]
    assert document["findings"] == []
