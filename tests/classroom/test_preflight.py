"""The attacks on a notebook's process, each stopped; each seen to get through where its wall is missing; and grading
that waits for them."""

from __future__ import annotations

import io
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, redirect_stdout
from pathlib import Path

import inputs
import pytest
from nbformat.v4 import new_notebook

from autograder import cli
from autograder.classroom.attacks import Attack, notebooks
from autograder.classroom.execution import fork_server, local, namespaces, preflight, sandbox
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.preflight import Outcome
from autograder.classroom.execution.preprocessors import Execute
from autograder.classroom.execution.task import Task
from autograder.cuda.compiler import zig
from autograder.cuda.errors import UsageError
from autograder.cuda.programs import process

pytestmark = [inputs.grading, pytest.mark.skipif(bool(sandbox.missing()), reason="no Landlock or no seccomp")]

THROUGH = [Outcome(Attack("read a file", "", ("PermissionError",)), "a secret")]


def tried(only: tuple[Attack, ...]) -> dict[str, Outcome]:
    """How these attacks end on this machine."""
    with pytest.MonkeyPatch.context() as patch, closing(ForkServer()) as server:
        patch.setattr(preflight, "_place", lambda: Path("/dev/null/nowhere"))
        patch.setattr(preflight, "KERNELS", ())
        patch.setattr(notebooks, "NOTEBOOKS", only)
        return {item.attack.name: item for item in preflight.attack(server)}


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER", "a secret")
        patch.setenv("GRADEBOOK_PASSWORD", "a secret")
        return tried(notebooks.NOTEBOOKS)


@pytest.mark.parametrize("attack", notebooks.NOTEBOOKS, ids=lambda attack: attack.name)
def test_an_attack_from_a_notebook_is_stopped(outcomes: dict[str, Outcome], attack: Attack) -> None:
    assert outcomes[attack.name].ended in attack.stopped


def test_the_attacks_left_no_trace(outcomes: dict[str, Outcome]) -> None:
    traces = {name: item.ended for name, item in outcomes.items() if name.endswith("afterwards")}
    assert len(traces) == 3 and set(traces.values()) == {"nothing"}


def named(attacks: tuple[Attack, ...], words: str) -> tuple[Attack, ...]:
    """Those whose names end in one of these words."""
    return tuple(item for item in attacks if item.name.endswith(tuple(words.split(", "))))


FILES = "read a file, append to a file, by a command, list a folder, a file beside another, a folder beside a file, "
FILES += "go to a folder, out of the own folder, through an open folder"
#: Landlock does not watch these.
MODES = named(notebooks.FILE, "change a mode, change a date, set an attribute")
#: They would last beyond the test; and what root cannot do without its capabilities either.
LASTING = named(notebooks.CALLS, "shared memory, messages, semaphores, into one")
PROCESSES = "numbers of processes, a command line, a state, a signal to everybody, a signal to a process, that kills"


WITHOUT_NAMESPACES = "sandbox.namespaces.flags = lambda: 0"
WITHOUT_FILES = "sandbox._close_files = lambda folder: None"


