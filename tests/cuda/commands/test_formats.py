"""What `autograder run --format` writes for other programs: SARIF 2.1.0 and JUnit XML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import inputs
import pytest
from plugin_package import install

from autograder import cli
from autograder.cuda.plugins import plugins

pytestmark = inputs.commands

TILE = """\
#pragma once
__device__ void turn(float* tile, float* x)
{
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}
"""
#: A kernel with a race in its header, and a host's half that leaks and prints.
PROGRAM = """\
#include <cstdio>
#include "tile.h"
__global__ void reverse(float* x)
{
    __shared__ float tile[64];
    turn(tile, x);
}

int main()
{
    float* x;
    cudaMalloc(&x, 64 * sizeof(float));
    cudaMemset(x, 0, 64 * sizeof(float));
    reverse<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    printf("<done>\\x01\\n");
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("formats")
    (folder / "src").mkdir()
    (folder / "src" / "tile.h").write_text(TILE)
    (folder / "src" / "reverse it.cu").write_text(PROGRAM)
    return folder


KERNEL = ["--grid", "1", "--block", "64", "--arg", "x=zeros:64"]


def written(capfd: pytest.CaptureFixture[str], form: str, *options: str) -> str:
    assert cli.main(["run", "src/reverse it.cu", "--format", form, *options]) == 1
    return capfd.readouterr().out


def place(location: dict[str, Any]) -> tuple[str, int, str]:
    where = location["physicalLocation"]
    region = where["region"]
    return where["artifactLocation"]["uri"], region["startLine"], region["snippet"]["text"]


def results(log: dict[str, Any]) -> list[dict[str, Any]]:
    """The log's results, once all is there that SARIF 2.1.0 and GitHub's code scanning ask for."""
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] and driver["version"]
    for rule in driver["rules"]:
        assert rule["id"] and rule["shortDescription"]["text"].endswith(".") and rule["help"]["text"]
    found: list[dict[str, Any]] = run["results"]
    for result in found:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning") and result["message"]["text"]
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            assert place(location)[1] >= 1
        assert len(result["locations"]) == 1
    return found


def test_sarif_of_a_program(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    race, leak = results(json.loads(written(capfd, "sarif")))
    assert (race["ruleId"], race["level"], leak["ruleId"], leak["level"]) == ("Race", "error", "Leak", "warning")
    assert place(race["locations"][0])[:2] in (("src/tile.h", 4), ("src/tile.h", 5))
    other, launch = race["relatedLocations"]
    assert place(other)[0] == "src/tile.h"
    assert place(launch) == ("src/reverse%20it.cu", 14, "reverse<<<1, 64>>>(x);")
    assert place(leak["locations"][0]) == ("src/reverse%20it.cu", 12, "cudaMalloc(&x, 64 * sizeof(float));")
    assert race["message"]["text"].startswith("In block 0, two threads use tile[")


def test_sarif_of_a_kernel(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (race,) = results(json.loads(written(capfd, "sarif", *KERNEL)))
    assert race["ruleId"] == "Race" and place(race["locations"][0])[0] == "src/tile.h"


def test_junit_of_a_program(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (suite,) = ElementTree.fromstring(written(capfd, "junit"))
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("src/reverse it.cu", "2", "1")
    launch, main = suite.findall("testcase")
    assert (launch.get("name"), main.get("name")) == ("reverse, launched in reverse it.cu line 14", "main")
    failure = launch.find("failure")
    assert failure is not None and failure.get("type") == "Race"
    assert main.find("failure") is None
    assert (suite.findtext("system-err") or "").startswith("Leak\n\n")
    assert suite.findtext("system-out") == "<done>?\n"


def test_junit_of_a_kernel(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (suite,) = ElementTree.fromstring(written(capfd, "junit", *KERNEL))
    assert [(case.get("name"), len(case)) for case in suite.findall("testcase")] == [("reverse", 1)]


def test_a_program_that_fails_by_itself_is_a_failed_test(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.cu"
    program.write_text("int main() { return 3; }\n")
    assert cli.main(["run", str(program), "--format", "junit"]) == 1
    failure = ElementTree.fromstring(capfd.readouterr().out).find("testsuite/testcase/failure")
    assert failure is not None and failure.get("message") == "ExitCode"
    assert (failure.text or "").startswith("p.cu ended with exit code 3")


def files_in(value: Any) -> set[str]:
    """All files that a part of a document names."""
    if isinstance(value, list):
        return {file for item in value for file in files_in(item)}
    if not isinstance(value, dict):
        return set()
    mine = {value["file"]} if "file" in value else set()
    return mine | set(value.get("files", [])) | {file for item in value.values() for file in files_in(item)}


@pytest.mark.parametrize("kernel", [[], KERNEL])
def test_a_file_has_one_path(
    kernel: list[str], folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    named = files_in(json.loads(written(capfd, "json", *kernel)))
    assert named == {"src/reverse it.cu", "src/tile.h"}
    monkeypatch.chdir(folder / "src")
    assert cli.main(["run", str(folder / "src/reverse it.cu"), "--format", "json", *kernel]) == 1
    assert files_in(json.loads(capfd.readouterr().out)) == {"reverse it.cu", "tile.h"}


def test_a_package_adds_a_format(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        'def write(document):\n    return "\\n".join(f"- {finding[\'kind\']}" for finding in document["findings"])\n'
    )
    install(tmp_path, "list_format", "[autograder.formats]\nlist = list_format:write\n", source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(folder)
    plugins.cache_clear()
    assert written(capfd, "list", *KERNEL) == "- Race\n"
    assert cli.main(["run", "src/reverse it.cu", "--format", "table"]) == 2
    assert "There is no format table: use text, json, junit, lines, sarif, list" in capfd.readouterr().err
    plugins.cache_clear()
