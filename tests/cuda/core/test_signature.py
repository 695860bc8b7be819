"""Are a launch's arguments checked against the types of a kernel's parameters?"""

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import DTypeLike

from autograder.cuda.core.signature import Parameter
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel

F4 = np.dtype([(lane, np.float32) for lane in "xyzw"])
STRUCTS = """
struct Point { int i; float x; };
struct Mixed { char c; double d; bool b[3]; float4 v; };
struct Handle { int* p; int n; };
struct Bits { int a : 3; int b : 5; };
union Either { int i; float f; };
"""


@cache
def only(declaration: str) -> Parameter:
    (parameter,) = Kernel(
        f"#include <cuda_fp16.h>\n{STRUCTS}__global__ void f({declaration}) {{}}", "f"
    ).signature.parameters
    return parameter


def refusal(call: Callable[..., object], *args: Any) -> str:
    with pytest.raises(UsageError) as caught:
        call(*args)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message


# ---- arrays -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declaration", "array"),
    [
        ("float* a", np.zeros(3, np.float32)),
        ("float* a", np.zeros((2, 3), np.float32)),
        ("float* a", np.zeros(0, np.float32)),
        ("float* a", np.zeros((0, 5), np.float32)),
        ("long* a", np.zeros(2, np.longlong)),
        ("bool* a", np.zeros(2, np.bool_)),
        ("char* a", np.frombuffer(b"text", np.uint8)),
        ("const char* a", np.frombuffer(b"text", "S1")),
        ("float4* a", np.zeros((5, 4), np.float32)),
        ("float4* a", np.zeros(8, np.float32)),
        ("const float4* a", np.zeros(2, F4)),
        ("void* a", np.zeros(2, np.complex128)),
        ("Point* a", np.zeros(2, [("x", np.int8)])),
        ("float2* a", np.zeros((3, 2), np.float32)),
    ],
)
def test_an_array_that_fits_is_taken_as_it_is(declaration: str, array: np.ndarray) -> None:
    array.flags.writeable = False
    assert only(declaration).fit(array, "f") is array


class OnGpu:
    __cuda_array_interface__: ClassVar = {"shape": (3,)}


@pytest.mark.parametrize(
    ("declaration", "arg", "message"),
    [
        (
            "float* A",
            np.zeros(3),
            "f: float* A takes a numpy array of float32, but A is float64: pass A.astype(np.float32).",
        ),
        ("float* in", np.zeros(3, np.int32), "but x is int32: pass x.astype(np.float32)."),
        ("float* lambda", np.zeros(3), "pass x.astype(np.float32)."),
        ("float*", np.zeros(3), "pass x.astype(np.float32)."),
        ("int* A", np.zeros(3, np.uint32), "A is uint32: pass A.astype(np.int32)."),
        ("unsigned char* A", np.zeros(3, np.int8), "A is int8: pass A.astype(np.uint8)."),
        ("signed char* A", np.zeros(3, np.uint8), "A is uint8: pass A.astype(np.int8)."),
        ("bool* A", np.zeros(3, np.uint8), "pass A.astype(np.bool_)."),
        ("float4* A", np.zeros(6, np.float32), "size is a multiple of 4, but A has 6 elements: pad it with zeros."),
        ("float4* A", np.zeros(4), "A is float64: pass A.astype(np.float32)."),
        ("float* A", np.zeros(3, ">f4"), "another machine's order: pass A.astype(A.dtype.newbyteorder('='))."),
        ("void* A", np.zeros(3, ">f4"), "another machine's order"),
        ("float* A", np.zeros((4, 4), np.float32).T[::2], "A is not C-contiguous: pass np.ascontiguousarray(A)."),
        ("float* A", np.zeros((4, 4), np.float32, order="F"), "not C-contiguous"),
        ("void* A", np.zeros(4)[::2], "not C-contiguous"),
        ("float* A", [1.0, 2.0], "but got a list: pass np.array(A, dtype=np.float32)."),
        ("void* A", (1, 2), "takes a numpy array, but got a tuple: pass np.array(A)."),
        ("float* A", 3, "but got the number 3: pass np.array([A], dtype=np.float32)."),
        ("float* A", np.float32(3), "but got the number np.float32(3.0)"),
        ("float* A", None, "but got None: pass an array, such as np.zeros(n, dtype=np.float32)."),
        ("float* A", "abc", "but got an object of type str"),
        ("float* A", OnGpu(), "A is on the GPU: pass a copy in numpy, such as A.get()."),
        ("float* A", np.array([None]), "A holds Python objects"),
        ("void* A", np.array(["a", 1], object), "A holds Python objects"),
        ("float** A", np.zeros(3, np.float32), "A is a pointer to pointers, and no numpy array is that"),
        ("const float* const A[4]", np.zeros(3, np.float32), "const float* const* A is a pointer to pointers"),
    ],
)
def test_an_array_that_does_not_fit_gets_one_sentence(declaration: str, arg: Any, message: str) -> None:
    got = refusal(only(declaration).fit, arg, "f")
    assert message in got
    assert got.startswith("f: ")


