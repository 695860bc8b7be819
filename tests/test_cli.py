"""The `autograder` command: what it says, and its exit codes."""

from __future__ import annotations

import errno
import platform
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from autograder import cli
from autograder.classroom.commands import doctor
from autograder.cuda.errors import GraderFault, UsageError


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from autograder.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "print(sorted({'nbgrader', 'nbformat', 'rich', 'IPython', 'cupy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip().endswith("[]"), done.stdout + done.stderr
    for command in ("course", "release", "report", "verify", "doctor"):
        assert f"\n    {command} " in done.stdout


def test_the_public_names_load_nothing_until_they_are_used() -> None:
    """A command starts without the rooms that it does not need."""
    code = "import sys; from autograder.cli import main\ntry: main(['run', '--help'])\nexcept SystemExit: pass\n"
    code += "rooms = {'autograder.cuda.kernel', 'autograder.exercises.notebook.session'}\n"
    code += "print(sorted({'numpy', *rooms} & set(sys.modules)))\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "autograder"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "the following arguments are required: command" in done.stderr


def test_the_versions_are_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    (compiler,) = [name.replace("==", " ") for name in project["dependencies"] if name.startswith("ziglang")]
    machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"autograder {project['version']} ({compiler}, {machine})\n"

    def installed(package: str) -> str:
        if package == "ziglang":
            raise PackageNotFoundError(package)
        return "1.2.3"

    monkeypatch.setattr("importlib.metadata.version", installed)
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"autograder 1.2.3 (no ziglang, {machine})\n"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UsageError("Use a smaller block."), 2, "autograder: Use a smaller block."),
        (GraderFault("no disk"), 3, "autograder: the grader itself failed: no disk"),
        (ModuleNotFoundError("x", name="rich"), 3, "autograder: this machine is at fault: the package rich is missing"),
        (
            ModuleNotFoundError("x", name="numpy"),
            3,
            "autograder: this machine is at fault: the package numpy is missing: run `pip install numpy`.",
        ),
        (KeyboardInterrupt(), 130, "autograder: stopped."),
    ],
)
def test_every_error_is_a_sentence(
    error: BaseException, code: int, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(options: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_doctor", fail)
    assert cli.main(["doctor"]) == code
    assert capsys.readouterr().err.startswith(message)


def test_a_package_that_may_not_exist_for_this_python_yet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(options: object) -> int:
        raise ModuleNotFoundError("x", name="tree_sitter")

    monkeypatch.setattr(cli, "_mutate", fail)
    monkeypatch.setattr(doctor, "NEWEST", (3, 10))
    assert cli.main(["mutate"]) == 3
    here = "{}.{}".format(*sys.version_info[:2])
    assert capsys.readouterr().err == (
        "autograder: this machine is at fault: the package tree_sitter is missing, and may not exist for Python "
        f"{here} yet: make .venv with 3.10.\n"
    )


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("x", name="autograder.cuda.kernel"),
        FileNotFoundError(errno.ENOENT, "No such file"),
        ZeroDivisionError("a bug"),
    ],
)
def test_an_error_that_nobody_expected_is_no_verdict(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python itself would end with 1, as where a check failed."""

    def fail(options: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_doctor", fail)
    assert cli.main(["doctor"]) == 3
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first == "Traceback (most recent call last):"
    assert last == "autograder: the grader itself failed, as the lines above say."


def test_outside_a_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["course"], ["release", "--check"], ["report", "barriers"]):
        assert cli.main(command) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_release_check_says_what_differs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found: tuple[str, ...] = ("exercises/a is missing",)
    monkeypatch.setattr("autograder.exercises.authoring.release.check_release", lambda root: found)
    assert cli.main(["release", "--check"]) == 1
    assert "exercises/a is missing\nRun `autograder release`" in capsys.readouterr().out
    found = ()
    assert cli.main(["release", "--check"]) == 0


def test_the_doctor_finds_this_machine_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("ok      emulator: compiled and ran a kernel in") for line in lines)
    assert len(lines) == 13


def test_the_doctor_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def __init__(self, source: str, name: str) -> None:
            raise GraderFault("no compiler")

    monkeypatch.setattr(doctor, "Kernel", Broken)
    assert cli.main(["doctor"]) == 1
    assert "MISSING emulator: it does not run a kernel: no compiler" in capsys.readouterr().out


def test_the_doctor_says_what_of_the_sandbox_is_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        "autograder.classroom.execution.sandbox.missing", lambda: ("files: use another kernel", "the network: too")
    )
    assert cli.main(["doctor"]) == 0
    line = "none    sandbox: not restricted for a notebook that is graded: files: use another kernel; the network: too"
    assert line in capsys.readouterr().out.splitlines()


FULL, READ_ONLY, BUSY = (errno.ENOSPC, "No space left"), (errno.EROFS, "Read-only"), (errno.EMFILE, "Too many")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(*FULL, "/a/b"), "/a/b cannot be used (No space left): delete files there."),
        (OSError(*FULL), "A file cannot be used (No space left): delete files there."),
        (OSError(*READ_ONLY, "/a/b"), "/a/b cannot be used (Read-only): let this user write there."),
        (OSError(*BUSY), "A file cannot be used (Too many): run this again when less is running, and where"),
    ],
)
def test_what_a_machine_lacks_is_a_sentence(
    error: OSError, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(words: object) -> None:
        raise error

    monkeypatch.setattr(cli, "_parse", fail)
    assert cli.main(["doctor"]) == 3
    assert capsys.readouterr().err.startswith(f"autograder: this machine is at fault: {message}")
