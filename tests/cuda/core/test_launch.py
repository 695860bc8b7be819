"""The message about a launch that does not fit: one sentence, before anything runs."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from autograder.cuda.core.launch import MAX_SHARED, dims
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel

SOURCE = """
__global__ void scale(const float* in, float* out, int n) { out[0] = in[0] * n; }
__global__ void halve(float* x) { x[0] /= 2; }
template <int N> __global__ void blur(float* x) { x[0] = N; }
"""
IN, OUT = np.ones(8, np.float32), np.zeros(8, np.float32)


def refusal(name: str = "scale", grid: Any = 1, block: Any = 32, args: Any = (IN, OUT, 8), **more: Any) -> str:
    with pytest.raises(UsageError) as caught:
        Kernel(more.pop("source", SOURCE), name).prepare(grid, block, args, **more)
    message = str(caught.value)
    assert "\n" not in message and message[-1] in ".?", message
    return message


def test_a_launch_that_fits() -> None:
    launch = Kernel(SOURCE, "scale").prepare((2, 3), 32, [IN, OUT, 8], shared_mem=cast(Any, np.int64(64)))
    assert (launch.grid, launch.block, launch.shared_mem, launch.name) == ((2, 3, 1), (32, 1, 1), 64, "scale")
    assert launch.arrays[0] is IN and launch.arrays[1] is OUT
    assert launch.args[2] == 8 and launch.args[2].dtype == np.int32
    assert Kernel(SOURCE, "blur<3>").prepare(1, 1, [OUT]).name == "blur<3>"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, (5, 1, 1)),
        ((2, 3), (2, 3, 1)),
        ([1, 2, 3], (1, 2, 3)),
        (np.int32(4), (4, 1, 1)),
        (np.array([6, 7]), (6, 7, 1)),
    ],
)
def test_dims_take_ints_and_sequences(value: Any, expected: tuple[int, int, int]) -> None:
    assert dims("grid", value, (100, 100, 100)) == expected


@pytest.mark.parametrize("value", ["4", (), (1, 2, 3, 4), None, True, (True,), {1, 2}, np.array([[1, 2]])])
def test_dims_that_are_no_dims(value: Any) -> None:
    message = refusal(grid=value)
    assert "grid=" in message and "must be an int or up to three ints" in message


@pytest.mark.parametrize("value", [1.5, (1, 2.0)])
def test_a_fraction_is_told_where_it_comes_from(value: Any) -> None:
    assert "/ gives fractions, so write // or ceil_div() instead" in refusal(grid=value)


@pytest.mark.parametrize(
    ("what", "value", "words"),
    [
        ("grid", 0, "x size is 0, and must be from 1"),
        ("grid", (1, -2), "y size is -2"),
        ("grid", (1, 1, 65536), "z size is 65536, and must be from 1 to 65535"),
        ("grid", 2**31, "to 2147483647"),
        ("block", 0, "x size is 0"),
        ("block", 1025, "from 1 to 1024"),
        ("block", (1, 1, 65), "z size is 65, and must be from 1 to 64"),
        ("block", (32, 33), "has 1056 threads, but a block holds at most 1024"),
    ],
)
def test_sizes_out_of_range(what: str, value: Any, words: str) -> None:
    message = refusal(**{what: value})
    assert message.startswith(f"{what}=") and words in message


@pytest.mark.parametrize(
    ("shared_mem", "words"),
    [
        (-1, "must be a number of bytes, 0 or more"),
        (1.5, "must be a number of bytes"),
        ("64", "must be a number of bytes"),
        (True, "must be a number of bytes"),
        (MAX_SHARED + 1, f"more than the {MAX_SHARED} bytes"),
    ],
)
def test_shared_memory_out_of_range(shared_mem: Any, words: str) -> None:
    assert words in refusal(shared_mem=shared_mem)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((IN, OUT), ("takes 3 arguments", "const float* in, float* out, int n", "2 were given")),
        ((IN, OUT, 8, 9), ("takes 3 arguments", "4 were given")),
        ((IN, OUT.astype(np.float64), 8), ("out", "float64", "astype(np.float32)")),
        ((IN.tolist(), OUT, 8), ("in", "list", "np.array")),
        ((np.ones((8, 8), np.float32)[:, 0], OUT, 8), ("not C-contiguous", "np.ascontiguousarray")),
        ((IN, OUT, 2**31), ("int n", "2147483648")),
        ((IN, OUT, 1.5), ("int n", "1.5", "integer")),
        ((IN, None, 8), ("out", "None")),
        ((IN, OUT, IN), ("int n", "array of shape")),
    ],
)
def test_arguments_that_do_not_fit(args: Any, words: tuple[str, ...]) -> None:
    message = refusal(args=args)
    for word in words:
        assert word in message, message


def test_arguments_that_are_no_sequence() -> None:
    assert "args" in refusal(name="halve", args=OUT[0])
    assert "args" in refusal(name="halve", args=None)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("scales", ("no kernel scales", "did you mean scale?")),
        ("", ("not a kernel's name",)),
        (None, ("not a kernel's name",)),
        ("blur", ("is a template", "blur<128>")),
        ("scale<3>", ("not a template",)),
        ("blur<1, 2>", ("blur has no instance blur<1, 2>",)),
    ],
)
def test_names_that_are_not_there(name: Any, words: tuple[str, ...]) -> None:
    message = refusal(name=name, args=(OUT,))
    for word in words:
        assert word in message, message


@pytest.mark.parametrize("source", ["", "   \n", "// nothing\n", "int f() { return 1; }"])
def test_texts_without_a_kernel(source: str) -> None:
    assert "__global__" in refusal(source=source)


@pytest.mark.parametrize("source", [None, 7, b"__global__ void scale() {}"])
def test_sources_that_are_no_text(source: Any) -> None:
    assert "must be CUDA C++ text" in refusal(source=source)
