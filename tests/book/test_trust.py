"""Do the tables that compare the emulator with NVIDIA's tools say what the files say?"""

import re
from pathlib import Path

import inputs
import pytest
from course_book import counts, trust_tables

from autograder.cuda.performance.measurements import read, write

pytestmark = inputs.book

ROOT = Path(__file__).parents[2]
WHERE = {"device": "a machine", "date": "2026-01-01", "script": "a script"}
TOOL_WHERE = {**WHERE, "driver": "1", "sanitizer": "2", "jobs": "3", "limit": "4"}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two races, one found by the emulator and the other by racecheck, a launch without end, and a good kernel."""
    monkeypatch.setattr(trust_tables, "EMULATOR", tmp_path / "ours.csv")
    monkeypatch.setattr(trust_tables, "SANITIZER", tmp_path / "theirs.csv")
    ours = [
        ("race/bad_a", "Race", "yes", "Race"),
        ("race/bad_b", "Race", "no", "Race Crash"),
        ("step_limit/bad_d", "StepLimit", "yes", "StepLimit"),
        ("race/good_c", "", "yes", ""),
    ]
    times = {"seconds": "0.5", "again_seconds": "0.25"}
    write(
        trust_tables.EMULATOR,
        [dict(zip(("kernel", "expected", "right", "says"), item, strict=True)) | times for item in ours],
        WHERE,
    )
    reports = {("race/bad_b", "racecheck"), ("race/good_c", "initcheck")}
    write(
        trust_tables.SANITIZER,
        [
            {"kernel": kernel, "tool": tool, "outcome": "reports" if (kernel, tool) in reports else "nothing"}
            | {"says": "", "seconds": "0.5", "start_seconds": "1.0"}
            for kernel, *_ in ours
            for tool in ("none", *trust_tables.TOOLS)
        ],
        TOOL_WHERE,
    )


def cells(html: str) -> list[list[str]]:
    """The rows of a table as lists of words."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row)] for row in rows]


def test_the_summary_counts_who_found_what(files: None) -> None:
    head, race, endless, every, inside, alarms = cells(trust_tables.findings_summary())
    assert head == ["mistake", "kernels", "emulator", *trust_tables.TOOLS, "any of the four"]
    assert race == ["race", "2", "1", "0", "1", "0", "0", "1"]
    assert endless == ["step limit", "1", "1", "0", "0", "0", "0", "0"]
    assert every == ["all mistakes", "3", "2", "0", "1", "0", "0", "1"]
    assert inside[1:] == race[1:]
    assert alarms == ["false alarms", "1", "0", "0", "0", "0", "1", "1"]


def test_a_finding_that_was_not_expected_is_marked(files: None) -> None:
    rows = {row[0]: row for row in cells(trust_tables.findings_of_all())}
    assert rows["race/bad_a"][1] == "Race"
    assert rows["race/bad_b"][1] == "Race Crash (wrong)"
    assert rows["race/good_c"][1] == "nothing"


def test_the_time_of_a_tool_includes_its_start(files: None) -> None:
    rows = {row[0]: row[1:] for row in cells(trust_tables.findings_times())}
    assert rows["emulator, all checks"] == ["0.500", "0.250"]
    assert rows["racecheck"] == ["1.500", "0.500"]


def test_without_the_gpus_file_the_emulators_side_stands_alone(files: None) -> None:
    trust_tables.SANITIZER.unlink()
    assert cells(trust_tables.findings_summary())[0] == ["mistake", "kernels", "emulator"]
    assert "holds no measurements: book/data/theirs.csv" in trust_tables.findings_summary()


def test_newer_means_have_a_table_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust_tables, "HANDOVER", tmp_path / "tools.csv")
    monkeypatch.setattr(trust_tables, "ALONE", tmp_path / "alone.csv")
    tools = ("memcheck", "racecheck", "synccheck")
    reports = {("race/bad_a", "racecheck"), ("step_limit/bad_b", "synccheck"), ("race/good_c", "memcheck")}
    kernels = ("race/bad_a", "race/bad_e", "step_limit/bad_b", "race/good_c")
    rows = [
        {"kernel": kernel, "tool": tool, "outcome": "reports" if (kernel, tool) in reports else "time out"}
        for kernel in kernels
        for tool in tools
    ]
    write(trust_tables.HANDOVER, rows, TOOL_WHERE)
    alone = [("2", "1"), ("2", "2"), ("1", "1")]
    write(trust_tables.ALONE, [{"runs": "2", "ended": ended, "results": item} for ended, item in alone], TOOL_WHERE)
    html = trust_tables.handover()
    assert cells(html) == [
        ["kernels", "in all", *tools, "any of the three"],
        ["with a mistake", "3", "0", "1", "1", "2"],
        ["all but compile error, forbidden code, step limit", "2", "0", "1", "0", "1"],
        ["right", "1", "1", "0", "0", "1"],
    ]
    assert "2 of 3 kernels" in html and "ended in each of 2 launches, 1 of them always with the same result" in html


def test_files_about_different_kernels_are_refused(files: None) -> None:
    rows = [row for row in read(trust_tables.SANITIZER) if row["kernel"] != "race/bad_a"]
    write(trust_tables.SANITIZER, rows, {})
    with pytest.raises(ValueError, match="different kernels"):
        trust_tables.findings_summary()


def test_what_was_measured_is_still_there() -> None:
    for row in read(trust_tables.EMULATOR):
        assert (ROOT / "tests" / "cuda" / "kernels" / f"{row['kernel']}.cu").exists(), "measure anew"


def test_each_launch_and_each_difference_has_its_row() -> None:
    rows = {row[0].strip(): row for row in cells(trust_tables.counts_of_all())}
    assert len(rows) == len(counts.compared()) + 1
    assert rows["copy_strided stride=8"][1:4] == ["8 / 256", "=", "="]
    assert rows["loads_merged"][1:4] == ["12 / 48", "=", "4 / 16"]
    assert len(cells(trust_tables.counts_differences())) == 2 * len(counts.DIFFERENCES) + 1
