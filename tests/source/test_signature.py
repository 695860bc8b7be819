"""Is a kernel found by its name, with the types of its parameters, and are arguments checked against them?"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from cpu_limit import cpu_limit
from numpy.typing import DTypeLike

from autograder.errors import UsageError
from autograder.source.signature import Parameter, expression, find_kernel, is_ambiguous
from autograder.source.text import MAX_LENGTH

F4 = np.dtype([(lane, np.float32) for lane in "xyzw"])


def only(declaration: str, before: str = "") -> Parameter:
    (parameter,) = find_kernel(f"{before}\n__global__ void f({declaration}) {{}}", "f").parameters
    return parameter


def refusal(call: Callable[..., object], *args: Any) -> str:
    with pytest.raises(UsageError) as caught:
        call(*args)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message


# ---- parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declaration", "name", "type_", "dtype"),
    [
        ("int n", "n", "int", np.int32),
        ("unsigned n", "n", "unsigned int", np.uint32),
        ("unsigned", "", "unsigned int", np.uint32),
        ("unsigned int", "", "unsigned int", np.uint32),
        ("int", "", "int", np.int32),
        ("const unsigned int n = 3", "n", "unsigned int", np.uint32),
        ("long unsigned int long n", "n", "unsigned long long", np.uint64),
        ("short int n", "n", "short", np.int16),
        ("long n", "n", "long", np.int64),
        ("long long n", "n", "long long", np.int64),
        ("char c", "c", "char", np.int8),
        ("signed char c", "c", "signed char", np.int8),
        ("unsigned char c", "c", "unsigned char", np.uint8),
        ("size_t n", "n", "size_t", np.uint64),
        ("std::size_t n", "n", "size_t", np.uint64),
        ("::std::int16_t n", "n", "int16_t", np.int16),
        ("uint8_t n", "n", "uint8_t", np.uint8),
        ("double x", "x", "double", np.float64),
        ("__half x", "x", "__half", np.float16),
        ("bool b", "b", "bool", np.bool_),
        ("float4 v", "v", "float4", F4),
        ("dim3 d", "d", "dim3", np.dtype([(axis, np.uint32) for axis in "xyz"])),
        ("uchar4 v", "v", "uchar4", np.dtype([(lane, np.uint8) for lane in "xyzw"])),
        ("Point p", "p", "Point", None),
        ("struct Point p", "p", "Point", None),
        ("Pair<int, 4> p", "p", "Pair<int, 4>", None),
        ("[[maybe_unused]] int n", "n", "int", np.int32),
        ("__grid_constant__ const int n", "n", "int", np.int32),
    ],
)
def test_scalar_parameters(declaration: str, name: str, type_: str, dtype: DTypeLike) -> None:
    parameter = only(declaration)
    assert (parameter.name, parameter.type) == (name, type_)
    assert parameter.dtype == (None if dtype is None else np.dtype(dtype))
    assert not parameter.is_pointer


@pytest.mark.parametrize(
    ("declaration", "type_", "dtype", "is_const"),
    [
        ("float* a", "float*", np.float32, False),
        ("const float *a", "const float*", np.float32, True),
        ("float const * __restrict__ a", "const float*", np.float32, True),
        ("float* const a", "float*", np.float32, False),
        ("volatile unsigned int* a", "unsigned int*", np.uint32, False),
        ("const unsigned char *__restrict a = nullptr", "const unsigned char*", np.uint8, True),
        ("float a[]", "float*", np.float32, False),
        ("const float a[256]", "const float*", np.float32, True),
        ("float a[][16]", "float*", np.float32, False),
        ("float (*a)[16]", "float*", np.float32, False),
        ("float (&a)[16]", "float*", np.float32, False),
        ("float4* a", "float4*", F4, False),
        ("bool* a", "bool*", np.bool_, False),
        ("void* a", "void*", None, False),
        ("const Point* a", "const Point*", None, True),
        ("float /* in, not out */ * // (really)\n a", "float*", np.float32, False),
        ("float * \\\n a", "float*", np.float32, False),
    ],
)
def test_pointer_parameters(declaration: str, type_: str, dtype: DTypeLike, is_const: bool) -> None:
    parameter = only(declaration)
    assert (parameter.name, parameter.type) == ("a", type_)
    assert parameter.dtype == (None if dtype is None else np.dtype(dtype))
    assert parameter.is_pointer
    assert parameter.is_const is is_const


def test_a_declaration_is_shown_tidy_and_without_its_default() -> None:
    assert only("const  float*\n  __restrict__   a /* in */ = nullptr").declaration == "const float* __restrict__ a"


@pytest.mark.parametrize(
    "alias",
    [
        "typedef float real;",
        "using real = float;",
        "#define real float",
        "#  define  real  float  // the type",
        "typedef float single; using real = single;",
        "#define real single\n#define single float",
    ],
)
def test_aliases_are_followed(alias: str) -> None:
    assert only("const real* a", alias).type == "const float*"
    assert only("real x", alias).dtype == np.float32


def test_an_alias_may_be_a_pointer_or_itself() -> None:
    assert only("floats a", "typedef float* floats;").type == "float*"
    assert only("a x", "#define a b\n#define b a").dtype is None


@pytest.mark.parametrize(
    ("declaration", "words"),
    [("float& x", "reference"), ("const T &x", "reference"), ("T... xs", "pack"), ("x" * 501 + " y", "too long")],
)
def test_parameters_that_no_launch_can_pass_are_refused(declaration: str, words: str) -> None:
    assert words in refusal(only, declaration)


def test_aliases_that_double_or_never_end_do_not_hang() -> None:
    doubling = "".join(f"#define a{i} a{i + 1} a{i + 1}\n" for i in range(2000))
    chained = "".join(f"#define b{i} b{i + 1}\n" for i in range(2000))
    with cpu_limit():
        assert only("a0 x", doubling).dtype is None
        assert only("b0 x", chained).dtype is None


# ---- finding the kernel -------------------------------------------------------------------------

TEXT = """
// __global__ void commented(int n) {}
#define LAUNCH __global__ void macro(int n)
__device__ float helper(float x) { return x; }
float host(float x) { return helper(x); }
__global__ void first(const float* a, float* b, int n);
__global__ void first(const float* x, float* y, int n) { if (n > 1) { y[0] = x[0]; } }
extern "C" __global__ void __launch_bounds__(256, 2) bounded(int n) { }
void __global__ turned(int n) { }
__global__ void quiet(int n) noexcept { }
static __global__ void
[[maybe_unused]] apart
  (int n)
{ }
__global__ void nothing() { }
__global__ void nothing_either(void) { }
__global__ void declared(int n);
namespace outer { namespace { struct S { }; } namespace inner {
    __global__ void hidden(int n) { } } inline namespace v1 { __global__ void lifted(int n) {} }
    template <typename T> __global__ void typed(T* a) { } }
