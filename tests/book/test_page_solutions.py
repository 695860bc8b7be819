"""Do pages get the right answers that a course publishes, what these cost, and the page's own names for its places?"""

from __future__ import annotations

import json
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from book_pages import ROOT
from course_book.whole_programs import has_program
from course_page import extension
from course_page.in_page.judging import Judge, kind_of
from course_page.node import NotBuiltError
from course_page.recorder import record_cases
from course_page.site import write_exercises
from course_page.solutions import record_solutions

import autograder
from autograder.exercises.authoring.verify import find_variants
from autograder.exercises.report import places, verdicts

SOLUTIONS = sorted(path for path in ROOT.glob("solutions/*/*.ipynb") if not has_program(path))
DYNAMIC = "shared_memory/reverse_dynamic"


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_each_exercise_has_its_answer_and_variants_by_the_cells_of_its_page(path: Path) -> None:
    released = json.loads((ROOT / "exercises" / path.relative_to(ROOT / "solutions")).read_text())["cells"]
    stubs = {cell["id"]: "".join(cell["source"]) for cell in released if kind_of(cell) == "answer"}
    known = record_solutions(path)
    assert {id for answers in known.values() for id in answers[0]["texts"]} == set(stubs)
    assert sum(len(answers) - 1 for answers in known.values()) == len(find_variants(path))
    for answer in (answer for answers in known.values() for answer in answers):
        for id, text in answer["texts"].items():
            assert text.split("\n")[0] == stubs[id].split("\n")[0] and text != stubs[id]
            assert "SOLUTION" not in text and "YOUR CODE HERE" not in text


def test_a_course_that_keeps_its_solutions_publishes_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The line in `_config.yml` decides what the site is made of; the site then holds no line of a solution."""
    notebooks = tmp_path / "exercises"
    (notebooks / "threads").mkdir(parents=True)
    shutil.copy(ROOT / "exercises/threads/saxpy.ipynb", notebooks / "threads")
    given: list[Path | None] = []

    def stop(parts: object, target: Path, exercises: Path, solutions: Path | None) -> None:
        given.append(solutions)
        raise NotBuiltError("only the arguments are looked at")

    monkeypatch.setattr(extension, "build_site", stop)
    for publish in (True, False):
        config = SimpleNamespace(publish_solutions=publish)
        app: Any = SimpleNamespace(srcdir=ROOT, outdir=tmp_path / "out", config=config)
        extension._build(app, SimpleNamespace(result=lambda: None))  # type: ignore[arg-type]
    assert given == [ROOT / "solutions", None]
    for solutions, published in ((given[0], {"saxpy"}), (given[1], set())):
        write_exercises(tmp_path / "page", notebooks, solutions)
        written = json.loads((tmp_path / "page/solutions/exercises/threads/saxpy.json").read_text())
        assert set(written["answers"]) == published and "global_loads" in written["fields"]


@pytest.fixture(scope="module", autouse=True)
def package() -> Iterator[None]:
    """A judge takes the place of names that the package gives to notebooks; other tests need them as they were."""
    before = dict(vars(autograder))
    yield
    # Names are looked up at their first use: a name that the package did not hold yet has to go, not only to be reset.
    for name in set(autograder.__all__) & (vars(autograder).keys() - before.keys()):
        delattr(autograder, name)
    vars(autograder).update(before)


@pytest.fixture(scope="module")
def judge() -> Judge:
    name = ROOT / f"exercises/{DYNAMIC}.ipynb"
    return Judge(name.read_text(), json.dumps(record_cases(name)), lambda shown: None)


def test_answers_are_counted_with_their_own_values(judge: Judge) -> None:
    course = record_solutions(ROOT / f"solutions/{DYNAMIC}.ipynb")["reverse_dynamic"][0]["texts"]
    half = {id: text.replace("block = t", "block = t / 2") for id, text in course.items()}
    endless = {id: text.replace("column < w", "true") for id, text in course.items()}
    assert half != course != endless
    counted = json.loads(judge.count([course, half, endless], "reverse_dynamic"))
    first, second, third = counted["counts"]
    h, w, t = map(int, re.findall(r" [hwt]=(\d+)", counted["of"]))
    sizes = record_cases(ROOT / f"exercises/{DYNAMIC}.ipynb")["reverse_dynamic"]["sizes"]["others"]
    assert h * w == max(size["h"] * size["w"] for size in sizes)
    assert f"block={t}" in counted["of"]
    assert first["global_loads"] == second["global_loads"] == h * w
    assert first["barriers"] == 2 * second["barriers"] == h * t
    assert third is None


def test_a_page_names_its_own_places(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    name = ROOT / "exercises/threads/saxpy.ipynb"
    texts = record_solutions(ROOT / "solutions/threads/saxpy.ipynb")["saxpy"][0]["texts"]
    wrong = {id: text.replace("i < n", "i < n - 1") for id, text in texts.items()}
    broken = {id: text.replace("i < n", "i < m") for id, text in texts.items()}
    for answers, in_notebook, in_page in (
        (wrong, "check('saxpy').matches_numpy()", "what 'matches numpy' reports"),
        (broken, "its %%cuda cell", "your answer"),
    ):
        for expected in (in_notebook, in_page):
            shown.clear()
            with monkeypatch.context() as patch:
                if expected is in_page:
                    page = runpy.run_path(str(ROOT / "book/_ext/course_page/in_page/instead/places.py"))
                    patch.setattr(places, "call", page["call"])
                    patch.setattr(verdicts, "cell", page["cell"])
                judge = Judge(name.read_text(), json.dumps(record_cases(name)), shown.append)
                judge.check(answers, "saxpy")
            text = "".join(shown).replace("&quot;", "'").replace('\\"', "'")
            other = in_page if expected is in_notebook else in_notebook
            assert expected in text and other not in text, text[:3000]
