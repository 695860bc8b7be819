"""Does a process of Node run one launch after another, and is one that ended replaced?"""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from autograder.cuda.backends import node_process
from autograder.cuda.backends.node_process import File, exchange
from autograder.cuda.compiler.engine import host_command
from autograder.cuda.core.answer import AnswerError
from autograder.cuda.core.enumerations import Status
from autograder.cuda.errors import GraderFault

#: In place of the host: a launch of the module "die" ends it, of "stay" never ends, any other one is left to the full
#: run. Each appends its process to the file "ran" beside the script.
HOST = """
import fs from "node:fs";
import readline from "node:readline";
for await (const line of readline.createInterface({ input: process.stdin })) {
    const name = JSON.parse(line)[0].split(/[^a-z]/).pop();
    fs.appendFileSync(new URL("ran", import.meta.url), `${process.pid}\\n`);
    if (name === "die") process.exit(7);
    if (name === "say") { console.error("out of memory"); process.exit(7); }
    while (name === "stay");
    console.log(JSON.stringify({ status: PRECISE, said: "" }));
}
"""


class Host:
    def __init__(self, folder: Path) -> None:
        self.folder, script = folder, folder / "host.mjs"
        script.write_text(HOST.replace("PRECISE", str(Status["full_check"])))
        self.command = (*host_command()[:-1], str(script))

    def launch(self, module: str = "plain") -> None:
        with File("arena", 0) as arena, File("trace", 0) as trace:
            assert exchange(self.command, self.folder / module, b"", arena, trace) is None

    @property
    def ran(self) -> list[int]:
        """The process of each launch."""
        return [int(word) for word in (self.folder / "ran").read_text().split()]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_launches_share_a_process(host: Host) -> None:
    for _ in range(3):
        host.launch()
    assert len(host.ran) == 3 and len(set(host.ran)) == 1


def test_a_process_makes_room_after_many_launches(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_process, "_MOST_LAUNCHES", 2)
    for _ in range(5):
        host.launch()
    assert [host.ran.count(item) for item in dict.fromkeys(host.ran)] == [2, 2, 1]
    with pytest.raises(ProcessLookupError):
        os.kill(host.ran[0], 0)


@pytest.mark.parametrize(
    ("module", "error"), [("die", AnswerError), ("say", GraderFault)], ids=["without a word", "with a word"]
)
def test_a_process_that_ends_is_replaced(host: Host, module: str, error: type[Exception]) -> None:
    host.launch()
    with pytest.raises(error, match="ended with status 7"):
        host.launch(module)
    host.launch()
    assert host.ran[0] == host.ran[1] != host.ran[2]


def test_a_launch_that_does_not_end_is_our_fault(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.launch()
    monkeypatch.setattr(node_process, "WALL_SECONDS", 0.5)
    with pytest.raises(GraderFault, match=r"did not answer within 0\.5 seconds"):
        host.launch("stay")
    monkeypatch.undo()
    host.launch()
    assert host.ran[1] != host.ran[2]


def test_a_forked_process_starts_its_own(host: Host) -> None:
    host.launch()
    child = multiprocessing.get_context("fork").Process(target=host.launch)
    child.start()
    child.join()
    host.launch()
    assert child.exitcode == 0
    assert host.ran[0] == host.ran[2] != host.ran[1]
