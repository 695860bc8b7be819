"""`autograder run` in editors: lines that problem matchers read, and runs again after changes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import inputs
import pytest
from test_formats import KERNEL, PROGRAM, TILE

from autograder import cli

pytestmark = inputs.commands

ROOT = Path(__file__).parents[3]
EDITORS = ROOT / "docs" / "editors"
GITHUB: dict[str, Any] = json.loads((EDITORS / "github.json").read_text())["problemMatcher"][0]["pattern"][0]
TASK: dict[str, Any] = json.loads((EDITORS / "tasks.json").read_text())["tasks"][0]
#: What Visual Studio Code has built in as $gcc.
GCC = r"^(.*):(\d+):(\d+):\s+(?:fatal\s+)?(warning|error|info|note):\s+(.*)$"
RACE = "In block 0, two threads use tile[32] with no barrier between them"


def matched(pattern: dict[str, Any], output: str) -> list[tuple[str, ...]]:
    """File, line, column, severity, code and message of each line that a problem matcher takes."""
    found = (re.match(pattern["regexp"], line) for line in output.splitlines())
    parts = ("file", "line", "column", "severity", "code", "message")
    return [tuple(item[pattern[part]] for part in parts) for item in found if item]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tile.h").write_text(TILE)
    (tmp_path / "src" / "reverse it.cu").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_both_matchers_read_what_is_found(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "src/reverse it.cu", "--format", "lines"]) == 1
    printed = capfd.readouterr()
    want = [
        ("src/tile.h", "5", "1", "error", "Race", RACE),
        ("src/reverse it.cu", "12", "1", "warning", "Leak", "The program ends, and nothing has freed x (256 bytes)"),
    ]
    for pattern in (GITHUB, TASK["problemMatcher"]["pattern"]):
        assert matched(pattern, printed.out) == want and matched(pattern, printed.err) == []
    assert len([line for line in printed.out.splitlines() if re.match(GCC, line)]) == 2
    assert "1 finding and 1 leak" in printed.err

    assert cli.main(["run", "src/reverse it.cu", "--format", "lines", *KERNEL]) == 1
    assert matched(GITHUB, capfd.readouterr().out) == want[:1]


def test_what_does_not_compile_is_a_line_too(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "src" / "tile.h").write_text(TILE.replace("tile[threadIdx.x] =", "til[threadIdx.x] ="))
    assert cli.main(["run", "src/reverse it.cu", "--format", "lines"]) == 2
    ((file, line, column, severity, kind, _),) = matched(GITHUB, capfd.readouterr().out)
    assert (file, line, column, severity, kind) == ("src/tile.h", "4", "5", "error", "CompileError")
    assert cli.main(["run", "src/reverse it.cu", "--format", "lines", *KERNEL]) == 1
    assert matched(GITHUB, capfd.readouterr().out)[0][:5] == ("src/tile.h", "4", "5", "error", "CompileError")


def test_nothing_found_is_no_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "right.cu").write_text("__global__ void one(int* x) { *x = 1; }\nint main() { return 0; }\n")
    assert cli.main(["run", "right.cu", "--format", "lines"]) == 0
    assert capfd.readouterr().out == ""


def test_the_task_runs_again_when_a_header_changes(folder: Path) -> None:
    """And the editor sees when each run begins and ends."""
    arguments = [word.replace("${file}", "src/reverse it.cu") for word in TASK["args"]]
    background = TASK["problemMatcher"]["background"]
    header = folder / "src" / "tile.h"
    command = [sys.executable, "-um", TASK["command"], *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    runs: list[list[str]] = []
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        try:
            for text in (
                TILE,
                TILE.replace("x[threadIdx.x] = tile", "__syncthreads();\n    x[threadIdx.x] = tile"),
                "!",
            ):
                if runs:  # as some editors save: another file takes its place
                    (folder / "new").write_text(text)
                    (folder / "new").replace(header)
                words: list[str] = []
                while not (words and re.match(background["endsPattern"], words[-1])):
                    words.append(process.stdout.readline())
                    assert words[-1], words
                assert re.match(background["beginsPattern"], words[0])
                runs.append([row[4] for row in matched(GITHUB, "".join(words))])
        finally:
            process.send_signal(signal.SIGINT)
    assert runs == [["Race", "Leak"], ["Leak"], ["CompileError"]]
    assert process.returncode == 130
