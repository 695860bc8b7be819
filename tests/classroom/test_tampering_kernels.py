"""Kernels that try to get points without the right answer, graded like a class's answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import inputs
import nbformat
import pytest
from nbformat import NotebookNode
from small_course import ROOT, hidden_gpu

from autograder.classroom.execution.fork_server import ForkServer
from autograder.classroom.execution.replay import replay, task_of
from autograder.classroom.execution.task import TaskResult
from autograder.cuda.report import MIME

pytestmark = inputs.grading

HEAD = "__global__ void saxpy(float a, const float* x, float* y, int n)\n{\n"
INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
RIGHT = f"{HEAD}{INDEX}    if (i < n)\n        y[i] = a * x[i] + y[i];\n}}\n"
POINTS = {
    "matches-numpy": 2.5,
    "shares-the-work": 2,
    "stays-in-bounds": 2,
    "has-no-races": 2,
    "reaches-every-barrier": 0.5,
    "is-coalesced": 1,
}


def body(text: str, before: str = "") -> str:
    return f"{before}{HEAD}{INDEX}{text}\n}}\n"


ATTEMPTS = {
    "a file read while compiling": f'#include "/etc/passwd"\n{RIGHT}',
    "a file embedded while compiling": f'const char stolen[] = {{\n#embed "/etc/passwd"\n}};\n{RIGHT}',
    "the solution included": f'#include "{ROOT}/solutions/threads/saxpy.ipynb"\n{RIGHT}',
    "machine code": body('    asm("syscall");'),
    "code that runs when it is loaded": f"__attribute__((constructor)) void early() {{}}\n{RIGHT}",
    "a command": body('    if (i == 0) system("touch stolen");', 'extern "C" int system(const char*);\n'),
    "a function of the checker's process": body("    emu_entry(0);", 'extern "C" void emu_entry(void**);\n'),
    "lines of a test that passed": body(
        '    if (i == 0) printf("saxpy matches numpy: passed in 3 cases, on the emulator.\\n");'
    ),
    "a write before the array": body("    y[i - 4096] = 1.0f;"),
    "a write over the inputs": body("    if (i < n) { const_cast<float*>(x)[i] = 0; y[i] = 0; }"),
    "a search for what is expected": body("    for (int k = 0; k < (1 << 20); ++k) y[i] = y[n + k];"),
    "a write at any address": body("    *(float*)0x400000 = 1.0f;"),
    "values that equal nothing": body("    if (i < n) y[i] = 0.0f / 0.0f;"),
    "the test's own sizes": body("    if (i < n && (n == 1000 || n == 256 || n == 1)) y[i] = a * x[i] + y[i];"),
    "what the launch before left": body(
        "    if (i < n) { y[i] = kept[i % 999]; kept[i % 999] = a * x[i] + y[i]; }",
        "__device__ float kept[999];\n",
    ),
    "a loop without end": body("    while (true) {}"),
    "a sleep without end": body("    while (true) __nanosleep(1000000);"),
    "memory without end": body("    while (true) { __threadfence(); atomicAdd(y + i % n, 1.0f); }"),
    "an end before anyone can look": body("    __trap();"),
    "a flood of text": body('    for (int k = 0; k < 1000000; ++k) printf("%d %d", i, k);'),
    "a bomb for the compiler": f"template <int n> struct Bomb {{ Bomb<n + 1> a, b; }};\nBomb<0> bomb;\n{RIGHT}",
    "a second kernel of the name": f"{RIGHT}{RIGHT}",
    "nothing": f"{HEAD}}}\n",
    "a function of another name": body('    f("touch stolen");', 'int f(const char*) __asm__("system");\n'),
    "a pasted word": body('    P(as, m)("syscall");', "#define P(a, b) a##b\n"),
    "a word in numbers of letters": body('    s\\u0079stem("touch stolen");', "int s\\u0079stem(const char*);\n"),
    "a file by a digraph": f'%:include "/etc/passwd"\n{RIGHT}',
    "a file by a splice with a blank": f'#inc\\ \nlude "/etc/passwd"\n{RIGHT}',
    "a file by another directive": f'#import "/etc/passwd"\n{RIGHT}',
    "a file as a dependency": f'_Pragma("GCC dependency \\"/etc/passwd\\"")\n{RIGHT}',
    "lines of another file": f'#line 1 "/etc/passwd"\n{RIGHT}',
    "a comment in a raw string": f'const char* text = R"(/*)"; int system(const char*); /*)";*/\n{RIGHT}',
    "the qualifier by a macro": f"#define __global__ static\n{RIGHT}",
    "a name that looks the same": RIGHT.replace("saxpy", "sa\N{CYRILLIC SMALL LETTER HA}py"),
    "a wider array": RIGHT.replace("float* y", "double* y"),
    "one more parameter": RIGHT.replace("int n)", "int n, int more = 0)"),
    "a hook of the checker": f'extern "C" void __tsan_write4(void*) {{}}\n{RIGHT}',
    "a constructor": f"struct Early {{ Early() {{}} ~Early() {{}} }};\n__device__ Early early;\n{RIGHT}",
    "a return elsewhere": body("    long own[1]; long* p = own; for (int k = 0; k < 64; ++k) p[k] = (long)&p;"),
    "a search of the stack": body("    long own[1]; long* p = own; for (int k = 0; p[k] != n; ++k) y[i] = p[k];"),
    "a call into the checker": body("    void (*volatile f)() = (void (*)())((char*)&printf + 64); f();"),
    "a jump to anywhere": body("    void* p = &&there; goto *(void*)((char*)p + n); there: y[i] = 0;"),
    "a signal": body("    raise(9);", "int raise(int);\n"),
    "a division by nothing": body("    y[i] = n / (n - n);"),
    "recursion without end": body("    y[i] = f(i);", "__device__ int f(int n) { return f(n + 1) + 1; }\n"),
    "an array without end": body("    __shared__ float own[1 << 28]; own[i] = y[i];"),
    "a launch of its own": body("    saxpy<<<1, 1>>>(a, x, y, n);"),
    "a report in the output": body(f'    printf("\\x1b[2J{{\\"{MIME}\\": {{}}}}\\n");'),
    "a format that writes": body('    if (i == 0) printf("%n%s", (int*)y, (const char*)x);'),
    "values that are larger than all": body("    if (i < n) y[i] = 1.0f / 0.0f;"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with hidden_gpu():
        server = ForkServer()
        yield server
        server.close()


def graded(server: ForkServer, text: str) -> tuple[NotebookNode, TaskResult]:
    notebook: NotebookNode = nbformat.read(ROOT / "solutions" / "threads" / "saxpy.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.source.startswith("%%cuda saxpy"):
            cell.source = f"%%cuda saxpy\n{text}"
    result = server.run(task_of(notebook, "saxpy", 60))
    replay(notebook, result)
    return notebook, result


def earned(notebook: NotebookNode) -> set[str]:
    tests = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade]
    assert {t.metadata.nbgrader.grade_id.removeprefix("saxpy-") for t in tests} == set(POINTS)
    passed = [t for t in tests if not any(out.output_type == "error" for out in t.outputs)]
    return {t.metadata.nbgrader.grade_id.removeprefix("saxpy-") for t in passed}


def test_the_right_answer_earns_every_point(server: ForkServer) -> None:
    notebook, result = graded(server, RIGHT)
    assert earned(notebook) == set(POINTS) and result.sound


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("name", ATTEMPTS)
def test_no_other_way_earns_points(server: ForkServer, name: str) -> None:
    notebook, result = graded(server, ATTEMPTS[name])
    assert earned(notebook) == set()
    assert result.sound, "an answer must never look like a fault of the grader"
    everything = result.to_json()
    for foreign in ("root:", "\\u001b[2J", "threadIdx.x;\\n    // END SOLUTION"):
        assert foreign not in everything
    assert not Path("stolen").exists()
