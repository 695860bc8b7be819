"""A submission in any state becomes the released notebook with its answers, and a note says what was odd."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from small_course import Notebook, answer
from submitted_notebooks import STUB, answers, cell_of, grade, is_released

from autograder.classroom.submission import cells, plain_files
from autograder.classroom.submission.folder import Rebuild, drop_copies, expect_every_notebook
from autograder.classroom.submission.notes import NoteKind
from autograder.classroom.submission.texts import MAX_ANSWER_BYTES
from autograder.cuda.errors import GraderFault, UsageError
from autograder.exercises.notebook.answer_cells import slots


def test_answers_are_taken_over(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert is_released(notebook, released) and kinds == []


def test_an_untouched_stub_needs_no_note(released: NotebookNode, tmp_path: Path) -> None:
    notebook, kinds, _ = grade(released, tmp_path, json.loads(nbformat.writes(released)))
    assert answers(notebook) == [STUB, STUB] and kinds == []


def test_nothing_but_answers_is_taken_over(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    """Tests deleted and changed, the contract rewritten, cells added, outputs, attachments, metadata."""
    submitted["cells"] = [c for c in submitted["cells"] if c["id"] != "test-second"]
    cell_of(submitted, "test-first")["source"] = "pass"
    cell_of(submitted, "setup")["source"] = "check = print"
    cell_of(submitted, "title")["attachments"] = {"a.png": {"image/png": "AAAA"}}
    mine = cell_of(submitted, "answer-first")
    mine["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "passed"}]
    mine["metadata"]["tags"] = ["remove-cell"]
    extra = {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [],
        "source": "import numpy",
    }
    submitted["cells"] += [
        extra,
        {**extra, "source": "%%bash\nrm -r /"},
        {**extra, "source": "%%cuda third\nx"},
    ]
    submitted["metadata"]["kernelspec"]["name"] = "bash"
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert is_released(notebook, released) and notebook.metadata.kernelspec.name == "python3"
    assert kinds == [NoteKind.CHANGED, NoteKind.CHANGED, NoteKind.ADDED_CELLS]
    assert "with another text ('setup', 'test-first'): they were graded as released" in text
    assert "did not come back ('test-second')" in text and "2 cells beside the released ones: not run" in text


@pytest.mark.parametrize("version", [0, 2, 4, 99, "x", None])
def test_any_schema_version(released: NotebookNode, submitted: Notebook, tmp_path: Path, version: Any) -> None:
    for cell in submitted["cells"]:
        cell["metadata"]["nbgrader"]["schema_version"] = version
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == []


def test_flags_and_ids_changed(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    for cell in submitted["cells"]:
        cell["id"] = "same"
        cell["metadata"]["nbgrader"] |= {"grade_id": "same", "points": 1000, "grade": True, "locked": False}
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert is_released(notebook, released) and kinds == []


@pytest.mark.parametrize("metadata", [{}, None, [], {"nbgrader": None}, {"nbgrader": {"grade_id": 5}}])
def test_metadata_stripped_or_broken(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, metadata: Any
) -> None:
    for cell in submitted["cells"]:
        cell["metadata"] = metadata
        del cell["id"]
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == []


def test_reordered_and_mixed_with_other_things(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    submitted["cells"] = [*reversed(submitted["cells"]), 5, None, {}, {"cell_type": "code", "source": 7}]
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == []


def test_of_several_answers_the_last_counts(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    first = cell_of(submitted, "answer-first")
    later = [{**first, "source": f"%%cuda first\n{text}"} for text in ("second try", "third try", STUB)]
    submitted["cells"] += later
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["third try", "right second"]
    assert kinds == [NoteKind.SEVERAL] and "3 cells" in text and "last one" in text
    assert "3 cells begin with" in notebook.cells[0].source  # the student is told


def test_equal_copies_are_one_answer(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    copy = deepcopy(cell_of(submitted, "answer-first"))
    copy["source"] += "  \n\n"
    submitted["cells"].append(copy)
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert [text.strip() for text in answers(notebook)] == ["right first", "right second"] and kinds == []


@pytest.mark.parametrize(
    "line",
    [
        "%%cuda first {python}",
        "%%cuda first; x",
        "%%cuda  firs",
        "%%values first",
        "%cuda first",
    ],
)
def test_a_first_line_that_is_not_quite_it_costs_nothing(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, line: str
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"{line}\nright first"
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert kinds == [NoteKind.RECOVERED] and " ".join(line.split()) in text and "'%%cuda first'" in text


@pytest.mark.parametrize("stored", ["grade_id", "cell_id"])
def test_a_lost_first_line_costs_nothing_where_either_id_tells_the_cell(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, stored: str
) -> None:
    cell_of(submitted, "answer-first")["source"] = "right first"
    for cell in submitted["cells"]:
        if stored == "grade_id":
            del cell["id"]
        else:
            cell["metadata"] = {}
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert kinds == [NoteKind.RECOVERED] and "begins with 'right first' and not with" in text


def test_a_misspelt_first_line_costs_nothing_without_any_metadata(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    cell_of(submitted, "answer-first")["source"] = "%%cuda frist\nright first"
    for cell in submitted["cells"]:
        del cell["id"]
        cell["metadata"] = {}
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert kinds == [NoteKind.RECOVERED] and "%%cuda frist" in text


def test_a_deleted_answer_cell(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    submitted["cells"].remove(cell_of(submitted, "answer-first"))
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook) == [STUB, "right second"]
    assert kinds == [NoteKind.NO_ANSWER] and "No cell begins with '%%cuda first'" in text


@pytest.mark.parametrize(
    ("above", "reported"),
    [("\n \n", False), ("// mine\n", True), ("# mine\n\n", True), ("/* mine */\n", True)],
)
def test_blank_and_comment_lines_above(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, above: str, reported: bool
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"{above}%%cuda first\nright first"
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"]
    assert kinds == ([NoteKind.RECOVERED] if reported else [])


@pytest.mark.parametrize("above", ["import os", "%%time", "%%capture out", "!nvcc -c x.cu"])
def test_code_above_the_first_line_is_left_out(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, above: str
) -> None:
    cell_of(submitted, "answer-first")["source"] = f"{above}\n%%cuda first\nright first"
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == [NoteKind.RECOVERED]


def test_an_answer_in_a_markdown_cell(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    cell_of(submitted, "answer-first")["cell_type"] = "markdown"
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == [NoteKind.RECOVERED]


def test_a_kept_version_in_a_raw_cell_does_not_win(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    submitted["cells"].append({"cell_type": "raw", "metadata": {}, "source": "%%cuda first\nold"})
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right first", "right second"] and kinds == []


def test_windows_line_ends_and_lists_of_lines(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    cell_of(submitted, "answer-first")["source"] = ["%%cuda first \r\n", "right\r\n", "first"]
    notebook, kinds, _ = grade(released, tmp_path, submitted)
    assert answers(notebook) == ["right\nfirst", "right second"] and kinds == []


def test_text_that_no_file_can_hold(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    cell_of(submitted, "answer-first")["source"] = "%%cuda first\nright \ud800"
    notebook, _, _ = grade(released, tmp_path, submitted)
    nbformat.writes(notebook).encode()
    assert answers(notebook)[0] == "right ?"


def test_an_endless_answer(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    answer(submitted, "first", "x" * (MAX_ANSWER_BYTES + 1))
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert answers(notebook)[0] == STUB and kinds == [NoteKind.NO_ANSWER] and "64 KB" in text


def test_a_notebook_of_format_3(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    old = nbformat.convert(nbformat.reads(json.dumps(submitted), as_version=4), 3)
    assert "worksheets" in old
    notebook, kinds, _ = grade(released, tmp_path, json.loads(nbformat.writes(old, version=3)))
    assert answers(notebook) == ["right first", "right second"] and kinds == []


UNREADABLE = {
    b'{"cells": [': "not JSON",
    b"": "empty",
    b"  \n": "empty",
    b"\xff\xfe\xff": "UTF-8",
    b"[" * 100_000: "nested too deep",
    b'{"cells": ' + b"9" * 5000 + b"}": "number too long",
    b"[]": "no notebook",
    b'"cells"': "no notebook",
    b'{"cells": {}}': "no notebook",
    b'{"nbformat": 4}': "no notebook",
    b'{"cells": [], "a": [' + b"{}," * 300_000 + b"0]}": "300003 brackets, more than 300000",
    json.dumps({"cells": [{"source": "\n" * 60_000}] * 2}).encode(): "120000 lines, more than 100000",
}


@pytest.mark.parametrize("content", UNREADABLE, ids=UNREADABLE.values())
def test_unreadable_files_are_named_with_the_reason(released: NotebookNode, tmp_path: Path, content: bytes) -> None:
    notebook, kinds, text = grade(released, tmp_path, content)
    assert answers(notebook) == [STUB, STUB] and is_released(notebook, released)
    assert kinds == [NoteKind.UNREADABLE] and UNREADABLE[content] in text and "one.ipynb" in text
    assert "could not be read" in notebook.cells[0].source  # the student is told


def test_a_huge_file(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells, "MAX_FILE_BYTES", 1_000)
    _, kinds, text = grade(released, tmp_path, submitted)
    assert kinds == [NoteKind.UNREADABLE] and "clear its outputs" in text


def test_links_and_folders_and_pipes_are_not_followed(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").write_text(json.dumps(submitted))
    path = tmp_path / "one.ipynb"
    makes: list[Callable[[], None]] = [
        lambda: path.symlink_to(tmp_path / "elsewhere"),
        lambda: path.symlink_to("nowhere"),
        lambda: os.mkfifo(path),
        path.mkdir,
    ]
    for make in makes:
        make()
        notebook, kinds, _ = grade(released, tmp_path, None)
        assert answers(notebook) == [STUB, STUB] and kinds == [NoteKind.UNREADABLE]
        path.rmdir() if path.is_dir() else path.unlink()


def test_a_second_name_of_a_file_is_not_read_where_anybody_may_give_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "submitted" / "eve" / "words" / "one.ipynb"
    path.parent.mkdir(parents=True)
    (tmp_path / "solution").write_text("{}")
    path.hardlink_to(tmp_path / "solution")
    monkeypatch.setattr(plain_files, "_anybody_links", lambda: False)
    assert plain_files.read_plain(path, 9) == b"{}"  # a backup, perhaps
    monkeypatch.setattr(plain_files, "_anybody_links", lambda: True)
    with pytest.raises(plain_files.UnreadableError, match="has a second name elsewhere"):
        plain_files.read_plain(path, 9)


@pytest.mark.parametrize("link", ["zoe", "zoe/words"])
def test_a_folder_that_was_exchanged_for_a_link_is_not_followed(tmp_path: Path, link: str) -> None:
    """Whoever may write there may do so after the folders were looked at."""
    target = tmp_path / "elsewhere" / link
    (tmp_path / "elsewhere" / "zoe" / "words").mkdir(parents=True)
    (tmp_path / "elsewhere" / "zoe" / "words" / "one.ipynb").write_text("{}")
    here = tmp_path / "submitted" / link
    here.parent.mkdir(parents=True)
    here.symlink_to(target)
    path = tmp_path / "submitted" / "zoe" / "words" / "one.ipynb"
    assert path.read_text() == "{}"
    with pytest.raises(plain_files.UnreadableError, match="cannot be opened"):
        plain_files.read_plain(path, 9)
    with pytest.raises(NotADirectoryError):
        plain_files.write_plain(path, b"x", 0)
    assert plain_files.read_plain(tmp_path / "elsewhere" / "zoe" / "words" / "one.ipynb", 9) == b"{}"


def test_a_missing_file(released: NotebookNode, tmp_path: Path) -> None:
    notebook, kinds, text = grade(released, tmp_path, None)
    assert answers(notebook) == [STUB, STUB]
    assert kinds == [NoteKind.MISSING] and "one.ipynb was not handed in" in text
    assert "exactly" not in text and "whatever its file is called" in text


def test_a_misnamed_file_is_found_by_its_content(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    (tmp_path / "scratch.ipynb").write_text('{"cells": []}')
    (tmp_path / "broken.ipynb").write_text("{")
    notebook, kinds, text = grade(released, tmp_path, submitted, "one (1).ipynb")
    assert answers(notebook) == ["right first", "right second"]
    assert kinds == [NoteKind.RENAMED] and "one (1).ipynb was graded as one.ipynb" in text


def test_of_two_misnamed_files_none_is_guessed(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    (tmp_path / "one (2).ipynb").write_text(json.dumps(submitted))
    notebook, kinds, text = grade(released, tmp_path, submitted, "one (1).ipynb")
    assert answers(notebook) == [STUB, STUB]
    assert kinds == [NoteKind.MISSING] and "one (1).ipynb and one (2).ipynb" in text


@pytest.mark.parametrize(
    "line",
    [
        "<script>alert(1)</script>",
        "see ![a picture](//evil.example/x.png)",
        "[a link](javascript:alert(1))",
        "www.evil.example https://evil.example",
        "`code` *and* _more_ &lt;",
        r"$\href{javascript:alert(1)}{x}$ and \(x\)",
    ],
)
def test_students_text_in_a_note_is_only_text(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, line: str
) -> None:
    cell_of(submitted, "answer-first")["source"] = line
    notebook, _, _ = grade(released, tmp_path, submitted)
    page = markdown2html_mistune(notebook.cells[0].source)
    assert html.escape(line, quote=False) in page.replace("<span>", "").replace("</span>", "")
    assert set(re.findall(r"<(\w+)", page)) <= {"p", "strong", "ul", "li", "span"}
    # MathJax does not look for formulas across elements.
    assert not re.search(r"[^>][$\\]|[$\\][^<]", page)


@pytest.mark.parametrize("line", ["print(1)", "%%cuda", "%%cuda a b", "%%bash first"])
def test_a_released_answer_cell_must_begin_with_its_magic(released: NotebookNode, line: str) -> None:
    released.cells[2].source = f"{line}\n{STUB}"
    with pytest.raises(GraderFault, match="answer-first"):
        slots(released)


def test_released_answer_cells_must_differ(released: NotebookNode) -> None:
    released.cells[2].source = released.cells[4].source
    with pytest.raises(GraderFault, match="two answer cells"):
        slots(released)


def test_cells_that_came_back_without_their_names_are_known_by_their_texts(
    released: NotebookNode, submitted: Notebook, tmp_path: Path
) -> None:
    """As from Colab: no metadata, no ids, another order, and empty cells and notes that the student added."""
    cells = [{"cell_type": c["cell_type"], "source": "".join(c["source"]) + "\n"} for c in submitted["cells"]]
    cells += [{"cell_type": "code", "source": " \n"}, {"cell_type": "markdown", "source": "my notes"}]
    submitted["cells"] = list(reversed(cells))
    assert grade(released, tmp_path, submitted)[1] == []
    submitted["cells"] = [c for c in submitted["cells"] if "right" not in c["source"] or "%%cuda" in c["source"]]
    _, kinds, text = grade(released, tmp_path, submitted)
    assert kinds == [NoteKind.CHANGED] and "did not come back ('test-first', 'test-second')" in text


def test_points_that_came_back_otherwise_are_told(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    cell_of(submitted, "test-first")["metadata"]["nbgrader"]["points"] = 1000
    notebook, kinds, text = grade(released, tmp_path, submitted)
    assert kinds == [NoteKind.CHANGED] and "other marks than they had (points, or what they are for) ('test-f" in text
    assert is_released(notebook, released)


def test_a_cell_twice_is_one_too_many(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    submitted["cells"].append(deepcopy(cell_of(submitted, "setup")))
    assert grade(released, tmp_path, submitted)[2].startswith("1 cell beside the released ones: not run")


@pytest.mark.parametrize("sign", ["\u200b", "\u202e", "\ufeff", "\x00", "\x1b"])
def test_characters_that_cannot_be_seen_are_told(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, sign: str
) -> None:
    answer(submitted, "first", f"right\n\tfir{sign}st // größer, 速い, 🙂")
    _, kinds, text = grade(released, tmp_path, submitted)
    assert kinds == [NoteKind.INVISIBLE] and f"the first (U+{ord(sign):04X}) in line 2 below that" in text
    answer(submitted, "first", "right\n\tfirst // größer, 速い, 🙂")
    assert grade(released, tmp_path, submitted)[1] == []


def test_a_note_names_three_cells_at_most(released: NotebookNode, submitted: Notebook, tmp_path: Path) -> None:
    for number in range(5):
        cell = deepcopy(released.cells[-1])
        cell.id = cell.metadata.nbgrader.grade_id = f"more-{number}"
        cell.source = f"assert {number}"
        released.cells.append(cell)
    _, _, text = grade(released, tmp_path, submitted)
    assert "did not come back ('more-0', 'more-1', 'more-2' and 2 more): they were graded" in text


@pytest.mark.parametrize("link", ["submitted/eve", "submitted/eve/words"])
def test_no_folder_that_is_a_link_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: str) -> None:
    """As nbgrader's own `autograde` finds it."""
    for folder in ("exercises/words", "elsewhere/words", "submitted/eve"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "exercises/words/one.ipynb").touch()
    (tmp_path / "submitted/eve").rmdir() if link == "submitted/eve" else None
    (tmp_path / link).symlink_to(tmp_path / "elsewhere" / ("" if link == "submitted/eve" else "words"))
    monkeypatch.chdir(tmp_path)
    here = {"assignment": "words", "notebook": "one"}
    with pytest.raises(UsageError, match=r"is a link or lies in one, and is not followed\. Put the files there\."):
        Rebuild().preprocess(new_notebook(), {"nbgrader": here, "metadata": {"path": "submitted/eve/words"}})


