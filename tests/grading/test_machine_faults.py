"""Is a right answer's author blamed for nothing that the machine lacks? Each tool is broken in turn."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import inputs
import nbformat
import pytest
from nbformat import NotebookNode
from small_course import ROOT

from autograder.compiler import cache as compile_cache
from autograder.compiler import toolchain, zig
from autograder.errors import GraderFault
from autograder.host import build
from autograder.notebook.run_notebook import run

pytestmark = inputs.grading

MEMORY = ROOT / "solutions" / "memory"
#: Notebooks whose answers are right: a kernel, and a whole program.
EXERCISES = ("saxpy", "saxpy_main")
#: What a broken compiler does, as shell commands in front of the real one's.
COMPILERS = {
    "killed": "kill -KILL $$",
    "killed while it links": 'case "$*" in *ld.lld*) kill -KILL $$;; esac',
    "breaks down": "kill -SEGV $$",
    "out of memory": "echo 'LLVM ERROR: out of memory' >&2; kill -ABRT $$",
    "little memory": "ulimit -v 50000",
    "disk full": "echo 'fatal error: error in backend: IO failure: No space left on device' >&2; exit 70",
    "a header is wrong": "echo 'cuda_runtime.h:24:5: error: unknown type name size_t' >&2; exit 1",
    "takes other code": 'for last; do :; done; echo "$last:24:5: error: use of undeclared identifier x" >&2; exit 1',
    "takes other flags": "echo \"error: unknown argument: '-x'\" >&2; exit 1",
    "lacks a library": 'case "$*" in *ld.lld*) echo "ld.lld: error: undefined symbol: std::x()" >&2; exit 1;; esac',
    "takes too long": "kill -XCPU $$",
    "writes too much": "kill -XFSZ $$",
    "writes nothing": "exit 0",
}


def solution(name: str) -> NotebookNode:
    read: NotebookNode = nbformat.read(MEMORY / f"{name}.ipynb", as_version=4)
    return read


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without modules and programs, which shares the parts of the emulator with the real one."""
    build.build_parts()
    folder = tmp_path / "cache" / "autograder"
    folder.mkdir(parents=True)
    for part in ("runtime", "host", "host-library"):
        (folder / part).symlink_to(compile_cache.cache_folder() / part)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent))
    return folder


@pytest.fixture
def compiler(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of shell commands in front of what the compiler does."""
    build.build_parts()  # from here on, the cache's parts are known
    package, breakage = tmp_path / "packages" / "ziglang", tmp_path / "breakage"
    package.mkdir(parents=True)
    real = zig.executable()
    (package / "__init__.py").touch()
    (package / "lib").symlink_to(real.parent / "lib")
    words = shlex.join(map(str, (breakage, real)))
    program = package / "zig"
    program.write_text(
        f'#!/bin/sh\nset -- {words} "$@"; breakage=$1 real=$2; shift 2\n. "$breakage"\nexec "$real" "$@"\n'
    )
    program.chmod(0o755)
    breakage.touch()
    monkeypatch.syspath_prepend(package.parent)
    cached = (zig.executable, toolchain._require_compiler, build._require_compiler)
    for function in cached:
        function.cache_clear()
    assert zig.executable() == program
    yield breakage
    for function in cached:
        function.cache_clear()


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_solution_passes_with_the_compiler_whole(compiler: Path, exercise: str) -> None:
    assert {result.outcome for result in run(solution(exercise))} == {"passed"}


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("name", COMPILERS)
def test_a_broken_compiler_is_never_the_students_fault(compiler: Path, name: str, exercise: str) -> None:
    compiler.write_text(COMPILERS[name])
    with pytest.raises(Exception) as fault:
        print([(r.check, r.outcome, r.report) for r in run(solution(exercise))])
    print(fault.value)
    assert isinstance(fault.value, GraderFault)