namespace a::b { __global__ void deep(int n) { } }
template <typename T, int N = 4, bool B = (3 > 2)>
__global__ void __launch_bounds__(N * 2) blur(const T* a, T (&b)[N], int n) { }
template <> __global__ void blur<float, 4>(const float* a, float (&b)[4], int n) { }
template __global__ void blur<double, 4>(const double*, double (&)[4], int);
template <int R> __device__ int not_this(int x) { return R; }
template <class First, template <class> class C> __global__ void odd(First x) { }
template <int N> __global__ void sized(int* a) { }
template <int N = 8> __global__ void defaulted(int* a) { }
__global__ void twice(int n) { }
__global__ void twice(float x) { }
"""


@pytest.mark.parametrize(
    ("name", "declarations"),
    [
        ("first", ("const float* x", "float* y", "int n")),
        ("bounded", ("int n",)),
        ("turned", ("int n",)),
        ("quiet", ("int n",)),
        ("apart", ("int n",)),
        ("nothing", ()),
        ("nothing_either", ()),
        ("outer::inner::hidden", ("int n",)),
        ("outer::lifted", ("int n",)),
        ("a::b::deep", ("int n",)),
        (" first ", ("const float* x", "float* y", "int n")),
    ],
)
def test_a_kernel_is_found_by_name(name: str, declarations: tuple[str, ...]) -> None:
    signature = find_kernel(TEXT, name)
    assert signature.name == name
    assert signature.function == name.strip().split("::")[-1]
    assert signature.template_args == ()
    assert tuple(p.declaration for p in signature.parameters) == declarations


@pytest.mark.parametrize(
    ("name", "args", "types"),
    [
        ("blur<float>", ("float", "4", "(3 > 2)"), ["const float*", "float*", "int"]),
        (
            "blur<unsigned char, 128>",
            ("unsigned char", "128", "(3 > 2)"),
            ["const unsigned char*", "unsigned char*", "int"],
        ),
        ("blur< double , 2, false >", ("double", "2", "false"), ["const double*", "double*", "int"]),
        ("outer::typed<float4>", ("float4",), ["float4*"]),
        ("sized<128>", ("128",), ["int*"]),
        ("defaulted<>", ("8",), ["int*"]),
        ("odd<int, Box>", ("int", "Box"), ["int"]),
    ],
)
def test_template_arguments_reach_the_parameters(name: str, args: tuple[str, ...], types: list[str]) -> None:
    signature = find_kernel(TEXT, name)
    assert signature.name == name
    assert signature.template_args == args
    assert [p.type for p in signature.parameters] == types


OVERLOADED = """using real = float;
__global__ void add(float2* out, const float2* in, size_t n, float by = 1.f) { }
__global__ void add(real* out, const real *__restrict__ in, const size_t n, float by = 1.f) { }
__global__ void alone(int* a, int b);
__global__ void alone(int* a) { }
__global__ void declared(int* out);
__global__ void declared(int* a) { }
"""


def test_types_tell_kernels_of_one_name_apart() -> None:
    name = "add(float*, float const*, unsigned long, float)"  # as a demangler writes it
    signature = find_kernel(OVERLOADED, name)
    assert [p.name for p in signature.parameters] == ["out", "in", "n", "by"]
    assert signature.function == "add" and signature.parameters[0].dtype == np.float32
    cast = "static_cast<void (*)(real* out, const real *__restrict__ in, const size_t n, float by )>(add)"
    assert expression(OVERLOADED, name) == cast
    with pytest.raises(UsageError, match=r"such as add\(float2\*, const float2\*, size_t, float\)\."):
        find_kernel(OVERLOADED, "add")
    assert is_ambiguous(OVERLOADED, "add") and not is_ambiguous(OVERLOADED, "alone")


def test_a_name_that_is_declared_otherwise_is_the_definitions() -> None:
    assert expression(OVERLOADED, "alone") == "static_cast<void (*)(int* a)>(alone)"
    assert expression(OVERLOADED, "declared") == "declared"
    assert find_kernel(OVERLOADED, "alone").parameters[0].name == "a"


#: A condition, and whether what it stands in front of is left out.
CONDITIONS = {
    "#if 0": True,
    "#if 1": False,
    "#define ON 0\n#if ON": True,
    "#define A 2\n#define B (A * 3 - 1)\n#if B == 5 && defined(A) && !defined C || A < 1\n#define C": False,
    "#define A\n#ifdef A\n#else": True,
    "#define A\n#undef A\n#ifndef A\n#elif 1": True,
    "#if 0x10 != 16 || (1 << 3 | 1) > -2\n#define A 1\n#endif\n#if 0\n#elif 1 + 2 * 2 == 6": True,
    "#if 1\n#if 0\n#endif": False,
    "#if 0\n#if 1\n#else\n#endif": True,
    "#define ALL defined(ALL)\n#if !AL\\\nL": True,
    # What is not decided may be there.
    "#ifdef ELSEWHERE": False,
    "#if UNKNOWN\n#define A 0\n#else\n#define A 1\n#endif\n#if A": False,
    "#define A() 0\n#if A()": False,
    "#if 1 / 0": False,
    "#if": False,
    "#if (0": False,
    "#if 0 0": False,
    "#define A A\n#if A": False,
    "#if 4000000000 < 0": False,
    "#if 0u": False,
    "#if " + "(" * 2000: False,
    "".join(f"#define A{i} A{i + 1} A{i + 1}\n" for i in range(40)) + "#define A40\n#if A0 0": False,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_of_kernels_of_one_name_those_that_the_preprocessor_leaves_out_do_not_count(condition: str) -> None:
    other = "__global__ void __launch_bounds__(32) add(long a) { }"
    text = f"{condition}\n{other}\n#endif\n__global__ void add(int b) {{ }}"
    assert is_ambiguous(text, "add") is not CONDITIONS[condition]
    if CONDITIONS[condition]:
        signature = find_kernel(text, "add")
        assert [p.name for p in signature.parameters] == ["b"] and signature.most_threads is None
        assert expression(text, "add") == "add"
    assert find_kernel(f"{condition}\n{other}\n#endif", "add").parameters[0].name == "a"


def test_a_template_argument_may_be_an_alias() -> None:
    text = "using real = double;\n#define T float\ntemplate <typename T> __global__ void f(T* a) { }"
    assert find_kernel(text, "f<real>").parameters[0].dtype == np.float64


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("frist", "There is no kernel frist in the text, which has .*: did you mean first\\?"),
        ("zzz", "which has a::b::deep, apart, .*, \\.\\.\\.: use one of its names\\."),
        ("commented", "There is no kernel commented"),
        ("macro", "There is no kernel macro"),
        ("helper", "helper is not a kernel: declare it as __global__ void helper\\(\\.\\.\\.\\)\\."),
        ("host", "host is not a kernel"),
        ("declared", "declared is declared but has no body"),
        ("hidden", "is in the text as outer::inner::hidden"),
        ("inner::hidden", "is in the text as outer::inner::hidden"),
        ("twice", "several kernels called twice: keep one of them, or name its types, too, such as twice\\("),
        ("twice(double*, char)", "several kernels called twice"),
        ("blur", "blur is a template: name an instance, such as blur<float, 4, \\(3 > 2\\)>\\."),
        ("sized", "such as sized<128>\\."),
        ("defaulted", "such as defaulted<8>\\."),
        ("sized<>", "sized<> does not fit the 1 template parameters of sized"),
        ("blur<float, 1, true, 2>", "does not fit the 3 template parameters"),
        ("blur<float, , true>", "does not fit the 3 template parameters"),
        ("first<4>", "first is not a template: name it without <\\.\\.\\.>\\."),
        ("", "is not a kernel's name"),
        ("two words", "is not a kernel's name"),
        ("f(); system", "is not a kernel's name"),
        ("blur<sizeof(int)>", "is not a kernel's name"),
        ("blur<4", "is not a kernel's name"),
        ("first\n#include", "is not a kernel's name"),
        ("fïrst", "is not a kernel's name"),
        (None, "None is not a kernel's name"),
    ],
)
def test_a_wrong_name_gets_one_sentence(name: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        find_kernel(TEXT, name)


@pytest.mark.parametrize(
    "text", ["", "// __global__ void f() {}", "int x;", "#define K __global__ void f()", "__global__"]
)
def test_a_text_without_kernels_says_so(text: str) -> None:
    assert refusal(find_kernel, text, "f") == "The text has no __global__ function: write __global__ void f(...)."


@pytest.mark.parametrize(
    "parameters", ["int n ", "int n = [] { return 3; }()) ", "decltype([] { return 1; }()) n) "], ids=str.strip
)
def test_a_parameter_list_that_ends_behind_a_semicolon_is_named(parameters: str) -> None:
    text = f"__global__ void f({parameters}{{\n int x; }}\n__global__ void g(int n) {{}}"
    assert refusal(find_kernel, text, "f") == (
        "The parameter list of f has no ) before the first semicolon: write the ) before its body, and no lambda in "
        "the list."
    )
    assert find_kernel(text, "g").function == "g"


@pytest.mark.parametrize("source", [None, b"__global__ void f() {}", "x" * (MAX_LENGTH + 1)])
def test_a_source_that_is_no_kernel_text_is_refused(source: Any) -> None:
    assert "must be CUDA C++ text" in refusal(find_kernel, source, "f")


@pytest.mark.parametrize(
    "unit",
    [
        "template <",
        "__global__ ",
        "__global__ f(",
        "namespace ",
        "typedef ",
        "using a = ",
        "[[",
        "<",
        "__global__ [[",
        "\n",
        "template <> __global__ a ",
        "{",
        "f ( ",
        "inline ",
        "#define a ",
        "template<int> __global__ void f(int a) {}",
    ],
)
def test_no_text_makes_it_slow(unit: str) -> None:
    with cpu_limit(), pytest.raises(UsageError):
        find_kernel((unit * MAX_LENGTH)[:MAX_LENGTH], "f")


@pytest.mark.parametrize(
    "text",
    [
        f"#define a{' ' * 40_000}{'y' * 300}\n",
        f"using a ={' ' * 40_000}#",
        f"typedef{' ' * 20_000}x{' ' * 20_000}#",
        f"typedef{' ' * 90_000}!; ",
    ],
)
def test_no_alias_makes_it_slow(text: str) -> None:
    with cpu_limit():
        assert find_kernel(text + "\n__global__ void f(int a) {}", "f").function == "f"


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
        ("float* A[4]", np.zeros(3, np.float32), "float* A[4] is a pointer to pointers"),
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
        ("int n", 3.5, "f: int n takes one int32, but got 3.5: pass a whole number, such as int(...) makes."),
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
        ("Point p", 3, "takes a Point by value, whose layout is not known here"),
        ("float (*g)(float)", 3, "by value, whose layout is not known here"),
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


def test_a_struct_by_value_is_trusted() -> None:
    point = np.array((1, 2.5), [("i", np.int32), ("x", np.float32)])[()]
    assert only("Point p").fit(point, "f") is point
    assert "takes 4 numbers" in refusal(only("float4 v").fit, point, "f")
