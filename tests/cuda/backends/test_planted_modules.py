"""Compiled kernels of nobody's compiler: nothing runs before the sandbox is closed, or calls what it may not."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder.cuda.compiler import toolchain, zig
from autograder.cuda.compiler.clang import LINUX, PIC, clang
from autograder.cuda.core.findings import ForbiddenCode
from autograder.cuda.errors import GraderFault
from autograder.cuda.kernel import Kernel

pytestmark = inputs.emulation

Plant = Callable[..., Kernel]
ESCAPED = Path(tempfile.gettempdir()) / "a_module_escaped"
#: `escape` creates the file by system calls alone.
PLANTED = f"""
static long call(long number, long a, long b, long c) {{
    long result;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}}
static void escape(void) {{ call(2, (long)"{ESCAPED}", 0101, 0600); }}
MORE
const unsigned emu_accesses = 0;
const unsigned emu_parameters[] = {{1, 8}};
void emu_entry(void** arguments) {{ INSIDE **(float**)arguments[0] = 7; }}
"""


@pytest.fixture(autouse=True)
def nothing_escapes() -> Iterator[None]:
    ESCAPED.unlink(missing_ok=True)
    yield
    assert not ESCAPED.exists()


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plant:
    """A kernel whose compiled module was exchanged for `PLANTED`, with something more."""
    kernel = Kernel("__global__ void planted(float* out) { out[0] = 1; }", "planted")
    genuine = toolchain.compile_kernel(kernel.source, "planted")
    assert isinstance(genuine, toolchain.Module)

    def exchange(more: str = "", inside: str = "", *link: str) -> Kernel:
        text = PLANTED.replace("MORE", more).replace("INSIDE", inside)
        (tmp_path / "planted.c").write_text(text)
        assert clang([*LINUX, *PIC, *"-O1 -emit-obj planted.c -o planted.o".split()], tmp_path) is None
        command: list[str | Path] = [
            zig.executable(),
            "ld.lld",
            "-shared",
            "-z",
            "now",
            *link,
            "planted.o",
            "-o",
            "module.so",
        ]
        done = zig.run(command, tmp_path)
        assert not done.returncode, done.stderr
        planted = toolchain.Module(tmp_path / "module.so", genuine.info)
        monkeypatch.setattr("autograder.cuda.backends.emulator.compile_kernel", lambda *_: planted)
        return kernel

    return exchange


def first_output(kernel: Kernel) -> float:
    run = kernel.emulate(1, 1, [np.zeros(1, np.float32)])
    assert run.completed, run.findings
    return float(run.outputs[0][0])


def test_a_planted_module_runs(plant: Plant) -> None:
    """Or the tests below would show nothing."""
    assert first_output(plant()) == 7


@pytest.mark.parametrize(
    ("more", "link"),
    [
        ("__attribute__((constructor)) static void early(void) { escape(); }", ()),
        ("void early(void) { escape(); }", ("-init", "early")),
    ],
    ids=["constructor", "init"],
)
def test_nothing_of_it_runs_before_the_sandbox_is_closed(plant: Plant, more: str, link: tuple[str, ...]) -> None:
    assert first_output(plant(more, "", *link)) == 7


@pytest.mark.parametrize(
    "body",
    [
        "escape();",
        "call(57, 0, 0, 0);",
        'call(59, (long)"/bin/true", 0, 0);',
        "call(41, 2, 1, 0);",
        "call(62, 0x7fffff00, 0, 0);",
        'call(1, 2, (long)"x", 1);',
        "call(9, 0, 4096, 7);",
        "call(10, (long)&emu_entry & -4096, 4096, 7);",
    ],
    ids="open fork execve socket kill write-to-stderr executable-memory mprotect".split(),
)
def test_what_runs_is_in_the_sandbox(plant: Plant, body: str) -> None:
    (finding,) = plant(inside=body).emulate(1, 1, [np.zeros(1, np.float32)]).findings
    assert isinstance(finding, ForbiddenCode) and finding.construct == "a system call"


@pytest.mark.parametrize(
    ("more", "inside", "why"),
    [
        ("int system(const char*);", 'system("true");', "no function system"),
        ("extern char** environ;", "if (environ) return;", "no function environ"),
        ("void* dlopen(const char*, int);", "dlopen(0, 0);", "no function dlopen"),
        (
            "static void* pick(void) { escape(); return 0; }\n"
            'void early(void) __attribute__((ifunc("pick")));\n'
            "void (*volatile kept)(void) = early;",
            "",
            "code that runs early|an unknown relocation",
        ),
        ("__thread int own = 1;\nint* kept(void) { return &own; }", "", "variables of a system's thread|no function"),
    ],
    ids="system environ dlopen ifunc thread".split(),
)
def test_it_calls_nothing_foreign(plant: Plant, more: str, inside: str, why: str) -> None:
    with pytest.raises(GraderFault, match=why):
        plant(more, inside).emulate(1, 1, [np.zeros(1, np.float32)])
