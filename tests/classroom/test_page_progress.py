"""What the files that students save in the book's pages say about a class, whatever else is in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import inputs
import pytest

from autograder.classroom.results.lecture import make_lecture, write_lecture
from autograder.classroom.results.page_progress import InPages, read_progress
from autograder.cuda.errors import UsageError

pytestmark = inputs.grading

PAGE = "exercises/barriers/missing_barrier"


def saved(points: int, tries: int, page: str = PAGE) -> dict[str, Any]:
    """What the page saves of a student with these points, of 5, after some tries."""
    results = {"missing_barrier": {"points": points, "most": 5, "best": points}}
    attempt = {"when": 1, "texts": ["x"], "points": points, "most": 5}
    return {
        "format": "how-cuda-threads-cooperate progress 1",
        "local": {f"progress {page}": json.dumps({"exercises": 1, "results": results}), "last": "{}"},
        "stored": [[f"tries {page} missing_barrier", [attempt] * tries], [f"results {page}", {}]],
    }


def write(folder: Path, **files: object) -> Path:
    for name, content in files.items():
        path = folder / name / "cuda-course-progress.json"
        path.parent.mkdir()
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def test_who_tried_and_solved_an_exercise_is_counted(tmp_path: Path) -> None:
    other = saved(5, 9, "exercises/tiling/gemm_tiled")
    folder = write(tmp_path, ada=saved(5, 2), ben=saved(5, 4), cem=saved(3, 7), dee=other)
    progress = read_progress(folder, "barriers")
    assert (progress.students, progress.unread) == (4, ())
    assert progress.exercises == (InPages("missing_barrier", 3, 2, 3),)


def test_an_exercise_of_several_answers_is_solved_if_all_are(tmp_path: Path) -> None:
    half = saved(5, 1)
    half["local"][f"progress {PAGE}"] = half["local"][f"progress {PAGE}"].replace('"exercises": 1', '"exercises": 2')
    assert read_progress(write(tmp_path, ada=half), "barriers").exercises == (InPages("missing_barrier", 1, 0, 0),)


WORDS = '{"exercises": 1, "results": {"a": {"best": "x", "most": 5}}}'
OTHERS = {
    "a text": "points: 5",
    "another page's": {"format": "another", "local": {}, "stored": []},
    "a list": [1],
    "no points": {**saved(5, 1), "local": {f"progress {PAGE}": "5"}},
    "words for points": {
        **saved(5, 1),
        "local": {f"progress {PAGE}": '{"exercises": 1, "results": {"a": {"best": "x", "most": 5}}}'},
    },
    "tries that are none": {**saved(5, 1), "stored": [["tries", 5], 3]},
    "many brackets": "[" * 100_000,
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_a_file_of_another_kind_is_left_out_by_name(content: object, tmp_path: Path) -> None:
    progress = read_progress(write(tmp_path, ada=saved(5, 2), ben=content), "barriers")
    assert progress.students == 1
    (line,) = progress.unread
    assert "ben/cuda-course-progress.json: " in line


def test_a_folder_without_a_saved_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file that a student has saved"):
        read_progress(write(tmp_path, ada="no"), "barriers")


def test_the_lecture_has_a_table_of_it(tmp_path: Path) -> None:
    progress = read_progress(write(tmp_path, ada=saved(5, 2), ben=saved(1, 1)), "barriers")
    write_lecture(tmp_path / "a.html", "barriers", make_lecture((), tmp_path, progress), str)
    page = (tmp_path / "a.html").read_text()
    assert "From 2 files" in page and "ada" not in page.partition("<main>")[2]
    cells = "".join(f'<td class="number">{number}</td>' for number in (2, 1, 2))
    assert f'<th scope="row">missing_barrier</th>{cells}' in page
