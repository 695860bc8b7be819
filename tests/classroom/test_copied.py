"""Is the course's own solution told, renamed or not, and how often is an answer told that is not it?"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.results.copied import SOLUTION, Published, copies_of_ours, known_right, like_the_solution
from autograder.classroom.results.outcomes import GradedAnswer, GradedExercise
from autograder.exercises.authoring.verify import find_exercises
from autograder.exercises.notebook.answer_cells import slots

ROOT = Path(__file__).parents[2]
RIGHT = known_right(ROOT / "solutions")
KEY = ("histogram_shared", "%%cuda histogram_shared")
#: Words that are no names of the student's.
_STORED = re.compile(
    r"\b(?!blockIdx|blockDim|threadIdx|gridDim|atomicAdd|extern|const|int|for|if|unsigned)([a-z]\w+)\b"
)


def texts(folder: str) -> dict[tuple[str, str], str]:
    """By exercise and first line, the answers in the notebooks of `folder`."""
    return {
        (path.stem, slot.magic): slot.stub
        for path in find_exercises(ROOT / "solutions")
        for slot in slots(nbformat.read(ROOT / folder / path.relative_to(ROOT / "solutions"), as_version=4))
    }


STUBS, SOLVED = texts("exercises"), texts("solutions")


def reported(text: str) -> tuple[tuple[str, ...], ...]:
    answer = GradedAnswer("answer", KEY[1], text)
    graded = [GradedExercise("ada", KEY[0], "", (answer,), (), (), {}, 1.0, 10.0, 10.0)]
    return tuple(item.students for item in like_the_solution(graded, {KEY: (STUBS[KEY], SOLVED[KEY])}, RIGHT))


def renamed(text: str) -> str:
    return "\n".join(
        "//".join([_STORED.sub(r"my_\1", line.partition("//")[0]), *line.split("//")[1:]]) for line in text.split("\n")
    )


def test_a_copy_is_told_also_under_other_names() -> None:
    solution = SOLVED[KEY]
    assert renamed(solution).count("my_") > 10
    assert reported(solution) == reported(renamed(solution)) == ((SOLUTION, "ada"),)
    for other in RIGHT[KEY]:
        assert reported(other) == ()


def copied(key: tuple[str, str], *texts: str) -> tuple[str, ...]:
    """What shows that `texts`, each another student's, are copies."""
    answers = {f"student {number}": GradedAnswer("answer", key[1], text) for number, text in enumerate(texts)}
    graded = [GradedExercise(who, key[0], "", (item,), (), (), {}, 1.0, 10.0, 10.0) for who, item in answers.items()]
    return tuple(item.why for item in copies_of_ours(graded, {key: (STUBS[key], SOLVED[key])}, RIGHT))


def test_a_copy_word_for_word_is_told_by_itself() -> None:
    markers = re.compile(r".*(BEGIN|END) SOLUTION.*\n")
    same = "is the solution word for word"
    assert copied(KEY, markers.sub("", SOLVED[KEY]).replace("    ", "\t")) == (same,)
    assert copied(KEY, SOLVED[KEY]) == ("holds the line '// BEGIN SOLUTION', which no student gets",)
    assert len(copied(KEY, f"// END SOLUTION {'x' * 9999}")[0]) < 120
    assert copied(KEY, renamed(markers.sub("", SOLVED[KEY]))) == ()
    reported = "holds the line '// rejected by: has_no_races', which no student gets"
    assert copied(KEY, f"// rejected by: has_no_races\n{RIGHT[KEY][0]}") == (reported,)


def test_no_answer_of_somebody_who_had_not_seen_the_solution_is_a_copy() -> None:
    """Some short ones are the same word for word. These are the newest; the figures of the page are those of all."""
    assert not [key for key, answers in RIGHT.items() if copied(key, *answers[-4:])]


def test_no_student_gets_a_line_that_shows_a_copy() -> None:
    assert not [key for key, stub in STUBS.items() if copied(key, f"{stub.replace('YOUR CODE HERE', 'mine')}")]


@pytest.mark.rare
def test_the_figures_of_the_page_on_grading() -> None:
    """Each answer that somebody wrote without the solutions is judged by what the others hold."""
    false_alarms = sum(
        Published(SOLVED[key], STUBS[key], [item for item in answers if item is not text]).similarity(text) > 0
        for key, answers in RIGHT.items()
        for text in answers
    )
    all_answers = sum(map(len, RIGHT.values()))
    published = {key: Published(SOLVED[key], STUBS[key], RIGHT.get(key, ())) for key in SOLVED}
    bare = {key: re.sub(r"//.*|/\*[\s\S]*?\*/", "", text) for key, text in SOLVED.items()}
    copies = sum(published[key].similarity(SOLVED[key]) > 0 for key in SOLVED)
    stripped = sum(published[key].similarity(bare[key]) > 0 for key in SOLVED)
    message = (
        f"Of {all_answers} right answers whose writers had not seen the solutions, {false_alarms} are flagged. Of the "
        f"{len(SOLVED)} solutions, {copies} are flagged if somebody copies them, {stripped} without "
        "their comments."
    )
    page = " ".join((ROOT / "docs" / "grading.md").read_text().split())
    assert message in page, message


def test_too_little_is_never_told() -> None:
    assert Published("int x; // one two", "", ()).similarity("int x; // one two") == 0


@pytest.mark.parametrize("text", ["", "/*", '"', "// YOUR CODE HERE"])
def test_any_text_can_be_compared(text: str) -> None:
    assert reported(text) == ()
