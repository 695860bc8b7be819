"""Running a cell: its outputs, and which cells run without IPython's own search for magics."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from autograder.exercises.notebook.shell import fresh_shell, is_plain

SOLUTIONS = Path(__file__).parents[3] / "solutions"


@pytest.mark.parametrize("chapter", sorted(path.name for path in SOLUTIONS.iterdir() if path.is_dir()))
def test_what_is_run_as_it_stands_ipython_leaves_as_it_is(chapter: str) -> None:
    plain = 0
    for path in (SOLUTIONS / chapter).glob("*.ipynb"):
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "code" and is_plain(cell.source):
                assert TransformerManager().transform_cell(cell.source) == f"{cell.source}\n"
                plain += 1
    assert plain


@pytest.mark.parametrize(
    "cell",
    [
        "%%cuda k\n__global__ void k() {}", "%load_ext autograder\nx = 1", "x = 1\n!ls", "x = %time 1\nx",
        "len?\nx = 1", "files = !ls\nfiles", "ls", "\nx = 1\ny = 2", "  x = 1\n  y = 2", ">>> x = 1\n>>> y = 2",
        "x = (\n", "x = '\0'\n1", "",
    ],
)  # fmt: skip
def test_what_ipython_must_look_at(cell: str) -> None:
    assert not is_plain(cell)


def test_an_error_that_ipython_cannot_format_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError("no module may be loaded here")

    with fresh_shell() as shell:
        monkeypatch.setattr(shell.InteractiveTB, "structured_traceback", fails)
        outputs = shell.run("raise MemoryError('all of it')\n")
    assert outputs and [o["ename"] for o in outputs if o["output_type"] == "error"] == ["MemoryError"]


def test_an_answer_may_be_empty() -> None:
    with fresh_shell() as shell:
        shell.run("%load_ext autograder")
        for cell in ("%%cuda ones", "%%cuda ones\n", "%%values ones"):
            (output,) = shell.run(cell) or [{}]
            assert "not written yet" in output["text"]
