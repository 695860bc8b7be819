"""`autograder check`: answers to an exercise, in a file."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from beginner_reports import texts_of

from autograder import cli

ROOT = Path(__file__).parents[3]
NOTEBOOK = ROOT / "exercises" / "barriers" / "missing_barrier.ipynb"
TRY = ROOT / "tests" / "exercises" / "beginners" / "missing_barrier" / "in_the_branch.cu"


def test_the_reports_are_those_of_the_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(NOTEBOOK), str(TRY)]) == 1
    assert capsys.readouterr().out.rstrip() == "\n\n".join(texts_of(TRY))


def test_a_stub_is_not_written_yet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("%%cuda missing_barrier\n// YOUR CODE HERE\n"))
    assert cli.main(["check", str(NOTEBOOK), "-", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["cells"] and {check["outcome"] for check in document["checks"]} == {"blocked"}


@pytest.mark.parametrize(
    ("notebook", "text", "sentence"),
    [
        (NOTEBOOK, "int x;", "answers.cu must begin with the first line of an answer cell, such as %%cuda saxpy."),
        (NOTEBOOK, "%%values x\n", "has no cell that begins with %%values x, but one with %%cuda missing_barrier."),
        (TRY, "%%cuda missing_barrier\n", "in_the_branch.cu cannot be read: it is not a notebook."),
        (Path("absent.ipynb"), "%%cuda a\n", "absent.ipynb cannot be read: No such file or directory."),
    ],
)
def test_bad_input_gets_one_sentence(
    notebook: Path, text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answers.cu").write_text(text)
    assert cli.main(["check", str(notebook), str(tmp_path / "answers.cu")]) == 2
    message = capsys.readouterr().err
    assert sentence in message and message.count("\n") == 1
