"""Roster matching: which student a file belongs to, by its name alone."""

from __future__ import annotations

import pytest

from autograder.classroom.collecting.roster import Roster, UnknownError, copy_number, exercise_named, submitted_at
from autograder.classroom.names import Person

KNOWN = [Person("ada", "Ada", "Smith"), Person("bob"), Person("42x"), Person("jl", "Jean-Luc", "Picard")]
#: Names in one download, and what each is matched to: an id, or the start of why there is no match.
WHOLE = {
    "a double first name": {"Mary-Ada Smith_1_assignsubmission_file_/x": "'Mary-Ada Smith' may be ada"},
    "a double last name": {"Ada Smith-Jones_1_assignsubmission_file_/x": "'Ada Smith-Jones' may be ada"},
    "a third name": {"Ada Mary Smith_1_assignsubmission_file_/x": "Ada Mary Smith"},
    "marks in a known name": {"Jean Luc-Picard_1_assignsubmission_file_/x": "jl"},
    "groups": {
        "Lab B-Ada Smith_1_assignsubmission_file_/x": "ada",
        "Lab B-bob_2_assignsubmission_file_/x": "bob",
        "Lab B-Mary-Ada Smith_3_assignsubmission_file_/x": "Mary-Ada Smith",
        "Mary-Ada Smith_4_assignsubmission_file_/x": "'Mary-Ada Smith' may be ada",
    },
    "one of a group": {"Lab B-Ada Smith_1_assignsubmission_file_/x": "'Lab B-Ada Smith' may be ada"},
    "an assignment in one word": {
        "W1_ada_attempt_2026-01-30-15-00-00_x": "ada",
        "W1_mary_ada_attempt_2026-01-30-15-00-00_x": "'W1_mary_ada' may be ada, or the name of",
    },
    "an assignment of several": {
        "W_1_ada_attempt_2026-01-30-15-00-00_x": "ada",
        "W_1_bob_attempt_2026-01-30-15-00-00_x": "bob",
        "W_1_mary_ada_attempt_2026-01-30-15-00-00_x": "mary_ada",
        "W_1_carl_attempt_2026-01-30-15-00-00_x": "carl",
    },
    "an assignment called as the chapter": {"tiling_mary_ada_attempt_2026-01-30-15-00-00_x": "mary_ada"},
    "nobody is known": {"W_1_dora_attempt_2026-01-30-15-00-00_x": "Its name does not say whose it is."},
    "a part of an account": {"smith_mary_ada/x": "'smith_mary_ada' may be ada"},
    "a number after": {"ada-2/x": "'ada-2' may be ada"},
    "name and account": {"Smith_Ada_ada_7/x": "ada", "Smith_Ada_mary_ada_7/x": "'Smith_Ada_mary_ada_7' may be ada"},
    "in parentheses": {"Smith, Mary-Ada(ms)/x": "Smith, Mary-Ada(ms)", "Smith, Mary(ada)/x": "ada"},
    "by hand": {"lab-42x/x": "'lab-42x' may be 42x", "Ada Byron/x": "Ada Byron"},
    "beside an exercise": {"bob_gemm_tiled (1).ipynb": "bob", "mary_ada_gemm.ipynb": "'mary_ada_gemm' may be ada"},
}


@pytest.mark.parametrize("names", WHOLE.values(), ids=WHOLE)
def test_names_of_people_count_as_a_whole(names: dict[str, str]) -> None:
    roster = Roster(KNOWN, ("tiling", "gemm", "gemm_tiled"))
    for name in names:
        roster.meet(name.split("/"))
    for name, wanted in names.items():
        try:
            assert roster.find(name.split("/")) == wanted, name
        except UnknownError as error:
            assert str(error).startswith(wanted) and "Put it into a folder with the" in str(error), name


def test_two_first_names_are_no_group() -> None:
    """Neither if others have both of them, nor if two people have the rest of one name."""
    people = [("a", "Ada"), ("b", "Bea"), ("ma", "Mary-Ada"), ("mb", "Mary-Bea"), ("c1", "Cleo"), ("c2", "Cleo")]
    roster = Roster([Person(name, first, "Smith") for name, first in people] + [Person("d", "Dora", "Poe")])
    names = [
        [f"{name}_1_assignsubmission_file_", "x"] for name in ("Mary-Ada Smith", "Mary-Bea Smith", "Mary-Dora Poe")
    ]
    for name in [*names, ["Mary-Cleo Smith_1_assignsubmission_file_", "x"]]:
        roster.meet(name)
    assert [roster.find(name) for name in names[:2]] == ["ma", "mb"]
    with pytest.raises(UnknownError, match="'Mary-Dora Poe' may be d, or"):
        roster.find(names[2])


def test_a_whole_name_goes_before_the_part_of_one() -> None:
    roster = Roster([Person("ms", "Mary-Ada", "Smith"), Person("bs", "Bo Lee", "Smith"), Person("as", "Ada", "Smith")])
    for name, student in (("Mary Ada Smith", "ms"), ("Mary-Ada Smith", "ms"), ("Bo-Lee Smith", "bs")):
        assert roster.find([f"{name}_1_assignsubmission_file_", "x"]) == student


def test_what_names_no_folder_is_nobodys_former_name() -> None:
    """`collect` looks there for what was collected while a student was unknown."""
    roster = Roster([Person("ada", lms_number="678")])
    assert roster.find(["x_678_2_one.ipynb"]) == roster.find([".._678_2_one.ipynb"]) == "ada"
    assert [roster.called([name]) for name in ("x_678_2_one.ipynb", ".._678_2_one.ipynb")] == ["x", ""]


def test_what_by_name() -> None:
    with pytest.raises(UnknownError, match="does not say whose"):
        Roster(KNOWN).find(["x.ipynb"])
    exercises = ("gemm", "gemm_tiled", "gemm_tiled_any_size")
    named = {"doe_1_2_gemm_tiled-1.ipynb": "gemm_tiled", "my gemm_tiled_any_size": "gemm_tiled_any_size", "xgemm": None}
    assert {name: exercise_named(name, exercises) for name in named} == named
    assert [copy_number(name) for name in ("a (2).ipynb", "a-3.ipynb", "a(4).ipynb", "a.ipynb")] == [2, 3, 4, 0]
    assert submitted_at(["W_ada_attempt_2026-13-30-15-00-00_one.ipynb"]) is None