@pytest.mark.parametrize("name", ["timestamp.txt", "figures/notes.txt"])
def test_nbgrader_copies_through_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It would copy without end from /dev/zero before `drop_copies` runs."""
    monkeypatch.chdir(tmp_path)
    here = Path("submitted/ada/words")
    (here / "figures").mkdir(parents=True)
    (here / name).write_text("x")
    expect_every_notebook("words", "ada", [str(here / "one.ipynb")])
    (here / name).unlink()
    (here / name).symlink_to("/dev/zero")
    with pytest.raises(UsageError, match=f"{name} is a link, no file at all, or one of more than 20 MB. Remove it"):
        expect_every_notebook("words", "ada", [str(here / "one.ipynb")])
    (here / name).unlink()
    os.truncate(os.open(here / name, os.O_CREAT | os.O_WRONLY), 30_000_000)
    with pytest.raises(UsageError, match="of more than 20 MB"):
        expect_every_notebook("words", "ada", [str(here / "one.ipynb")])


def test_what_nbgrader_copied_through_a_link_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the link is gone by now."""
    monkeypatch.chdir(tmp_path)
    here, graded = Path("submitted/ada/words"), Path("autograded/ada/words")
    for folder in (here, graded):
        (folder / "figures").mkdir(parents=True)
        for name in ("one.ipynb", "gradebook.db", "figures/a.png", "timestamp.txt"):
            (folder / name).write_text("x")
    (here / "timestamp.txt").unlink()
    (here / "timestamp.txt").symlink_to("gradebook.db")
    (here / "submission_secret.txt").write_text("secret")
    drop_copies("words", "ada", [str(here / "one.ipynb")])
    assert sorted(path.name for path in graded.iterdir()) == ["one.ipynb", "submission_secret.txt"]
