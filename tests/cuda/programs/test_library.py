"""How the C++ library for programs is made: only as much as a program needs, and an interrupted build continues."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from autograder import cli
from autograder.cuda.commands.run import announce_first_build
from autograder.cuda.compiler import system_headers
from autograder.cuda.errors import GraderFault
from autograder.cuda.programs.building import cpp_library, runtime_build, unit

pytestmark = pytest.mark.cached("autograder/**/*", "tests/cuda/programs/**/*")


def test_an_interrupted_build_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []

    def build(command: Sequence[str], folder: Path, what: str) -> None:
        assert list(folder.iterdir()) == []  # nothing of an earlier one
        built.append(command[0])
        (folder / command[0]).write_text("whole" if command[1] else "half")
        if not command[1]:
            raise GraderFault("killed")

    monkeypatch.setattr(cpp_library, "build", build)
    with pytest.raises(GraderFault):
        cpp_library.compile_objects({"a.o": [["a.o", "ends"]], "b.o": [["b.o", ""]]}, tmp_path)
    assert (tmp_path / "a.o").exists() and not (tmp_path / "b.o").exists()
    cpp_library.compile_objects({"a.o": [["a.o", "ends"]], "b.o": [["b.o", "ends"]]}, tmp_path)
    assert sorted(built) == ["a.o", "b.o", "b.o"]
    assert [(tmp_path / name / name).read_text() for name in ("a.o", "b.o")] == ["whole", "whole"]


def test_the_runtime_is_built_after_an_interrupted_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(commands: object, home: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runtime_build, "compile_objects", interrupt)
    with pytest.raises(KeyboardInterrupt):
        runtime_build._build(tmp_path)
    monkeypatch.setattr(runtime_build, "compile_objects", lambda commands, home: None)
    runtime_build._build(tmp_path)
    assert (tmp_path / "include/cuda_fp16.h").exists()


def test_macros_keep_headers_from_being_read_again(tmp_path: Path) -> None:
    """After the macros of what is precompiled, a file has what it has after its text."""
    mine = runtime_build.runtime() / "include"
    inner = {"cuda_errors.h", "first.h", "narrow_float.h", "narrow_host.h"}
    names = {str(path.relative_to(mine)) for path in mine.rglob("*") if path.is_file()} - inner
    file = tmp_path / "all.cu"
    more = ["cassert", "cstdio", "functional", "iostream", "map", "stdlib.h", "string", "vector"]
    file.write_text("".join(f"#include <{name}>\n" for name in sorted(names) + more), encoding="utf-8")

    def words_of(options: unit.Options, folder: str) -> list[str]:
        text, _ = unit.expand_device(file, tmp_path / folder, options)
        return " ".join(line for line in text.split("\n") if not line.startswith("# ")).split()

    assert words_of(unit.DEFAULTS, "macros") == words_of(unit.Options(defined=("UNUSED",)), "text")


@pytest.mark.rare
def test_a_package_may_be_installed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is precompiled serves when the compiler's package is installed again, and is not that of another copy."""
    wheel, first, second = system_headers.wheel_library(), tmp_path / "first", tmp_path / "second"
    for library in (first, second):
        for folder in system_headers.header_folders():
            name = folder.relative_to(wheel)
            (library / name).parent.mkdir(parents=True, exist_ok=True)
            (library / name).symlink_to(folder)
        (library / "libcxx/include").unlink()
    shutil.copytree(wheel / "libcxx/include", first / "libcxx/include")
    file = tmp_path / "program.cu"
    file.write_text("#include <vector>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n", encoding="utf-8")

    def compile_with(library: Path, name: str) -> None:
        monkeypatch.setattr(system_headers, "wheel_library", lambda: library)
        (tmp_path / name).mkdir()
        expanded = unit.expand(file, tmp_path / name, unit.DEFAULTS)
        assert unit.compile_unit(expanded, tmp_path / name, unit.DEFAULTS).exists()

    compile_with(first, "at first")
    for header in first.rglob("*"):
        os.utime(header)
    compile_with(first, "installed again")
    shutil.move(first / "libcxx/include", second / "libcxx/include")
    compile_with(second, "elsewhere")


@pytest.fixture
def new_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a library of which nothing is made; what is made is copied."""
    cpp_library.build_library()
    made = cpp_library._home()
    home = tmp_path / "library"
    home.mkdir()

    def copy(names: Sequence[str]) -> None:
        for name in names:
            shutil.copytree(made / f"{name}.o", home / f"{name}.o", dirs_exist_ok=True)

    monkeypatch.setattr(cpp_library, "_home", lambda: home)
    monkeypatch.setattr(cpp_library, "_make", copy)
    return home


@pytest.mark.parametrize(
    ("includes", "statement", "steps"),
    [
        ("vector", "std::vector<int>(3).at(2);", 1),
        ("iostream", 'std::cerr << "3.5";', 2),
        ("filesystem", 'std::filesystem::exists("3.5");', 3),
    ],
)
def test_a_program_waits_for_the_parts_that_it_links(
    includes: str, statement: str, steps: int, new_machine: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "p.cu"
    program.write_text(f"// {tmp_path}\n#include <{includes}>\nint main() {{ {statement} }}\n")
    assert cli.main(["run", str(program)]) == 0
    made = {path.stem for path in new_machine.glob("*.o")}
    assert made == {name for names in cpp_library._STEPS[:steps] for name in names}


def test_the_first_program_says_why_it_takes_longer(new_machine: Path, capfd: pytest.CaptureFixture[str]) -> None:
    announce_first_build(program=True)
    assert capfd.readouterr().err.startswith("The first program on a machine takes longer")
    next(cpp_library.growing_library())
    announce_first_build(program=True)
    assert capfd.readouterr().err == ""
