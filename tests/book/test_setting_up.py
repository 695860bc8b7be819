"""Does the page "Setting up" show what the doctor prints, and name only what exists?"""

import re
import tomllib
from pathlib import Path

import pytest
from book_pages import ROOT

from autograder.classroom.commands import doctor
from autograder.cuda.backends.channel import Header
from autograder.cuda.backends.gpu_problems import problem_message
from autograder.cuda.nvrtc.packages import CUPY, Cuda

PAGE = (ROOT / "book" / "appendix-setting-up.md").read_text()
BLOCKS = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
OUTPUT, SENTENCES = (re.sub(r"\n +", " ", block) for block in BLOCKS)  # folded, since a page is narrow
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_doctors_output_has_the_lines_that_it_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # in the course's folder, the doctor also checks the repository, for instructors
    found = list(doctor.examine())
    for line, item in zip(OUTPUT.splitlines(), found, strict=True):
        shown = re.fullmatch(r"(ok|none|MISSING) +([\w ]+): (.+)", line)
        assert shown is not None and shown[2] == item.what, line
        assert shown[1] == "ok" or not item.needed, line
    assert OUTPUT.splitlines()[-2].endswith(problem_message({"problem": "no driver"}, Cuda(None)))


def test_the_sentences_on_a_gpu_are_those_of_the_program() -> None:
    cuda13 = ("cupy-cuda13x", "nvidia-cuda-nvrtc")
    problems: list[tuple[Header, Cuda]] = [
        ({"problem": "no driver"}, Cuda(None)),
        ({"problem": "no cupy"}, Cuda((13, 0))),
        ({"problem": "no device"}, Cuda((13, 0), cuda13)),
        ({"problem": "old driver", "what": "CuPy", "needs": "13.0"}, Cuda((12, 4), cuda13)),
        ({"problem": "arch", "arch": "sm_70", "oldest": "sm_75", "nvrtc": "13.0"}, Cuda((13, 0), cuda13)),
    ]
    assert SENTENCES.splitlines() == [problem_message(hello, cuda) for hello, cuda in problems]


def test_what_is_installed_by_name_is_what_the_package_offers() -> None:
    for major, extra in ((12, "gpu"), (13, "gpu13")):
        (cupy,) = PROJECT["optional-dependencies"][extra]
        name = cupy.partition(">=")[0]
        assert name == f"{CUPY[major]}[ctk]"
        assert f"`.[{extra}]`, which has `{name}`" in PAGE
    assert '".[gpu13]"' in PAGE


def test_the_button_and_the_cell_are_as_the_page_says() -> None:
    notebook = (ROOT / "exercises" / "barriers" / "missing_barrier.ipynb").read_text()
    assert "%%cuda missing_barrier" in notebook and "`%%cuda missing_barrier`" in PAGE
    assert "in about half a minute" in notebook and "in about half a minute" in PAGE
