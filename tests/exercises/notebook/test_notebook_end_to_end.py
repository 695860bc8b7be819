"""From a cell's text to a verdict, with nothing made by hand: real kernels, the real emulator."""

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from kernel_checker import checker
from nbclient import NotebookClient

from autograder import Case, InOut, Output, ceil_div
from autograder.exercises.declarations.domain import whole
from autograder.exercises.declarations.draw import Draw
from autograder.exercises.notebook.magic import take_kernel
from autograder.exercises.notebook.session import Session
from autograder.exercises.notebook.shell import fresh_shell
from autograder.exercises.result import CheckFailed

ROOT = Path(__file__).parents[3]
CHECKS = (
    "matches_numpy",
    "has_no_races",
    "stays_in_bounds",
    "reaches_every_barrier",
    "reads_only_what_was_written",
    "is_coalesced",
    "has_no_bank_conflicts",
)

SUMS = """\
// Each block adds up its elements.
__global__ void block_sum(const float* in, float* out, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) tile[threadIdx.x] += tile[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}
"""


def sums(draw: Draw, n: int) -> Case:
    values = draw.real(0, 1, n)
    blocks = ceil_div(n, 256)
    padded = np.zeros(blocks * 256, np.float32)
    padded[:n] = values
    want = padded.reshape(blocks, 256).astype(np.float64).sum(axis=1)
    return Case(blocks, 256, [values, Output(blocks, np.float32), n], [want], terms=256)


@dataclass(frozen=True)
class Mistake:
    """`old` in the kernel is replaced by `new`; then these checks fail, each with a part of its report."""

    old: str
    new: str
    failing: dict[str, str]


