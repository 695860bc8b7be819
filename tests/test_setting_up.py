"""Does the page "Setting up" show what the doctor prints, and name what there is?"""

import re
import tomllib

from book_pages import ROOT

from autograder import doctor
from autograder.backends import gpu

PAGE = (ROOT / "book" / "appendix-setting-up.md").read_text()
OUTPUT, SENTENCES = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_the_doctors_output_has_the_lines_that_it_has():
    shown = [re.fullmatch(r"(ok|none|MISSING) +([\w ]+): (.+)", line) for line in OUTPUT.splitlines()]
    found = list(doctor.examine())
    assert [line and line[2] for line in shown] == [one.what for one in found]
    for line, one in zip(shown, found, strict=True):
        assert line[1] == "ok" or not one.needed, line[0]
    assert OUTPUT.splitlines()[-1].endswith(gpu.sentence({"problem": "no cupy"}))


def test_the_sentences_on_a_gpu_are_those_of_the_program():
    problems = ({"problem": "no cupy"}, {"problem": "no driver"}, {"problem": "no device"},
                {"problem": "old driver", "has": "12.4", "needs": "13.0"})  # fmt: skip
    assert SENTENCES.splitlines() == [gpu.sentence(problem) for problem in problems]


def test_what_is_installed_by_name_is_what_the_package_needs():
    (colab,) = re.findall(r"^%pip install .*$", PAGE, re.MULTILINE)
    assert f"{PROJECT['name']}-{PROJECT['version']}-py3-none-any.whl" in colab
    needed = [re.match(r"[\w-]+(==[\w.]+)?", one)[0] for one in PROJECT["dependencies"]]
    assert {"numpy", *colab.split()[-2:]} == set(needed)  # Colab has numpy
    assert "gpu" in PROJECT["optional-dependencies"] and '".[gpu]"' in PAGE
