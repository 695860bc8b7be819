"""`autograder debug`: a launch, step by step in both directions."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import inputs
import numpy as np
import pytest

from autograder import Kernel, cli
from autograder.cuda.backends import emulation, emulator
from autograder.cuda.commands import debug_recording
from autograder.cuda.compiler.engine import VARIABLE, Engine
from autograder.cuda.compiler.toolchain import describe
from autograder.cuda.core.launch import prepare
from autograder.cuda.core.signature import Signature

pytestmark = inputs.commands

REVERSE = """\
__global__ void reverse(int* x, float2* pairs, int* total)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[63 - threadIdx.x];
    pairs[threadIdx.x] = make_float2(x[threadIdx.x], 1);
    atomicAdd(total, 1);
}
"""


SCALARS = """\
struct Node { int value; Node* next; };
enum Color { RED, GREEN = 5 };
__constant__ float weights[2] = {0.5f, 0.25f};
__device__ int factorial(int n)
{
    if (n < 2)
        return 1;
    int rest = factorial(n - 1);
    return n * rest;
}
__global__ void work(int* x, int n)
{
    int i = threadIdx.x, later;
    Node first = {i, nullptr}, second = {7, &first};
    Color color = GREEN;
    char letter = 'A';
    bool even = i % 2 == 0;
    double sum;
    int own[3] = {1, 2};
    int& value = first.value;
    value += 100;
    for (int j = 0; j < n; j++) {
        int i = factorial(j);
        own[2] = i;
    }
    int* at = &x[i];
    *at = own[2];
    sum = weights[1] / 3.0;
    later = 1;
    float quotient = sum;
    x[i] += later + second.next->value;
}
"""
PROGRAM = """\
#include <cstdio>
struct Image { int width; float* data; };
__constant__ float offset;
__global__ void fill(float* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void scale(Image image, float factor)
{
    float old = image.data[threadIdx.x];
    image.data[threadIdx.x] = old * factor + offset;
}
int main(int count, char**)
{
    float *pixels, seven = 7;
    cudaMalloc(&pixels, 256);
    cudaMemcpyToSymbol(offset, &seven, 4);
    fill<<<1, 64>>>(pixels);
    printf("%d\\n", getchar());
    scale<<<1, 64>>>({64, pixels}, count);
    cudaFree(pixels);
}
"""
LAUNCH = ["--grid", "2", "--block", "8", "--arg", "x=arange:16", "--arg", "n=5"]


def answers(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    (tmp_path / "reverse.cu").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(words))


@pytest.fixture
def message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[str]]:
    """What the debugger of `SCALARS`, or of another text, answers to some words, after where it begins."""

    def request(*words: str, text: str = SCALARS, launch: Sequence[str] = LAUNCH) -> list[str]:
        answers(text, tmp_path, monkeypatch, "\n".join([*words, "quit", ""]))
        assert cli.main(["debug", "reverse.cu", *launch]) == 0
        return capsys.readouterr().out.splitlines()[3:]

    return request


def test_variables_are_shown_as_cpp_writes_them(message: Callable[..., list[str]]) -> None:
    found = message("thread 3", "line 31", "locals")
    assert found[4:] == [
        found[4],
        "int n = 5",
        "int i = 3",
        "int later = 1",
        "Node first = {value = 103, next = nullptr}",
        found[9],
        "Color color = GREEN",
        "char letter = 65 'A'",
        "bool even = false",
        "double sum = 0.08333333333333333",
        "int[3] own = {1, 2, 24}",
        "int value = 103",
        found[16],
        "float quotient = 0.083333336",
    ]
    assert found[4].startswith("int* x = 0x") and found[4].endswith(" (&x[0])")
    assert found[9].startswith("Node second = {value = 7, next = 0x") and found[9].endswith(" (&first)}")
    assert found[16].startswith("int* at = 0x") and found[16].endswith(" (&x[3])")


def test_types_of_many_kinds(message: Callable[..., list[str]]) -> None:
    text = """\
#include <cuda_fp16.h>
struct Base { long long big; };
struct Bits : Base { unsigned low : 3; int high : 5; union { float f; unsigned u; }; };
template <class T> struct Box { T held[2][3]; __device__ T first() const { return held[0][0]; } };
__device__ float apply(float (*f)(float), float x) { return f(x); }
__device__ float half_of(float x) { return x / 2; }
__global__ void work(float4* in)
{
    __shared__ float2 pairs[2];
    pairs[threadIdx.x] = make_float2(1, 2);
    Bits bits;
    bits.big = -1;
    bits.low = 5;
    bits.high = -3;
    bits.f = 1;
    Box<short> box = {{{1, 2, 3}, {4, 5, 6}}};
    __half h = __float2half(0.5f);
    unsigned char letter = 200;
    auto add = [&](int n) { return n + box.first(); };
    int sum = add(10);
    float halved = apply(half_of, 3);
    const char* words = "abc";
    bool done = true; int u, v; u = 3, v = 4;
    in[0].x = sum + halved;
}
"""
    launch = ["--kernel", "work", "--grid", "1", "--block", "1", "--arg", "in=zeros:8"]
    found = message(
        "line 24",
        "locals",
        "print pairs",
        "print in[1].y",
        "print bits.high + bits.big",
        "print bits.f",
        text=text,
        launch=launch,
    )
    values = dict(line.split(" = ", 1) for line in found if " = " in line and ";" not in line)
    assert values["Bits bits"] == "{Base = {big = -1}, low = 5, high = -3, Bits::unnamed = {f = 1, u = 1065353216}}"
    assert values["Box<short> box"] == "{held = {{1, 2, 3}, {4, 5, 6}}}"
    assert values["__half h"] == "0.5" and values["unsigned char letter"] == "200"
    assert values["int sum"] == "11" and values["float halved"] == "1.5" and values["bool done"] == "true"
    assert values["int u"] == "3" and values["int v"] == "4", "two writes in a line"
    assert values["float in[1].y"] == "0" and values["bits.high + bits.big"] == "-4"
    assert values["float bits.f"] == "1" and values["const char* words"].startswith("0x")
    assert any("{x = 1, y = 2}" in line for line in found), "an element without a thread is not set yet"


def test_webassembly_records_the_same(message: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    words = (
        "thread 3",
        "line 31",
        "print second.next->value",
        "print own",
        "frames",
        "thread 1 2",
        "line 24",
        "print i",
    )
    native = message(*words)
    monkeypatch.setenv(VARIABLE, Engine.WEBASSEMBLY)
    assert message(*words) == native and "int[3] own = {1, 2, 24}" in native


def test_going_back_shows_the_value_before(message: Callable[..., list[str]]) -> None:
    words = ("line 22", "print first", "back", "print first.value", "back", "print value", "print sum", "print letter")
    found = [line for line in message(*words) if " = " in line and ";" not in line]
    assert found[0] == "Node first = {value = 100, next = nullptr}"
    assert found[1] == "int first.value = 0"
    assert found[2:] == ["int& value = not set yet", "double sum = not set yet", "char letter = 65 'A'"]


def test_a_variable_of_a_loop_is_new_each_time_and_hides_another(message: Callable[..., list[str]]) -> None:
    words = ("line 23", "print i", "next", "print i", "line 23", "print i", "line 26", "print i")
    found = [line for line in message("thread 6", *words) if line.startswith("int i")]
    assert found == ["int i = not set yet", "int i = 1", "int i = not set yet", "int i = 6"]


def test_calls_one_in_another(message: Callable[..., list[str]]) -> None:
    found = message(
        "break 8 if n == 1", "break 7 if n == 1", "continue", "frames", "locals", "frames 2", "locals", "finish"
    )
    rest = found[found.index("* 0  factorial   reverse.cu line 7   return 1;") :]
    assert [line.split()[1] for line in rest[:2]] == ["work", "int"] or rest[1].startswith("  1  work")


def test_steps_go_into_functions_over_and_out(message: Callable[..., list[str]]) -> None:
    def lines(*words: str) -> list[int]:
        return [int(line.split(" line ")[1].split()[0]) for line in message(*words) if "reverse.cu line" in line]

    assert lines("line 23", "step", "step", "finish", "back")[:4] == [23, 6, 7, 24]
    assert lines("line 23", "next", "next", "next", "next back", "next back") == [23, 24, 25, 22, 25, 24]
    assert lines("line 23", "line 23", "line 23", "step", "step", "step")[3:] == [6, 8, 6], "a recursion goes down"


def test_what_pointers_point_to(message: Callable[..., list[str]]) -> None:
    found = message("thread 2", "line 31", "print *at", "print second.next->value", "print x[12]", "print at == x + 8")
    assert found[4:7] == ["int *at = 24", "int second.next->value = 102", "int x[12] = 12"]
    assert message("print weights")[0] == "[0.5 0.25]", "known from the beginning"


def test_another_block_is_recorded_when_it_is_looked_at(message: Callable[..., list[str]]) -> None:
    found = message("thread 1 5", "line 31", "print i", "print blockIdx", "thread 0 1", "back", "back", "print i")
    assert "int i = 5" in found and "blockIdx = {x = 1, y = 0, z = 0}" in found
    assert found[-3:] == ["block 0, thread 1", "    reverse.cu line 32   }", "int i = 1"]


def test_the_checks_find_the_same_as_without_a_debugger(message: Callable[..., list[str]]) -> None:
    found = message("continue", "where")
    assert "Race" in found, "both blocks write x[0]"


def test_a_launch_that_stops_early_is_shown_where_it_stopped(message: Callable[..., list[str]]) -> None:
    text = SCALARS.replace("*at = own[2];", "at[100] = own[2];")
    found = message("continue", "print own", "next", "where", "thread 5", text=text)
    assert "OutOfBounds" in found and found[-5] == "int[3] own = {1, 2, 24}"
    assert found[-4] == "There is no later one."
    assert found[-3].startswith("    1 threads  reverse.cu line 27") and found[-2] == "    7 threads  never begin"
    assert found[-1].startswith("The recording has nothing of thread 5 of block 0: ")


def test_a_launch_of_a_program(message: Callable[..., list[str]]) -> None:
    words = ("thread 5", "line 8", "locals", "print image.data[6]", "print offset", "continue")
    found = message(*words, text=PROGRAM, launch=["--kernel", "scale", "--", "a", "b"])
    assert found[4].startswith("Image image = {width = 64, data = 0x") and found[4].endswith(" (&pixels[0])}")
    assert found[5:] == ["float factor = 3", "float old = 5", "float image.data[6] = 6", "float offset = 7", found[-1]]
    assert found[-1] == "The launch has ended."
    assert message(text=PROGRAM, launch=["--launch", "2"]) == message(text=PROGRAM, launch=["--kernel", "scale"])


def test_a_full_recording_says_so(message: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (emulation, emulator, debug_recording):
        monkeypatch.setattr(module, "TRACE_EVENTS", 300)
    found = message("line 26", "locals", "continue", "where", "thread 1 0", "thread 7")
    assert found[0].startswith("The recording is full: ")
    assert found[-1].startswith("The recording has nothing of thread 7 of block 1: ")


def test_counts_of_ordinary_runs_do_not_change() -> None:
    kernel, x = Kernel(SCALARS, "work"), np.arange(16, dtype=np.int32)
    counts = kernel.emulate(2, 8, [x, 5]).counts
    signature = describe(SCALARS, "work")
    assert isinstance(signature, Signature)
    launch = prepare(SCALARS, signature, 2, 8, [x, np.int32(5)])
    debugged = emulator.run(launch, trace=True, followed=0)
    assert debugged.counts == counts, "accesses of variables are none of memory"
    traced = emulator.run(launch, trace=True)
    assert traced.trace and traced.trace.debug is None and (traced.trace.events["action"] < 7).all()


def test_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = "#include <cstdio>\n" + REVERSE
    words = (
        "thread 3\nline 7\naccess\nprint tile\naccess back\naccess back\nwhere\nprint y\nstep all\nline x\nthread a\n"
    )
    words += "thread 99\nline -1\ntwist\nbreak 99\nprint x[\nframes 7\nquit\n"
    answers(text, tmp_path, monkeypatch, words)
    launch = [
        "--grid",
        "1",
        "--block",
        "64",
        "--arg",
        "x=arange:64",
        "--arg",
        "pairs=zeros:64",
        "--arg",
        "total=zeros:1",
    ]
    assert cli.main(["debug", "reverse.cu", *launch]) == 0
    message = capsys.readouterr().out
    assert "block 0, thread 3, read tile[60]: 60\n    reverse.cu line 7   x[threadIdx.x] = tile[63 - thr" in message
    assert "[0 1 2 3 4 " in message and "thread 3, leave barrier\n    reverse.cu line 6" in message
    assert "threads  reverse.cu line 6   __syncthreads();" in message
    for sentence in (
        "There is no y here.",
        "Use thread, warp, block, and back.",
        "Name a line, such as line 7.",
        "Name a thread, such as thread 5, or",
        "The launch has no thread 99 of a block 0.",
        "There is no earlier one.",
        "There is no command twist: type help.",
        "Name a line, such as 7 or tile.h:7.",
        "x[ cannot be read: write names, elements, members and arithmetic.",
        "Name one of 1 calls, such as frames 0.",
    ):
        assert sentence in message


@pytest.mark.sampled(one_in=3)
@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (REVERSE, [], "reverse.cu has no main function, so it is not a program: give --grid and --block"),
        (REVERSE, ["--grid", "1"], "is debugged as one kernel: give --grid and --block, and its arguments by --arg."),
        (PROGRAM, ["--arg", "x=1"], "is debugged as a program: give --grid and --block for one of its kernels."),
        (PROGRAM, ["--launch", "3"], "reverse.cu has made 2 launches, and --launch asks for number 3."),
        ("__global__ void reverse() { q; }", ["--grid", "1", "--block", "1"], "There is nothing to step through: "),
    ],
)
def test_bad_input_gets_one_sentence(
    text: str,
    options: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers(text, tmp_path, monkeypatch, "")
    assert cli.main(["debug", "reverse.cu", *options]) == 2
    assert sentence in capsys.readouterr().err