def take_away(wall: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next fork server begin with the statement `wall`."""
    main = "autograder.classroom.execution.fork_server_main"
    program = f"from autograder.classroom.execution import sandbox\n{wall}\nfrom {main} import main\nmain()"
    monkeypatch.setattr(fork_server, "PROGRAM", ("-c", program))


@pytest.mark.skipif("processes" not in namespaces.summary(), reason="this user can make no namespace of processes here")
def test_namespaces_stop_signals_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    take_away(WITHOUT_FILES, monkeypatch)  # Landlock also stops signals
    attacks = named(notebooks.OTHERS, "a signal to everybody, a signal to a process, that kills")
    found = tried(attacks)
    assert [found[attack.name].stopped for attack in attacks] == [True] * 3


@pytest.mark.parametrize(
    ("wall", "attacks"),
    [
        pytest.param(
            f"{WITHOUT_NAMESPACES}; {WITHOUT_FILES}",
            (*notebooks.WRITE, *named(notebooks.FILE, FILES), *named(notebooks.OTHERS, PROCESSES)),
            id="files-and-processes",
        ),
        pytest.param(
            f"{WITHOUT_NAMESPACES}; sandbox.system_calls.allow_only_these = lambda signals, gpu: None",
            (*MODES, *(item for item in notebooks.CALLS if item not in LASTING)),
            id="system-calls",
        ),
    ],
)
def test_without_its_wall_an_attack_gets_through(
    wall: str, attacks: tuple[Attack, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    take_away(wall, monkeypatch)
    found = tried(attacks)
    assert len(attacks) > 20 and [attack.name for attack in attacks if found[attack.name].stopped] == []


#: As libffi may do with its own file.
OPENS_A_FILE = "import os; os.dup2(os.open('/etc/passwd', os.O_RDONLY), 200)"


def test_an_open_file_of_the_fork_server_gets_through(monkeypatch: pytest.MonkeyPatch) -> None:
    take_away(OPENS_A_FILE, monkeypatch)
    (attack,) = notebooks.OPEN_FILES
    assert not tried((attack,))[attack.name].stopped


def test_a_notebook_leaves_no_position_in_a_file_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    take_away(OPENS_A_FILE, monkeypatch)
    cells = ("import os; print(os.lseek(200, 4711, 0))", "import os; print(os.lseek(200, 0, 1))")
    with closing(ForkServer()) as server:
        message = [preflight.how_it_ended(server.run(Task("notebook", (cell,), 60))) for cell in cells]
    assert message == ["4711", "0"]


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "attacks" / "this.json"
    monkeypatch.setattr(preflight, "_place", lambda *which: place.with_stem("-".join(["this", *which])))
    yield place


@pytest.fixture
def server() -> Iterator[ForkServer]:
    with closing(ForkServer()) as server:
        yield server


@pytest.mark.skipif(zig.problem() is not None, reason="no emulator")
def test_what_was_stopped_is_not_tried_again(cache: Path, server: ForkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "KERNELS", preflight.KERNELS[::40])
    monkeypatch.setattr(notebooks, "NOTEBOOKS", notebooks.NOTEBOOKS[::40])
    assert preflight.known() is None
    assert preflight.refusal(server) == "" and preflight.known()
    monkeypatch.setattr(preflight, "attack", lambda server: THROUGH)
    assert preflight.refusal(server) == ""
    cache.write_text("{")
    assert "an attack got through" in preflight.refusal(server)


def test_what_got_through_is_tried_again(cache: Path, server: ForkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    reached = Attack("a cell that gets through", "print('here')", ("PermissionError",))
    monkeypatch.setattr(preflight, "KERNELS", ())
    monkeypatch.setattr(notebooks, "NOTEBOOKS", (reached, *notebooks.FILE[:2]))
    why = preflight.refusal(server)
    assert "(a cell that gets through)" in why and "or set AUTOGRADER_TRUST_KERNELS=1 if you trust everybody" in why
    assert preflight.known() is None
    monkeypatch.setenv("AUTOGRADER_TRUST_KERNELS", "1")
    assert preflight.refusal(server) == ""


@pytest.mark.skipif(zig.problem() is not None, reason="no emulator")
def test_no_program_is_graded_where_its_sandbox_does_not_hold(
    cache: Path, server: ForkServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task = Task("test", ('program("x", case, [])',), 20)
    assert task.has_program and not Task("test", ("1",), 20).has_program
    monkeypatch.setattr(local, "_shared", lambda: server)
    no_sandbox = tmp_path / "sandbox"
    no_sandbox.write_text('#!/bin/sh\nshift\nexec "$@"\n')
    no_sandbox.chmod(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(process, "sandbox", lambda: no_sandbox)
        with pytest.raises(UsageError, match=r"that grading must stop \(makes a file and \d+ more"):
            local.execute(task)
        assert preflight.known("programs") is None
    local.execute(task)
    assert preflight.known("programs") and not preflight.known()


def test_the_result_belongs_to_a_machine_and_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = preflight._place()
    for module, name, value in (
        (preflight, "checker_version", lambda: "another"),
        (platform, "node", lambda: "another"),
        (platform, "release", lambda: "7.0"),
        (sandbox, "_landlock_version", lambda: 1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            assert preflight._place() != before
    assert preflight._place() == before != preflight._place("programs")


def test_nothing_is_graded_where_an_attack_gets_through(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_server", None)
    monkeypatch.setattr(preflight, "attack", lambda server: THROUGH)
    with pytest.raises(UsageError, match=r"an attack got through that grading must stop \(read a file\): `autograder"):
        local.execute(Task("test", ("1",), 20))  # `autograder grade`, and a worker of a cluster
    with pytest.raises(UsageError, match="an attack got through"):  # `nbgrader autograde`
        Execute().preprocess(new_notebook(), {"nbgrader": {"notebook": "one"}})


@pytest.mark.parametrize(("outcomes", "code"), [(THROUGH, 1), ([Outcome(THROUGH[0].attack, "PermissionError")], 0)])
def test_the_doctor_lists_them(outcomes: list[Outcome], code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "attack", lambda server: [])
    monkeypatch.setattr(preflight, "attack_by_program", lambda: outcomes)
    with redirect_stdout(io.StringIO()) as message:
        assert cli.main(["doctor", "--attacks"]) == code
    assert message.getvalue() == (
        "THROUGH read a file: got through: a secret\n1 attacks, 1 got through.\n"
        if code
        else "stopped read a file: PermissionError\n1 attacks, every one stopped.\n"
    )


def test_each_file_that_a_notebook_finds_open_is_counted_but_libffis_own(tmp_path: Path) -> None:
    """Before it is locked in: where others' files would be left open, the attack must count them."""
    ffi = next((path for path in Path("/usr/lib").glob("*/libffi.so.?")), None)
    (tmp_path / "gradebook").touch()
    (attack,) = notebooks.OPEN_FILES
    for path, more in ((None, 0), (tmp_path / "gradebook", 1), *([(ffi, 0)] if ffi else [])):
        given = os.open(path, os.O_RDONLY) if path else None
        done = subprocess.run(
            [sys.executable, "-c", attack.text],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, pass_fds=[given] if given else [],
        )  # fmt: skip
        if given:
            os.close(given)
        assert done.stdout.strip().endswith(f"] {3 + more} 0"), path
