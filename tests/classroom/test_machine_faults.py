"""Does what a machine lacks cost no points? Each tool is broken in turn, and right answers are checked."""

from __future__ import annotations

import errno
import importlib.metadata
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import inputs
import nbformat
import numpy as np
import pytest
from nbformat import NotebookNode
from small_course import ROOT, Course, gradebook_rows

from autograder import Kernel, cli
from autograder.classroom.commands.sample_class import SampleExercise
from autograder.classroom.execution import local, preflight
from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.replay import task_of
from autograder.cuda.backends import emulator, emulator_process
from autograder.cuda.compiler import cache as compile_cache
from autograder.cuda.compiler import emulator_runtime, engine, kernel_flags, toolchain, zig
from autograder.cuda.compiler.canary import NAME, canary_for
from autograder.cuda.compiler.kernel_flags import Runtime, prelude_of
from autograder.cuda.compiler.webassembly import math_library
from autograder.cuda.compiler.webassembly import runtime as wasm_runtime
from autograder.cuda.core.findings import CompileError
from autograder.cuda.errors import GraderFault, UsageError
from autograder.cuda.programs import process
from autograder.cuda.programs.building import build, cpp_library, runtime_build
from autograder.cuda.programs.building.build import build_program
from autograder.cuda.programs.building.unit import Options
from autograder.cuda.programs.process import run_program
from autograder.cuda.programs.served import Limits
from autograder.cuda.source.text import CUDA_HEADERS, STD_HEADERS
from autograder.exercises.notebook.run_notebook import run

pytestmark = inputs.grading

#: Notebooks whose answers are right: a kernel, and a whole program.
KERNEL, PROGRAM = EXERCISES = ("saxpy", "saxpy_main")
#: What a broken compiler does, as shell commands before the real one's.
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


def path_of(exercise: str) -> Path:
    (path,) = (ROOT / "solutions").glob(f"*/{exercise}.ipynb")
    return path


def solution(name: str) -> NotebookNode:
    read: NotebookNode = nbformat.read(path_of(name), as_version=4)
    return read


def forget() -> None:
    """Forget what this process knows of the compiler."""
    for function in (zig.executable, zig._wheel_problem, toolchain.require_compiler, build.require_compiler):
        function.cache_clear()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without modules and programs, which shares the parts of the emulator with the real one."""
    build.build_parts()
    emulator_runtime.build_preludes()  # each remembers its path, so none may be built by the path of a link
    folder = tmp_path / "cache" / "autograder"
    folder.mkdir(parents=True)
    for part in ("runtime", "host", "host-library", "wasm-math"):
        (compile_cache.cache_folder() / part).mkdir(exist_ok=True)
        (folder / part).symlink_to(compile_cache.cache_folder() / part)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent))
    return folder


@pytest.fixture
def compiler(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of shell commands before what the compiler does."""
    build.build_parts()  # from here on, the cache's parts are known
    package = tmp_path / "site-packages" / "ziglang"  # by this name, the sandbox lets notebooks read it
    breakage = package.with_name("breakage")
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
    monkeypatch.delitem(sys.modules, "ziglang", raising=False)
    forget()
    assert zig.executable() == program
    yield breakage
    monkeypatch.undo()
    forget()


def fault(exercise: str) -> str:
    """What checking the solution ends in, which must be a fault of ours."""
    with pytest.raises(GraderFault) as found:
        run(solution(exercise))
    return str(found.value)


def test_a_solution_passes_where_nothing_is_broken(compiler: Path) -> None:
    assert {result.outcome for result in run(solution(KERNEL))} == {"passed"}


@pytest.mark.sampled(one_in=13)
@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("name", COMPILERS)
def test_a_broken_compiler_costs_no_points(compiler: Path, name: str, exercise: str) -> None:
    compiler.write_text(COMPILERS[name])
    fault(exercise)


def test_a_compiler_that_is_killed_once_makes_no_program_wrong(compiler: Path) -> None:
    compiler.write_text(f"[ -e {compiler}.once ] || {{ touch {compiler}.once; kill -KILL $$; }}")
    assert fault(PROGRAM).startswith("The system killed the compiler")


def remove_compiler() -> None:
    zig.executable().unlink()


def lock_compiler() -> None:
    zig.executable().chmod(0o644)


