"""CUDA programs as tests of pytest, and as steps of GitHub's and pre-commit's."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import inputs
import pytest
import yaml

pytestmark = inputs.commands

ROOT = Path(__file__).parents[3]
RIGHT = '#include <cstdio>\nint main(int count, char** words) { printf("%s\\n", count > 1 ? words[1] : "fine"); }\n'
WRONG = "int main() {\n    int* x;\n    cudaMalloc(&x, 4);\n    cudaMemset(x, 0, 8);\n    return cudaFree(x);\n}\n"
LEAK = "int main() {\n    int* x;\n    return cudaMalloc(&x, 4);\n}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "right.cu").write_text(RIGHT)
    (tmp_path / "wrong.cu").write_text(WRONG)
    (tmp_path / "leak.cu").write_text(LEAK)
    (tmp_path / "kernel.cu").write_text("__global__ void k() {}\n")
    (tmp_path / "broken.cu").write_text("int main() { return x; }\n")
    (tmp_path / "no_head.cu").write_text("int main( {\n}\n")
    return tmp_path


def test_each_program_is_a_test(folder: Path) -> None:
    plugin = ["-p", "autograder.cuda.commands.pytest_plugin", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=."]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", *plugin, "."], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert re.search(r"= 3 failed, 2 passed, 1 skipped in ", done.stdout), done.stdout
    assert "wrong.cu ended with exit code 0, with 0 launches on the emulated H200: " in done.stdout
    assert "\n\nCopyOutOfBounds\n" in done.stdout
    assert re.search("PASSED .*leak.cu::main", done.stdout) and "\n\nRemark: Leak\n" in done.stdout
    assert "broken.cu line 1 does not compile" in done.stdout
    assert "no_head.cu line 1 does not compile" in done.stdout
    assert re.search("PASSED .*right.cu::main", done.stdout) and "\nfine\n" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_hook_runs_the_plugin() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"].split()[:3] == ["python", "-m", "pytest"] and "pytest" in hook["additional_dependencies"]
    assert hook["entry"].endswith(" -p autograder.cuda.commands.pytest_plugin")


@pytest.mark.rare
@pytest.mark.skipif(shutil.which("jq") is None, reason="GitHub's machines have jq")
@pytest.mark.parametrize(
    ("programs", "code", "written"),
    [
        ("right.cu -- 'two words'\n\nwrong.cu\n", 1, {"1.sarif": [], "2.sarif": ["CopyOutOfBounds", "UncheckedError"]}),
        ("broken.cu\nright.cu", 2, {"2.sarif": []}),
    ],
)
def test_the_action_writes_what_each_program_does_wrong(
    programs: str, code: int, written: dict[str, list[str]], folder: Path
) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    step = action["runs"]["steps"][-1]
    assert set(step["env"]) == {"PROGRAMS", "FOLDER"}
    command = folder / "bin" / "autograder"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m autograder "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, "PATH": path, "PROGRAMS": programs, "FOLDER": "out", "GITHUB_ACTION_PATH": "/action"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    logs = {file.name: json.loads(file.read_text()) for file in (folder / "out").iterdir()}
    assert {name: [r["ruleId"] for r in log["runs"][0]["results"]] for name, log in logs.items()} == written
    if code == 1:
        assert "8 bytes of x, which has 4 bytes" in done.stdout
        assert "::add-matcher::/action/docs/editors/github.json" in done.stdout
        (pattern,) = json.loads((ROOT / "docs/editors/github.json").read_text())["problemMatcher"][0]["pattern"]
        lines = [line for line in done.stdout.splitlines() if re.match(pattern["regexp"], line)]
        assert [line.split(": ")[:3] for line in lines] == [
            ["wrong.cu:4:1", "error", "CopyOutOfBounds"],
            ["wrong.cu:4:1", "warning", "UncheckedError"],
        ]
        assert (
            logs["1.sarif"]["runs"][0]["automationDetails"]["id"]
            != logs["2.sarif"]["runs"][0]["automationDetails"]["id"]
        )


def test_the_actions_of_others_are_of_one_commit() -> None:
    for line in re.findall(r"uses: (.+)", (ROOT / "action.yml").read_text()):
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", line)
