"""A kernel's arguments on the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike

from autograder.cuda.commands.arguments import Argument, ArrayWords, Value, bind, expected, parse_argument, read_dtype
from autograder.cuda.core.signature import Signature
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel

KERNEL = Kernel("__global__ void k(const float* in, float* out, int n, float scale) {}", "k").signature


def bound(*texts: str, kernel: Signature = KERNEL, seed: int = 0) -> list[Any]:
    return bind([parse_argument(text) for text in texts], kernel, seed)


def only(declaration: str, text: str) -> Any:
    """The one argument of a kernel with one parameter."""
    return bound(text, kernel=Kernel(f"__global__ void k({declaration}) {{}}", "k").signature)[0]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("in=random:float32:128x64", "in", ArrayWords("random", "float32", (128, 64))),
        ("zeros:7", "", ArrayWords("zeros", "", (7,))),
        (" x = ones:unsigned char:2x3x4 ", "x", ArrayWords("ones", "unsigned char", (2, 3, 4))),
        ("in=a/b.npy", "in", Path("a/b.npy")),
        ("n=-3", "n", -3),
        ("0x10", "", 16),
        ("1e-3", "", 0.001),
        ("on=true", "on", True),
        ("v=1,2.5", "v", (1, 2.5)),
    ],
)
def test_what_can_be_written(text: str, name: str, value: Any) -> None:
    assert parse_argument(text) == Argument(text, name, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rand:4", "filled with random, zeros, ones, arange, poison, and not with rand."),
        (":4", "not with nothing."),
        ("random:float32", "the shape comes last, as in random:1024"),
        ("random:0", "the shape comes last"),
        ("random:4x", "the shape comes last"),
        ("hello", "write an array such as random:1024"),
        ("n=", "write an array such as random:1024"),
        ("1,x", "write an array such as random:1024"),
    ],
)
def test_what_cannot(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_argument(text)


def test_the_fills() -> None:
    rng = np.random.default_rng(0)
    made = {fill: ArrayWords(fill, "int16", (3, 4)).make(rng) for fill in ("random", "zeros", "ones", "arange")}
    assert all(a.shape == (3, 4) and a.dtype == np.int16 and a.flags.writeable for a in made.values())
    assert set(made["random"].flat) <= set(range(50)) and len(set(made["random"].flat)) > 2
    assert not made["zeros"].any() and (made["ones"] == 1).all()
    assert made["arange"].tolist() == np.arange(12).reshape(3, 4).tolist()
    assert ArrayWords("poison", "float64", (2,)).make(rng).tobytes() == b"\xa5" * 16


@pytest.mark.parametrize(
    ("word", "dtype"),
    [
        ("float32", np.float32),
        ("float", np.float32),  # CUDA's: numpy's is a double
        ("int", np.int32),
        ("unsigned char", np.uint8),
        ("double", np.float64),
        ("float16", np.float16),
        ("size_t", np.uint64),
    ],
)
def test_dtypes_of_numpy_and_of_cuda(word: str, dtype: DTypeLike) -> None:
    assert read_dtype(word) == dtype


@pytest.mark.parametrize("word", ["float128", "complex64", "U4", "object", "Particle", "int*", ""])
def test_other_dtypes(word: str) -> None:
    with pytest.raises(UsageError, match="is not a known dtype"):
        read_dtype(word)


def test_a_dtype_that_is_left_out_is_the_parameters() -> None:
    assert only("unsigned char* x", "x=zeros:4").dtype == np.uint8
    assert only("const double* x", "ones:4").dtype == np.float64
    vector = only("float4* x", "arange:2")
    assert vector.dtype == np.float32 and vector.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert only("struct P* x", "zeros:uint8:64").shape == (64,)


def test_a_vector_by_value() -> None:
    assert only("float3 v", "v=1,0,2.5") == (1, 0, 2.5)


def test_by_name_or_in_order() -> None:
    values = bound("n=4", "zeros:4", "scale=0.5", "ones:4")
    assert [v.tolist() if isinstance(v, np.ndarray) else v for v in values] == [[0] * 4, [1] * 4, 4, 0.5]
    first, second, *_ = bound("zeros:4", "4", "in=ones:4", "0.5")
    assert first.all() and not second.any()


def test_two_random_arrays_differ_and_a_seed_repeats() -> None:
    first, second, *_ = bound("random:99", "random:99", "1", "1", seed=3)
    again, *_ = bound("random:99", "random:99", "1", "1", seed=3)
    other, *_ = bound("random:99", "random:99", "1", "1", seed=4)
    assert (first == again).all() and (first != second).any() and (first != other).any()


def test_a_saved_array(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)))
    array = only("float* x", f"x={tmp_path}/a.npy")
    assert array.flags.c_contiguous and array.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (
            ["zeros:1", "zeros:1", "n=4"],
            "int n, float scale) has no --arg for float scale: add one, such as --arg scale=1024.",
        ),
        (["zeros:1", "zeros:1", "1", "1", "1"], "--arg 1 is one too many"),
        (["n=1", "n=2"], "--arg n=2 is one too many"),
        (["x=1"], "has no parameter x."),
        (["in=4", "zeros:1", "1", "1"], "--arg in=4: const float* in takes an array, such as zeros:1024."),
        (["zeros:1", "zeros:1", "zeros:1", "1"], "--arg zeros:1: int n takes a number."),
        (["zeros:int:1", "zeros:1", "1", "1"], "zeros:int:1 is int32, but const float* in takes float32"),
        (["zeros:1", "zeros:1", "1.5", "1"], "int n takes one int32, but got 1.5"),
        (["zeros:what:1", "zeros:1", "1", "1"], "--arg zeros:what:1: what is not a known dtype"),
        (["zeros:99999x99999", "zeros:1", "1", "1"], "it would take 39999200004 bytes"),
        (["no.npy", "zeros:1", "1", "1"], "no.npy cannot be read: No such file"),
    ],
)
def test_what_does_not_fit(texts: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        bound(*texts)


def test_a_pointer_to_something_unknown_needs_a_dtype() -> None:
    with pytest.raises(UsageError, match="there is no dtype to fill it with: write one"):
        only("struct P* x", "zeros:64")


def test_a_file_that_is_no_array(tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_text("hello")
    with pytest.raises(UsageError, match=r"is not a file that numpy\.save wrote"):
        only("float* x", f"x={tmp_path}/a.npy")


class TestExpected:
    """What arrays should hold after the launch."""

    def want(self, *texts: str, **arrays: np.ndarray) -> dict[str, np.ndarray]:
        values: dict[str, Value] = {"in": np.zeros(4, np.float32), "out": np.zeros((2, 3), np.float32)}
        values |= {"n": 1, "scale": 2.0, **arrays}
        return expected(texts, KERNEL, list(values.values()))

    def test_one_number_is_for_every_element_and_several_are_for_each(self) -> None:
        want = self.want("out=7", "in=1,2,3.5,4")
        np.testing.assert_array_equal(want["out"], np.full((2, 3), 7))
        np.testing.assert_array_equal(want["in"], [1, 2, 3.5, 4])

    def test_an_array_as_for_an_argument(self, tmp_path: Path) -> None:
        path = tmp_path / "want.npy"
        np.save(path, np.ones((2, 3)))
        np.testing.assert_array_equal(self.want(f"out={path}")["out"], np.ones((2, 3)))
        filled = self.want("out=arange:2x3")["out"]
        np.testing.assert_array_equal(filled, np.arange(6).reshape(2, 3))
        assert filled.dtype == np.float32  # the kernel's own

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("7", "--expect 7 names no array of k: use in, out."),
            ("n=7", "--expect n=7 names no array of k: use in, out."),
            ("out=1,2", "--expect out=1,2 has 2 elements, but the array has 2 x 3: make them the same."),
            ("out=ones:6", "--expect out=ones:6 has 6 elements, but the array has 2 x 3"),
            ("out=many", "--expect out=many cannot be read: write an array such as"),
            ("out=nowhere.npy", "nowhere.npy cannot be read: No such file"),
        ],
    )
    def test_what_does_not_fit(self, text: str, message: str) -> None:
        with pytest.raises(UsageError, match=re.escape(message)):
            self.want(text)
