"""Does an instructor still see what the page "Teaching with this course" shows?"""

import re
import subprocess
import sys
from pathlib import Path

import inputs
import pytest
import teach_a_term
from small_course import ROOT

from autograder import cli

pytestmark = inputs.grading

PAGE = (ROOT / "book" / "appendix-teaching.md").read_text()


@pytest.mark.rare
def test_the_commands_print_what_is_kept(tmp_path: Path) -> None:
    """In a separate process: the script forks, and a fork of this one would lack threads that other tests started."""
    done = subprocess.run([sys.executable, teach_a_term.__file__, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    message = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert message.keys() == {f"{name}.txt" for name, _ in teach_a_term.STEPS}
    stored = {
        name: (teach_a_term.TERM / name).read_text() for name in message
    }  # other programs' sessions lie there, too
    assert message == stored, "run book/data/teach_a_term.py, and read what it changed"


def test_the_page_shows_each_step_once_and_in_order() -> None:
    shown = re.findall(r"^```\{literalinclude\} data/term/(\w+)\.txt$", PAGE, re.MULTILINE)
    assert shown == [name for name, _ in teach_a_term.STEPS]


def test_the_short_path_is_nine_of_these_steps_in_order() -> None:
    """Each with an option that the commands really have: a path at the top of the page is what most people type."""
    path = re.findall(r"^\d\. `(.+?)`", PAGE.split("\n## ")[1], re.MULTILINE)
    assert len(path) == 9
    typed = iter(" ".join(command.split()[:2]) for _, commands in teach_a_term.STEPS for command in commands)
    assert [command for command in path if " ".join(command.split()[:2]) not in typed] == []
    for command in path:
        program, *words = command.split()
        if program == "autograder":
            assert cli._parse(words).command, command


def test_a_line_that_depends_on_the_machine_is_left_out(tmp_path: Path) -> None:
    message = teach_a_term.run(
        f"echo banks: 3 of 9 done, 2 running, 0 failed; echo {tmp_path}/a has 123 bytes", tmp_path, {}
    )
    assert message == "a has ... bytes\n"