@pytest.mark.sampled()
@pytest.mark.parametrize("breaks", [remove_compiler, lock_compiler])
@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_compiler_that_is_not_there_is_named(compiler: Path, breaks: Callable[[], None], exercise: str) -> None:
    breaks()
    assert "is damaged or may not be started: run `pip install --force-reinstall" in fault(exercise)


@pytest.mark.sampled()
@pytest.mark.parametrize("exercise", EXERCISES)
def test_another_version_of_the_compiler_is_refused(
    compiler: Path, exercise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.16.0" if name == "ziglang" else there(name))
    assert "of version 0.16.0, and 0.17.0.post0 is needed: run `pip install" in fault(exercise)


def kill_emulator(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started = emulator_process._run
    command = ["/bin/sh", "-c", "kill -KILL $$"]
    patch.setattr(emulator_process, "_run", lambda _, files, seconds: started(command, files, seconds))


def kill_programs(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sandbox = tmp_path / "sandbox"
    sandbox.write_text("#!/bin/sh\nkill -KILL $$\n")
    sandbox.chmod(0o755)
    patch.setattr(process, "sandbox", lambda: sandbox)


def remove_sandbox(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    patch.setattr(process, "sandbox", lambda: tmp_path / "sandbox")


def allow_no_processes(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    patch.setattr(subprocess, "Popen", refuse)


def allow_no_files(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    patch.setattr(os, "memfd_create", refuse)


def remove_temporary_folder(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    patch.setattr(tempfile, "TemporaryDirectory", refuse)


def fill_the_disk(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    patch.setattr(shutil, "copyfileobj", refuse)


def kill_node(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    patch.setenv(engine.VARIABLE, "webassembly")
    patch.setattr(emulator, "host_command", lambda: ("/bin/sh", "-c", "kill -KILL $$"))


def remove_node(patch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing() -> None:
        raise UsageError("The WebAssembly engine needs Node.")

    patch.setenv(engine.VARIABLE, "webassembly")
    patch.setattr(zig, "host_command", missing)


TOOLS = {
    KERNEL: (
        kill_emulator, allow_no_processes, allow_no_files, remove_temporary_folder, fill_the_disk, kill_node,
        remove_node,
    ),
    PROGRAM: (
        kill_emulator, kill_programs, remove_sandbox, allow_no_processes, allow_no_files, remove_temporary_folder,
        fill_the_disk, kill_node,
    ),
}  # fmt: skip


@pytest.mark.sampled(one_in=5)
@pytest.mark.parametrize(
    ("exercise", "breaks"),
    [(exercise, breaks) for exercise, several in TOOLS.items() for breaks in several],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_broken_tool_costs_no_points(
    cache: Path,
    exercise: str,
    breaks: Callable[[pytest.MonkeyPatch, Path], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    emulator_runtime.build_runtime(), runtime_build.runtime(), cpp_library.system_libraries()
    breaks(monkeypatch, tmp_path)
    fault(exercise)


#: Parts of the cache, by what they are for: a pattern of the file.
PARTS = {
    "emu-run": "runtime/*/emu-run",
    "prelude": "runtime/*/prelude.pch",
    "hooks": "runtime/*/hooks.bc",
    "kernels' header": "runtime/*/include/cooperative_groups.h",
    "sandbox": "host/*/sandbox/sandbox",
    "programs' runtime": "host/*/runtime.o/runtime.o",
    "programs' header": "host/*/include/cuda_runtime.h",
    "C++ library": "host-library/*/core.o/core.o",
    "kernel": "modules/*/module.so",
    "kernel's facts": "modules/*/module.json",
    "program": "programs/*/program",
}
DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "emptied": lambda file: file.write_bytes(b""),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "garbage": lambda file: file.write_bytes(b"\xa5" * file.stat().st_size),
}
DOUBLED = "__global__ void doubled(int* x) { x[threadIdx.x] *= 2; }\n"
MAIN = """#include <cstdio>
int main() {
    int *x, host[32] = {1, 2, 3};
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    doubled<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d", host[2]);
    return cudaFree(x);
}
"""


def use(file: Path, text: str = DOUBLED) -> None:
    """Use every part of the cache for a kernel and a program that are right."""
    assert toolchain.find_compile_errors(text) == [] and toolchain.find_warnings(text) == ()
    done = Kernel(text, "doubled").emulate(1, 32, [np.arange(32, dtype=np.int32)])
    assert done.outputs[0].tolist() == list(range(0, 64, 2))
    file.write_text(text + MAIN)
    ran = run_program(build_program(file, Options(untrusted=True)), file, (), limits=Limits())
    assert (ran.printed, ran.status, ran.findings) == ("6", 0, ())


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with nothing but what a kernel and a program need."""
    build.build_parts()
    folder = tmp_path_factory.mktemp("used") / "autograder"
    homes = {"runtime": emulator_runtime.build_runtime().prelude.parent, "host": runtime_build.runtime()}
    for part, home in (homes | {"host-library": cpp_library._home()}).items():
        shutil.copytree(home, folder / part / home.name, symlinks=True)
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder.parent))
        use(folder.parent / "p.cu")
    return folder


@pytest.mark.sampled()
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("part", PARTS)
def test_a_damaged_cache_heals(
    used: Path, part: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(used, tmp_path / "autograder", symlinks=True)
    files = [*(tmp_path / "autograder").glob(PARTS[part])]
    assert files
    for file in files:
        DAMAGES[damage](file)

    # What takes long to build is copied.
    def build_again(home: Path) -> None:
        shutil.copytree(used / "runtime" / home.name, home, symlinks=True, dirs_exist_ok=True)

    def compile_again(names: Iterable[str], home: Path) -> None:
        for name in names:
            if not compile_cache.is_whole(home / name):
                shutil.copytree(used / home.parent.name / home.name / name, home / name, dirs_exist_ok=True)

    monkeypatch.setattr(emulator_runtime, "_build", build_again)
    for module in (runtime_build, cpp_library):
        monkeypatch.setattr(module, "compile_objects", compile_again)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    use(tmp_path / "p.cu")
    use(tmp_path / "p.cu", f"\n{DOUBLED}")  # what is not in the cache yet


#: Parts of the cache that are built on first use, and the file of each in its folder.
LATE: dict[str, Callable[[Runtime], Path]] = {
    "prelude.pch": lambda runtime: prelude_of(runtime, "#include <cuda_fp16.h>"),
    "emu-run": emulator_runtime.build_unchecked_runner,
    "emulator.wasm": wasm_runtime.build_runtime_module,
    "built.o": wasm_runtime.build_math_library,
}


@pytest.mark.sampled(among="damage")
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("part", LATE)
def test_a_damaged_late_part_is_built_again(
    part: str, damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "autograder" / "runtime" / "key"
    home.mkdir(parents=True)
    for name in ("autograder", "autograder/runtime"):
        (tmp_path / name).chmod(0o700)
    (home / "prelude.pch").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    runtime = Runtime(home / "emu-run", home / "prelude.pch", home / "include", home, home, "key")
    builds = []

    def build(folder: Path, name: str) -> str:
        builds.append(name)
        (folder / name).write_bytes(b"right")
        return name

    monkeypatch.setattr(kernel_flags, "clang", lambda flags, folder: build(folder, flags[-1]) and None)
    monkeypatch.setattr(emulator_runtime, "build_runner", lambda _, folder, name, *flags: build(folder, name))
    monkeypatch.setattr(wasm_runtime, "_build_runtime", lambda home, math, folder: build(folder, "emulator.wasm"))
    monkeypatch.setattr(math_library, "build_in", lambda folder: build(folder, "built.o"))
    made = LATE[part](runtime)
    assert made.name == part and made.read_bytes() == b"right"
    DAMAGES[damage](made)
    for _ in range(2):
        assert LATE[part](runtime) == made and made.read_bytes() == b"right"
    assert builds.count(part) == 2


def test_a_prelude_that_is_damaged_while_it_is_in_use_costs_no_points(
    used: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(used, tmp_path / "autograder", symlinks=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    emulator_runtime.build_runtime().prelude.write_bytes(b"garbage")  # looked at once a process
    with pytest.raises(
        GraderFault, match=rf"(?s)not work on this machine.* and delete {tmp_path}/autograder, which is made"
    ):
        toolchain.compile_kernel("__global__ void k(float* x) { x[0] = 1; }", "k")


def test_the_known_kernel_may_include_all_headers(cache: Path) -> None:
    """Or an answer that includes some of them could make its mistakes the grader's."""
    several = sorted(CUDA_HEADERS | STD_HEADERS)
    for names in (several, several[::-1]):
        text = canary_for("".join(f"#include <{name}>\n" for name in names))
        assert not isinstance(toolchain.compile_kernel(text, NAME), CompileError)


#: Texts that take more than they may, or let the compiler say what it says where a machine fails.
DODGES = (
    "#error error: out of memory, No space left on device",
    '#line 1 "x\\nerror: cannot be started"\n#error no',
    '#pragma message("\\nerror: Killed")\nint x = y;',
    "template <int n> struct A { A<n + 1> a; }; A<0> a;",
    "__device__ int x[1ull << 40];",
)


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize("dodge", DODGES)
def test_no_answer_makes_its_mistake_the_graders(cache: Path, dodge: str, tmp_path: Path) -> None:
    kernel = "__global__ void k(int* x) { x[0] = 1; }"
    assert not isinstance(toolchain.compile_kernel(f"{dodge}\n{kernel}", "k"), toolchain.Module)
    (tmp_path / "p.cu").write_text(f"{dodge}\nint main() {{ return z; }}\n")
    with pytest.raises(UsageError):
        build_program(tmp_path / "p.cu", Options(untrusted=True))


def test_the_command_line_says_whose_fault_it_is(
    compiler: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.cu").write_text("int main() { return x; }\n")
    assert cli.main(["run", "wrong.cu"]) == 2
    assert "wrong.cu line 1 does not compile" in capfd.readouterr().err
    forget()
    compiler.write_text(COMPILERS["takes other code"])
    Path("right.cu").write_text("int main() { return 0; }\n")
    Path("kernel.cu").write_text("__global__ void k(int* x) { x[0] = 1; }\n")
    launch = "--grid 1 --block 1 --arg x=zeros:1".split()
    for words in (
        ["run", "right.cu"], ["cc", "right.cu"], ["run", "kernel.cu", *launch],
        ["verify", str(path_of(KERNEL))], ["verify", str(path_of(PROGRAM))],
    ):  # fmt: skip
        assert cli.main(words) == 3, words
        out, err = capfd.readouterr()
        assert err.startswith("autograder: this machine is at fault: The compiler does not work on this machine"), words
        assert "refuted" not in out


def test_the_doctor_finds_a_broken_compiler(compiler: Path, capfd: pytest.CaptureFixture[str]) -> None:
    compiler.write_text(COMPILERS["lacks a library"])
    cli.main(["doctor"])
    (line,) = (line for line in capfd.readouterr().out.split("\n") if "emulator: " in line)
    assert line.startswith("MISSING emulator: it does not run a kernel: ")


def test_grading_flags_what_a_broken_compiler_leaves_open(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(zig.executable().parents[1]))
    server = ForkServer()
    try:
        compiler.write_text(COMPILERS["takes other code"])
        for exercise in EXERCISES:
            assert not server.run(task_of(solution(exercise), exercise, 60)).sound
    finally:
        server.close()


@pytest.mark.rare
def test_a_class_is_graded_when_the_compiler_is_repaired(
    compiler: Path, course: Course, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(zig.executable().parents[1]))
    monkeypatch.chdir(course.root)
    for why in ("refusal", "refusal_of_programs"):
        monkeypatch.setattr(preflight, why, lambda *_: "")  # what gets through is tried elsewhere
    for exercise in EXERCISES:
        course.add("memory", exercise, solution(exercise))
    course.nbgrader(("generate_assignment", "memory"))
    for student in ("ada", "bob"):
        for exercise in EXERCISES:
            course.submit(student, "memory", exercise, SampleExercise(course.root, "memory", exercise).solved())
    local.stop()
    try:
        compiler.write_text(COMPILERS["takes other code"])
        assert cli.main(["grade", "memory"]) == 3
        assert "this machine is at fault: The compiler does not work on this machine" in capfd.readouterr().err
        assert gradebook_rows(course.root)["grade"] == set()
        compiler.write_text("")
        assert cli.main(["grade", "memory"]) == 0
        grades = gradebook_rows(course.root)["grade"]
        assert len({student for student, *_ in grades}) == 2
        assert all(score == most for *_, score, _, _, _, most in grades)
    finally:
        local.stop()
