"""What goes wrong in a program that nobody trusts is the program's fault or ours, and never the other's."""

from __future__ import annotations

import errno
import struct
from pathlib import Path
from uuid import uuid4

import pytest

from autograder.cuda.backends import emulator
from autograder.cuda.compiler import dwarf
from autograder.cuda.errors import GraderFault, MachineFault, UsageError
from autograder.cuda.nvrtc.occupancy import GPUS
from autograder.cuda.programs import process
from autograder.cuda.programs.building import build, unit
from autograder.cuda.programs.building.build import Program, build_program
from autograder.cuda.programs.building.program_lines import ProgramLines
from autograder.cuda.programs.building.unit import Options
from autograder.cuda.programs.launches.kernels import Kernels
from autograder.cuda.programs.memory.heap import LEAST
from autograder.cuda.programs.process import ProgramRun, run_program
from autograder.cuda.programs.served import Limits, StoppedError
from autograder.cuda.programs.state import State
from autograder.cuda.programs.wire import Call
from autograder.exercises.answers.program_answer import ProgramAnswer

HERE = Path(__file__).parents[1] / "cuda/programs"
pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


def run(text: str, tmp_path: Path, *arguments: str) -> ProgramRun:
    file = tmp_path / "p.cu"
    file.write_text(text)
    return run_program(build_program(file, Options(untrusted=True)), file, arguments, limits=Limits())


@pytest.fixture(scope="module")
def symbols() -> Program:
    return build_program(HERE / "right" / "symbols.cu")


def answered(program: Program, *calls: Call) -> None:
    """Answer calls of this program's that its runtime has not made."""
    state = State(GPUS["H200"], Kernels(program.units), ProgramLines(program.lines, program.texts), LEAST)
    for call in calls:
        process._untrusted(state)(call)


@pytest.mark.parametrize("error", [GraderFault("The machine is too busy."), OSError("no memory"), KeyError("x")])
def test_what_fails_in_the_emulator_is_our_fault(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise error

    path = HERE / "right" / "vector_add.cu"
    program = build_program(path)
    monkeypatch.setattr(emulator, "run", fails)
    with pytest.raises(GraderFault):
        run_program(program, path, (), keep=True, limits=Limits())


def calls_of(unit: str) -> dict[str, list[Call]]:
    """Calls that are none of the runtime's, by what is wrong."""
    registered = Call("register symbol", 0, (1, 4, 0), f"{unit} missing".encode())
    return {
        "unknown": [Call("cudaNoSuchCall", 0, (), b"")],
        "numbers": [Call("cudaMemcpy", 0, (), b"")],
        "a long name": [Call("register symbol", 0, (1, 4, 0), f"{unit} {'x' * 100_000}".encode())],
        "a unit": [Call("begin launch", 0, (0,), b"none f()")],
        "no launch begun": [Call("cudaLaunchKernel", 0, (1, 1, 1, 1, 1, 1, 0, 0), b"")],
        "no text": [Call("register symbol", 0, (1, 4, 0), b"\xff")],
        "too much for a variable": [registered, Call("fill symbol", 0, (1, 0), bytes(8))],
        "no variable": [registered, Call("fill symbol", 0, (1, 0), b"")],
        "an address for no number": [Call("cudaMemset", 0, (1 << 70,), b"")],
    }


@pytest.mark.parametrize("name", calls_of(""))
def test_what_is_no_call_of_the_runtimes_is_the_programs_fault(symbols: Program, name: str) -> None:
    with pytest.raises((StoppedError, UsageError)):
        answered(symbols, *calls_of(next(iter(symbols.units)))[name])


def test_a_signal_without_a_name_ends_a_program_like_others(tmp_path: Path) -> None:
    file = tmp_path / "p.cu"
    file.write_text("#include <csignal>\nint main() { raise(35); }\n")
    done = run_program(build_program(file), file, ())
    assert [finding.facts["signal"] for finding in done.findings] == ["signal 35"]


@pytest.mark.parametrize("variable", ["char all[3ul << 30]", "thread_local char all[3ul << 30]"])
def test_what_cannot_be_linked_is_the_programs_fault(variable: str, tmp_path: Path) -> None:
    text = f"{variable};\nint main(int n, char**) {{ return all[n]; }}\n"
    with pytest.raises(
        UsageError, match=r"p\.cu cannot be linked, as with variables that are too large: .*out of range"
    ):
        run(text, tmp_path)


def test_a_program_that_becomes_too_large_a_file_is_the_programs_fault(tmp_path: Path) -> None:
    """Its object is just as large as a file may be."""
    text = "char all[66'900'000] = {1};\nint main(int n, char**) { return all[n]; }\n"
    with pytest.raises(UsageError, match=r"p\.cu becomes too much code"):
        run(text, tmp_path)


def test_no_program_has_units_that_are_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should such a text get by what is refused."""
    monkeypatch.setattr(unit, "refuse", lambda *_: None)
    text = (
        '__attribute__((section(".autograder"))) const volatile char units[] = "[]";\n'
        "int main(int n, char**) { return units[n]; }\n"
    )
    with pytest.raises(UsageError, match=r"p\.cu puts something into the section \.autograder"):
        run(text, tmp_path)


@pytest.mark.parametrize("error", [struct.error("too short"), ZeroDivisionError(), TypeError(), RecursionError()])
def test_what_cannot_be_read_of_a_program_is_the_programs_fault(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    answer = ProgramAnswer("p", "\nint main() {}\n")
    monkeypatch.setattr(dwarf, "read_lines", fails)
    assert answer.built == "The table of lines of p.cu's program cannot be read."


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (OSError(errno.EIO, "Input/output error"), MachineFault),
        (FileNotFoundError(errno.ENOENT, "No such file"), FileNotFoundError),  # as when somebody deletes the cache
        (GraderFault("The linker failed."), GraderFault),
    ],
)
def test_a_program_that_the_machine_cannot_read_is_not_the_programs_fault(
    error: Exception, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(dwarf, "read_lines", fails)
    with pytest.raises(raised):
        _ = ProgramAnswer("p", "\nint main() {}\n").built


def test_a_table_of_lines_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_MOST_LINES", 10)
    text = f"\nint main() {{ return 1; }}  // {uuid4()}, so that it is in no cache\n"
    assert ProgramAnswer("p", text).built == "p.cu becomes too much code."