# ---- scalars ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declaration", "arg", "dtype", "value"),
    [
        ("int n", 3, np.int32, 3),
        ("int n", np.int64(-3), np.int32, -3),
        ("int n", np.uint8(3), np.int32, 3),
        ("int n", 3.0, np.int32, 3),
        ("int n", True, np.int32, 1),
        ("int n", np.array(3), np.int32, 3),
        ("int n", 2**31 - 1, np.int32, 2**31 - 1),
        ("unsigned n", 2**32 - 1, np.uint32, 2**32 - 1),
        ("size_t n", 2**64 - 1, np.uint64, 2**64 - 1),
        ("char c", -128, np.int8, -128),
        ("float x", 3, np.float32, 3),
        ("float x", 0.1, np.float32, np.float32(0.1)),
        ("float x", np.float64(0.1), np.float32, np.float32(0.1)),
        ("float x", float("inf"), np.float32, np.inf),
        ("float x", 2**24 + 1, np.float32, 2**24),
        ("float x", 1e-60, np.float32, 0),
        ("double x", np.float32(0.5), np.float64, 0.5),
        ("double x", np.longdouble(0.5), np.float64, 0.5),
        ("__half x", 0.5, np.float16, 0.5),
        ("bool b", True, np.bool_, True),
        ("bool b", np.bool_(False), np.bool_, False),
        ("bool b", 1, np.bool_, True),
    ],
)
def test_a_scalar_becomes_exactly_the_parameters_type(declaration: str, arg: Any, dtype: DTypeLike, value: Any) -> None:
    got = only(declaration).fit(arg, "f")
    assert type(got) is dtype
    assert got == value


def test_nan_stays_nan() -> None:
    assert np.isnan(only("float x").fit(float("nan"), "f"))


@pytest.mark.parametrize(
    ("declaration", "arg", "message"),
    [
        ("int n", 3.5, "f: int n takes one int32, but got 3.5: pass an integer, such as int(...) makes."),
        ("int n", float("nan"), "but got nan"),
        ("int n", float("inf"), "but got inf"),
        ("int n", 2**31, "but got 2147483648: pass a number from -2147483648 to 2147483647."),
        pytest.param("int n", 10**5000, "an int of 16610 bits", id="huge"),
        ("unsigned n", -1, "but got -1: pass a number from 0 to 4294967295."),
        ("unsigned char n", np.int32(256), "from 0 to 255."),
        ("bool b", 2, "takes one bool, but got 2: pass a number from 0 to 1."),
        ("bool b", 0.5, "but got 0.5"),
        ("float x", 1e300, "but got 1e+300: pass a number from -3.4"),
        pytest.param("float x", 10**400, "pass a number from -3.4", id="above"),
        pytest.param("double x", -(10**400), "pass a number from -1.79", id="below"),
        ("__half x", 70000, "from -65504.0 to 65504.0."),
        ("int n", "3", "but got '3': pass a number."),
        ("int n", None, "but got None: pass a number."),
        ("int n", 1j, "but got 1j: pass a number."),
        ("float x", np.complex64(1), "pass a number."),
        ("int n", np.zeros(3), "but got an array of shape (3,): pass a number."),
        ("int n", [3], "but got [3]: pass a number."),
        ("int n", np.datetime64("2026-01-01"), "pass a number."),
        ("Point p", 3, "takes 2 numbers, but got 3: pass a tuple such as (0, 0)."),
        (
            "Mixed p",
            3,
            "takes a Mixed by value: pass a numpy structured scalar of the same layout, which has 48 bytes.",
        ),
        ("Handle p", (1, 2), "takes a Handle by value: pass a numpy structured scalar"),
        ("float (*g)(float)", 3, "f: float (*g)(float) takes a float (*)(float) by value: pass a numpy structured"),
        ("float& x", 3, "f: float& x is a reference, which no launch can pass: take it by value or as a pointer."),
        ("float4 v", 3, "takes 4 numbers, but got 3: pass a tuple such as (0, 0, 0, 0)."),
        ("float4 v", (1, 2, 3), "takes 4 numbers, but got (1, 2, 3)"),
        ("float2 v", ((1, 2), (3, 4)), "takes 2 numbers"),
        ("float2 v", (1, "2"), "pass a number."),
        ("uchar2 v", (1, 256), "from 0 to 255."),
    ],
)
def test_a_scalar_that_does_not_fit_gets_one_sentence(declaration: str, arg: Any, message: str) -> None:
    assert message in refusal(only(declaration).fit, arg, "f")


@pytest.mark.parametrize("arg", [(1, 2, 3, 4), [1, 2, 3, 4], np.arange(1, 5), np.array((1, 2, 3, 4), F4)])
def test_a_vector_is_made_from_its_numbers(arg: Any) -> None:
    got = only("float4 v").fit(arg, "f")
    assert isinstance(got, np.void)
    assert got.dtype == F4
    assert got.tolist() == (1, 2, 3, 4)


POINT = np.dtype([("i", np.int32), ("x", np.float32)])
MIXED = np.dtype([("c", "i1"), ("d", "f8"), ("b", "?", 3), ("v", F4)], align=True)


def test_a_struct_by_value_is_an_equal_one_of_numpys() -> None:
    point = np.array((1, 2.5), [("number", np.int32), ("at", np.float32)])[()]
    assert only("Point p").fit(point, "f") is point
    assert only("Point p").fit((1, 2.5), "f") == np.array((1, 2.5), POINT)[()]
    assert only("Point p").dtype == POINT
    assert "takes 4 numbers" in refusal(only("float4 v").fit, point, "f")
    mixed = np.zeros((), only("Mixed m").dtype)[()]
    assert only("Mixed m").fit(mixed, "f") is mixed
    other = np.zeros((), [("c", "f8"), ("d", "f8"), ("b", "f8"), ("v", "f8", 3)])[()]
    assert other.nbytes == mixed.nbytes and "of the same layout" in refusal(only("Mixed m").fit, other, "f")


@pytest.mark.parametrize("declaration", ["Handle s", "Bits s", "Either s"])
def test_of_a_struct_that_numpy_has_not_the_bytes_count(declaration: str) -> None:
    parameter = only(declaration)
    assert parameter.dtype is None
    fitting = np.zeros((), f"V{parameter.bytes}")[()]
    assert parameter.fit(fitting, "f") is fitting
    assert f"which has {parameter.bytes} bytes." in refusal(parameter.fit, np.zeros((), "V3")[()], "f")
