"""Does the page "Setting up" show what the doctor prints, and name only what exists?"""

import re
import tomllib
from pathlib import Path

import pytest
from book_pages import ROOT

from autograder.backends import gpu
from autograder.commands import doctor

PAGE = (ROOT / "book" / "appendix-setting-up.md").read_text()
BLOCKS = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
OUTPUT, SENTENCES = (re.sub(r"\n +", " ", block) for block in BLOCKS)  # folded, since a page is narrow
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_doctors_output_has_the_lines_that_it_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # in the course's folder, the doctor also checks the repository, for instructors
    found = list(doctor.examine())
    for line, one in zip(OUTPUT.splitlines(), found, strict=True):
        shown = re.fullmatch(r"(ok|none|MISSING) +([\w ]+): (.+)", line)
        assert shown is not None and shown[2] == one.what, line
        assert shown[1] == "ok" or not one.needed, line
    assert OUTPUT.splitlines()[-1].endswith(gpu.problem_message({"problem": "no driver"}))


def test_the_sentences_on_a_gpu_are_those_of_the_program() -> None:
    problems = ({"problem": "no driver"}, {"problem": "no cupy"}, {"problem": "no device"},
                {"problem": "old driver", "has": "12.4", "needs": "13.0"})  # fmt: skip
    assert SENTENCES.splitlines() == [gpu.problem_message(problem) for problem in problems]


def test_what_is_installed_by_name_is_what_the_package_offers() -> None:
    (cupy,) = PROJECT["optional-dependencies"]["gpu"]
    name = re.split(r"[^\w-]", cupy)[0]
    assert '".[gpu]"' in PAGE
    assert gpu.problem_message({"problem": "no cupy"}).endswith(f"run `pip install {name}`.")
    assert f"then `pip install {name}`" in gpu.problem_message(
        {"problem": "old driver", "has": "12.4", "needs": "13.0"}
    )


def test_the_button_and_the_cell_are_as_the_page_says() -> None:
    notebook = (ROOT / "exercises" / "barriers" / "missing_barrier.ipynb").read_text()
    assert "%%cuda missing_barrier" in notebook and "`%%cuda missing_barrier`" in PAGE
    assert "in about half a minute" in notebook and "in about half a minute" in PAGE