MISTAKES = {
    "right": Mistake("", "", {}),
    "no first barrier": Mistake(
        "0.0f;\n    __syncthreads();",
        "0.0f;",
        {"has_no_races": "after writing shared memory and before another thread reads it"},
    ),
    "no second barrier": Mistake(
        "        __syncthreads();\n",
        "",
        {"has_no_races": "line 10"},
    ),
    "no guard": Mistake(
        "i < n ? in[i] : 0.0f",
        "in[i]",
        {"stays_in_bounds": "in[300], but in has 300 elements"},
    ),
    "barrier in a branch": Mistake(
        "+ stride];\n        __syncthreads();",
        "+ stride];\n        else continue;\n        __syncthreads();",
        {"reaches_every_barrier": "of 256 threads wait at the barrier in line 12"},
    ),
    "no zeros": Mistake(
        "tile[threadIdx.x] = i < n ? in[i] : 0.0f",
        "if (i < n) tile[threadIdx.x] = in[i]",
        {"reads_only_what_was_written": "which no thread has written"},
    ),
    # (A loop that only computes ends too, but after twenty seconds.)
    "prints without end": Mistake(
        "    if (threadIdx.x == 0) out",
        '    while (true) printf("%f\\n", tile[0]);\n    if (threadIdx.x == 0) out',
        {"matches_numpy": "printed more than a launch may print"},
    ),
    "never written": Mistake(
        "out[blockIdx.x] = tile[0]",
        ";",
        {"matches_numpy": "out[0] still holds what it held before the launch"},
    ),
    "scattered": Mistake(
        "i < n ? in[i]",
        "i * 16 % n < n ? in[i * 16 % n]",
        {"is_coalesced": "The loads of global memory move"},
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_rejected_by_its_own_check(mistake: str) -> None:
    made = MISTAKES[mistake]
    text = SUMS.replace(made.old, made.new)
    assert (text != SUMS) == bool(made.old)
    session = Session(find_gpu=lambda: None)
    session.exercise("block_sum", sums, [{"n": 300}])
    assert session.answer("block_sum", text).errors == ()
    failed = {}
    for check in CHECKS:
        try:
            getattr(checker(session, "block_sum"), check)()
        except CheckFailed as error:
            if not error.blocked:
                failed[check] = " ".join(str(error).split())
    if mistake not in ("right", "prints without end", "never written"):
        failed.pop("matches_numpy", None)  # whether the sum is wrong, too, depends on chance
    assert failed.keys() == made.failing.keys()
    for check, words in made.failing.items():
        assert words in failed[check]


#: Texts of which nobody can tell which kernel is meant.
SEVERAL = {
    "other types": "__global__ void block_sum(const float* in, double* out, int n) { }",
    "a template": "template <class T> __global__ void block_sum(const T* in, T* out, int n) { }",
    "a long parameter": f"__global__ void block_sum({'const ' * 120}float* in) {{ }}",
    "types that look alike": SUMS.replace("int n", "long n") + SUMS.replace("int n", "long long n"),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_several_kernels_of_one_name_are_the_answers_fault(name: str) -> None:
    session = Session(find_gpu=lambda: None)
    session.exercise("block_sum", sums, [{"n": 300}])
    take_kernel(session, "block_sum", SUMS + SEVERAL[name])
    with pytest.raises(CheckFailed, match=r"several kernels called block_sum:\s+keep one") as caught:
        checker(session, "block_sum").matches_numpy()
    assert caught.value.blocked


def test_a_kernel_in_a_branch_that_is_left_out_is_none() -> None:
    session = Session(find_gpu=lambda: None)
    session.exercise("block_sum", sums, [{"n": 300}])
    for text in (f"#if 0\n{SEVERAL['other types']}\n#endif\n{SUMS}", f"#if 1\n{SUMS}\n#else\n{SUMS}// again\n#endif"):
        assert session.answer("block_sum", text).errors == ()
        checker(session, "block_sum").matches_numpy()


def test_an_array_changed_in_place_a_template_and_the_students_launch() -> None:
    text = """\
template <int FACTOR>
__global__ void scale(float* x, int n)
{
    extern __shared__ float copy[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        copy[threadIdx.x] = x[i];
        x[i] = FACTOR * copy[threadIdx.x];
    }
}
"""

    def case(draw: Draw, launch: SimpleNamespace, n: int, m: int) -> Case:
        x = draw.real(1, 2, n)
        return Case(launch.grid, launch.block, [InOut(x), n], [3 * x], launch.shared_mem)

    session = Session(find_gpu=lambda: None)
    words = ("grid", "block", "shared_mem")
    session.exercise("scale", case, [{"n": 100, "m": 32}, {"n": 64, "m": 64}], values=words, kernel="scale<3>")
    assert session.answer("scale", text).errors == ()
    session.answer_values("scale", "grid = ceil_div(n, m)\nblock = m\nshared_mem = 4 * m\n")
    checker(session, "scale").matches_numpy()
    checker(session, "scale").stays_in_bounds()
    session.answer_values("scale", "grid = n // m\nblock = m\nshared_mem = 4 * m\n")
    with pytest.raises(CheckFailed, match=r"x\[96\] is"):
        checker(session, "scale").matches_numpy()
    session.answer_values("scale", "grid = ceil_div(n, m)\nblock = m\nshared_mem = 4\n")
    with pytest.raises(CheckFailed, match=r"copy\[1\], but copy has 1 element"):
        checker(session, "scale").stays_in_bounds()


CONTRACT = """\
import numpy as np
from autograder import Case, Output, ceil_div, check, exercise

def case(draw, n):
    values = draw.real(0, 1, n)
    return Case(ceil_div(n, 128), 128, [values, Output(n, np.float32), n], [values[::-1]])

exercise("reverse", case, sizes=[dict(n=1), dict(n=300)])
"""
REVERSE = """\
%%cuda reverse
__global__ void reverse(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}
"""


def test_a_notebook_from_the_first_cell_to_the_last() -> None:
    cells = [
        "%load_ext autograder",
        CONTRACT,
        REVERSE,
        'check("reverse").matches_numpy()',
        REVERSE.replace("if (i < n) ", ""),
        'check("reverse").stays_in_bounds()',
        REVERSE.replace("in[i];", "in[i]"),
        'check("reverse").has_no_races()',
        'import sys\nprint("out")\nprint("err", file=sys.stderr)\ndisplay("shown")\n"last"',
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert not [o for cell in outputs[:-1] for o in cell if o.get("name") == "stderr"]
    assert outputs[0] == outputs[1] == []
    assert outputs[2][0].text == "reverse compiles.\n"
    assert outputs[3][0].data["text/plain"].startswith("reverse matches numpy: passed in 2 cases, on the ")

    shown, error = outputs[5]
    assert shown.output_type == "display_data"
    assert "in[1], but in has 1 element" in shown.data["text/plain"]
    assert "in[1], but in has 1 element" in shown.data["text/html"]
    assert (error.output_type, error.ename) == ("error", "CheckFailed")
    assert error.evalue == shown.data["text/plain"]
    assert error.traceback == ["reverse stays in bounds: FAILED"]

    (shown,) = outputs[6]
    assert shown.data["text/plain"].startswith("reverse does not compile.\n\n    line 5   if (i < n)")
    shown, error = outputs[7]
    assert error.traceback == ["reverse has no races: BLOCKED"]
    assert "see the report under its %%cuda cell" in shown.data["text/plain"]

    with fresh_shell() as shell:
        mine = [shell.run(cell) for cell in cells]
    assert mine == outputs
    assert [output["output_type"] for output in mine[-1] or ()] == [
        "stream",
        "stream",
        "display_data",
        "execute_result",
    ]


LARGEST = """\
__global__ void largest(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int seen = atomicAdd(out, 0);
    for (int attempt = 0; attempt < TRIES && in[i] > seen; ++attempt) {
        int found = atomicCAS(out, seen, in[i]);
        if (found == seen) break;
        seen = found;
    }
}
"""


@pytest.mark.parametrize(("tries", "outcome"), [("2", "fails"), ("n", "passes")])
def test_what_is_right_in_one_order_only_is_wrong(tries: str, outcome: str) -> None:
    def largest(draw: Draw, n: int) -> Case:
        values = draw.whole(1, 10**6, n)
        return Case(1, n, [values, Output(1, np.int32, fill=0), n], [values.max(keepdims=True)])

    session = Session(find_gpu=lambda: None)
    session.exercise("largest", largest, [{"n": 64}], domain={"n": whole(1, 64)})
    session.answer("largest", LARGEST.replace("TRIES", tries))
    if outcome == "passes":
        checker(session, "largest").matches_numpy()
        return
    with pytest.raises(CheckFailed, match="In the ordinary order of the threads the results of this case are right"):
        checker(session, "largest").matches_numpy()
