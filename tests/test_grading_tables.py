"""Does the page on the grading say of each judge what stands in the files?"""

import sys

import pytest
from book_pages import ROOT
from bs4 import BeautifulSoup

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course_book import grading_tables, measured

from autograder.verify import find_exercises, find_mutants

TOOLS = "memcheck,racecheck,synccheck,initcheck"
OURS = "chapter,exercise,answer,rejected_by,failed,points,date,script\n"
NUMPY = "exercise,answer,rejected_by,runs,passes,device,cuda,date,script\n"
SANITIZER = f"exercise,answer,{TOOLS},sanitizer\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(measured, "DATA", tmp_path)
    where = "2026-01-02,one.py\n"
    (tmp_path / grading_tables.OURS).write_text(
        f"{OURS}a,k,solution,,,10,{where}a,k,lucky.cu,has_no_races,has_no_races,6,{where}"
        f"a,k,plain.cu,matches_numpy,matches_numpy stays_in_bounds,0,{where}b,numbers,solution,,,10,{where}"
    )
    (tmp_path / grading_tables.NUMPY).write_text(
        f"{NUMPY}k,solution,,30,30,GPU,12.0,d,s\nk,lucky.cu,has_no_races,30,30,GPU,12.0,d,s\nk,plain.cu,m,3,0,GPU,12.0,d,s\n"
    )
    (tmp_path / grading_tables.SANITIZER).write_text(
        f"{SANITIZER}k,solution,nothing,nothing,nothing,nothing,1\nk,lucky.cu,nothing,time out,nothing,nothing,1\n"
        "k,plain.cu,reports,nothing,nothing,nothing,1\n"
    )
    return tmp_path


def lines(html):
    soup = BeautifulSoup(html, "html.parser")
    return {line.th.text: [cell.text for cell in line.select("td")] for line in soup.select("tbody tr")}


def test_each_judge_gets_what_it_said(data):
    table = lines(grading_tables.summary())
    # in all, our checks, numpy always, sometimes, any of the four tools, nobody but us
    assert table["has no races"] == "1 1 0 0 0 1".split()
    assert table["matches numpy"] == "1 1 1 0 1 0".split()
    assert table["all"] == "2 2 1 0 1 1".split()
    assert table["solutions (false alarms)"] == ["1", "0", "0", "0", "0", ""]
    assert lines(grading_tables.tools())["memcheck"] == ["1"]
    assert lines(grading_tables.points())["4 to 6"] == ["1"]
    assert lines(grading_tables.everything())["k: lucky"] == ["has no races", "30 of 30", "nothing", "6"]


def test_an_answer_that_was_not_measured_stops_the_build(data):
    with (data / grading_tables.OURS).open("a") as file:
        file.write("a,k,new.cu,has_no_races,has_no_races,6,d,s\n")
    with pytest.raises(ValueError, match=r"measure_mutants\.py again"):
        grading_tables.summary()


def test_every_wrong_answer_of_the_course_is_among_them():
    named = {(row["exercise"], row["answer"]) for row in measured.load(grading_tables.OURS)}
    mutants = [path for exercise in find_exercises(ROOT / "solutions") for path in find_mutants(exercise)]
    assert {(path.parent.name, path.name) for path in mutants} == {pair for pair in named if pair[1] != "solution"}
    kernels = sum(path.suffix == ".cu" for path in mutants)
    assert sum(bool(answer.sentence) and answer.name.endswith(".cu") for answer in grading_tables.answers()) == kernels
