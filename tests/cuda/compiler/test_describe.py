"""Does the compiler's account of a kernel have its name, its parameters with their types, and its launch bounds?"""

from typing import Any
from uuid import uuid4

import inputs
import numpy as np
import pytest
from cpu_limit import cpu_limit
from numpy.typing import DTypeLike

from autograder.cuda.compiler import toolchain
from autograder.cuda.compiler.front_end import read
from autograder.cuda.compiler.kernel_signature import signature_of
from autograder.cuda.compiler.name_errors import TemplateError
from autograder.cuda.compiler.toolchain import Module, compile_kernel, describe, find_compile_errors, kernel_ir
from autograder.cuda.core.findings import CompileError, ForbiddenCode
from autograder.cuda.core.signature import Parameter, Signature
from autograder.cuda.errors import UsageError
from autograder.cuda.kernel import Kernel
from autograder.cuda.source.text import MAX_LENGTH

pytestmark = inputs.emulation

F4 = np.dtype([(lane, np.float32) for lane in "xyzw"])
POINT = np.dtype([("i", np.int32), ("x", np.float32)])
BEFORE = """#include <cuda_fp16.h>
struct Point { int i; float x; };
template <class T, int N> struct Pair { T v[N]; };
enum Place { HERE, THERE };
enum class Small : unsigned char { A };
"""


def described(text: str, name: str) -> Signature:
    signature = describe(text, name)
    assert isinstance(signature, Signature), signature
    return signature


def only(declaration: str, before: str = BEFORE) -> Parameter:
    (parameter,) = described(f"{before}\n__global__ void f({declaration}) {{}}", "f").parameters
    return parameter


def refusal(source: Any, name: Any) -> str:
    with pytest.raises(UsageError) as caught:
        describe(source, name)
    message = str(caught.value)
    assert "\n" not in message and message.endswith((".", "?"))
    return message


# ---- parameters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declaration", "name", "type_", "dtype"),
    [
        ("int n", "n", "int", np.int32),
        ("unsigned", "", "unsigned int", np.uint32),
        ("int", "", "int", np.int32),
        ("const unsigned int n = 3", "n", "unsigned int", np.uint32),
        ("long unsigned int long n", "n", "unsigned long long", np.uint64),
        ("short int n", "n", "short", np.int16),
        ("long n", "n", "long", np.int64),
        ("long long n", "n", "long long", np.int64),
        ("char c", "c", "char", np.int8),
        ("signed char c", "c", "signed char", np.int8),
        ("unsigned char c", "c", "unsigned char", np.uint8),
        ("size_t n", "n", "unsigned long", np.uint64),
        ("::std::int16_t n", "n", "short", np.int16),
        ("double x", "x", "double", np.float64),
        ("__half x", "x", "__half", np.float16),
        ("half x", "x", "__half", np.float16),
        ("half2 v", "v", "__half2", [("x", np.float16), ("y", np.float16)]),
        ("bool b", "b", "bool", np.bool_),
        ("float4 v", "v", "float4", F4),
        ("double1 v", "v", "double1", [("x", np.float64)]),
        ("dim3 d", "d", "dim3", [(axis, np.uint32) for axis in "xyz"]),
        ("uchar4 v", "v", "uchar4", [(lane, np.uint8) for lane in "xyzw"]),
        ("struct Point p", "p", "Point", POINT),
        ("Pair<short, 3> p", "p", "Pair<short, 3>", [("v", np.int16, 3)]),
        ("Place p", "p", "Place", np.uint32),
        ("const Small p", "p", "Small", np.uint8),
        ("unsigned __int128 n", "n", "unsigned __int128", None),
        ("int (*g)(float, char*)", "g", "int (*)(float, char*)", None),
        ("int g(float)", "g", "int (*)(float)", None),
        ("[[maybe_unused]] int n", "n", "int", np.int32),
        ("__grid_constant__ const int n", "n", "int", np.int32),
        ("decltype([] { return 1; }()) n", "n", "int", np.int32),
        ("int n = [] { return 3; }()", "n", "int", np.int32),
    ],
)
def test_scalar_parameters(declaration: str, name: str, type_: str, dtype: DTypeLike) -> None:
    parameter = only(declaration)
    assert (parameter.name, parameter.type) == (name, type_)
    assert parameter.dtype == dtype if dtype is None else parameter.dtype == np.dtype(dtype)
    assert not parameter.is_pointer
    assert dtype is None or parameter.bytes == np.dtype(dtype).itemsize


@pytest.mark.parametrize(
    ("declaration", "type_", "dtype", "is_const"),
    [
        ("float* a", "float*", np.float32, False),
        ("const float *a", "const float*", np.float32, True),
        ("float const * __restrict__ a", "const float*", np.float32, True),
        ("float* const a", "float*", np.float32, False),
        ("volatile unsigned int* a", "volatile unsigned int*", np.uint32, False),
        ("const unsigned char *__restrict a = nullptr", "const unsigned char*", np.uint8, True),
        ("float a[]", "float*", np.float32, False),
        ("const float a[256]", "const float*", np.float32, True),
        ("float a[][16]", "float*", np.float32, False),
        ("float (*a)[16]", "float*", np.float32, False),
        ("const float (&a)[16]", "const float*", np.float32, True),
        ("float4* a", "float4*", F4, False),
        ("bool* a", "bool*", np.bool_, False),
        ("void* a", "void*", None, False),
        ("const Point* a", "const Point*", None, True),
        ("half2* a", "__half2*", None, False),
        ("uint3* a", "uint3*", [(axis, np.uint32) for axis in "xyz"], False),
        ("float** a", "float**", None, False),
        ("const float* const* a", "const float* const*", None, True),
        ("float /* in, not out */ * // (really)\n a", "float*", np.float32, False),
        ("float * \\\n a", "float*", np.float32, False),
        ("cudaTextureObject_t a", "cudaTextureObject_t", np.uint8, True),
        ("const cudaSurfaceObject_t a", "cudaSurfaceObject_t", np.uint8, False),
    ],
)
def test_pointer_parameters(declaration: str, type_: str, dtype: DTypeLike, is_const: bool) -> None:
    parameter = only(declaration)
    assert (parameter.name, parameter.type, parameter.bytes) == ("a", type_, 8)
    assert parameter.dtype == dtype if dtype is None else parameter.dtype == np.dtype(dtype)
    assert parameter.is_pointer
    assert parameter.is_const is is_const


def test_a_declaration_is_shown_tidy_and_without_its_default() -> None:
    assert only("const  float*\n  __restrict__   a /* in */ = nullptr").declaration == "const float* __restrict__ a"
    assert only("const real* a", "using real = float;").declaration == "const real* a"
    assert only("int (*g)(float)").declaration == "int (*g)(float)"
    assert only("float (&a)[2][3]").declaration == "float (&a)[2][3]"
    assert only("const space::T* a", "namespace space { typedef int T; }").declaration == "const space::T* a"


@pytest.mark.parametrize(
    "alias",
    [
        "typedef float real;",
        "using real = float;",
        "#define real float",
        "typedef float single; using real = single;",
        "#define real single\n#define single float",
        "template <class T> using it = T; using real = it<float>;",
        "using real = decltype(1.0f);",
    ],
)
def test_aliases_are_followed(alias: str) -> None:
    assert only("const real* a", alias).type == "const float*"
    assert only("real x", alias).dtype == np.float32
    assert only(
        "floats a", f"{alias} typedef real* floats;" if "#" not in alias else "typedef float* floats;"
    ).is_pointer


STRUCTS = """
struct Base { char tag; double weight; };
struct Inner { float4 v; short s[2][3]; };
struct Whole : Base {
    static constexpr int count = 3;
    bool on;
    Inner inner;
    __device__ Whole(int);
};
struct Odd { int a : 3; };
struct Empty {};
union Either { int i; float f; };
struct Handle { int* p; Either e; };
"""


def test_a_struct_has_the_layout_that_the_compiler_gives_it() -> None:
    got = only("Whole w", STRUCTS).dtype
    base = np.dtype([("tag", np.int8), ("weight", np.float64)], align=True)
    inner = np.dtype({"names": ["v", "s"], "formats": [F4, (np.int16, (2, 3))], "offsets": [0, 16], "itemsize": 32})
    whole = {"names": ["Base", "on", "inner"], "formats": [base, np.bool_, inner], "offsets": [0, 16, 32]}
    assert got == np.dtype({**whole, "itemsize": 64})  # type: ignore[call-overload]


@pytest.mark.parametrize(("declaration", "size"), [("Odd s", 4), ("Empty s", 1), ("Either s", 4), ("Handle s", 16)])
def test_a_struct_that_numpy_cannot_have_has_its_bytes(declaration: str, size: int) -> None:
    assert (only(declaration, STRUCTS).dtype, only(declaration, STRUCTS).bytes) == (None, size)


def test_a_struct_arrives_in_the_kernel() -> None:
    text = f"{STRUCTS}__global__ void f(Whole w, double* out, Handle) {{\n"
    text += "out[0] = w.tag; out[1] = w.weight; out[2] = w.on; out[3] = w.inner.v.z; out[4] = w.inner.s[1][2]; }"
    kernel = Kernel(text, "f")
    given = np.zeros((), kernel.signature.parameters[0].dtype)
    given["Base"]["tag"], given["Base"]["weight"], given["on"] = -3, 2.5, True
    given["inner"]["v"]["z"], given["inner"]["s"][1, 2] = 7.25, -9
    run = kernel.emulate(1, 1, [given[()], np.zeros(5), np.zeros((), "V16")[()]])
    assert run.completed and run.outputs[0].tolist() == [-3, 2.5, 1, 7.25, -9]


# ---- what only a compiler knows -----------------------------------------------------------------

FANCY = """
#define GLOBAL __global__
#define KERNEL(name, T) GLOBAL void name(T* out) { out[threadIdx.x] = sizeof(T); }
template <bool, class T> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T> using enable_if_t = typename enable_if<B, T>::type;
KERNEL(made, short)
template <class T, enable_if_t<(sizeof(T) > 2), int> = 0> GLOBAL void chosen(T* out) { out[0] = 1; }
template <class T, enable_if_t<!(sizeof(T) > 2), int> = 0> GLOBAL void chosen(T* out) { out[0] = 2; }
template <class T = float, int N = 3> GLOBAL void defaults(T (*out)[N]) { out[0][N - 1] = N; }
template <class... Ts> GLOBAL void packed(int* out, Ts... given) { out[0] = (given + ... + 0); }
template <auto N> GLOBAL void of_auto(decltype(N)* out) { out[0] = N; }
namespace outer {
    namespace { GLOBAL void hidden(int* out) { out[0] = 5; } }
    inline namespace v1 { KERNEL(lifted, int) }
}
GLOBAL void same(int* out) { out[0] = 1; }
GLOBAL void same(float* out) { out[0] = 2; }
static GLOBAL void alone(int*
#if defined(__CUDA_ARCH__) && !defined(OTHER)
    out, int n
#else
    other
#endif
) { out[0] = n; }
"""


@pytest.mark.parametrize(
    ("name", "args", "wanted"),
    [
        ("made", [np.zeros(1, np.int16)], 2),
        ("chosen<float>", [np.zeros(1, np.float32)], 1),
        ("chosen<char>", [np.zeros(1, np.int8)], 2),
        ("defaults<>", [np.zeros((1, 3), np.float32)], 3),
        ("defaults<double, 2>", [np.zeros((1, 2))], 2),
        ("packed<>", [np.zeros(1, np.int32)], 0),
        ("packed<int, float, char>", [np.zeros(1, np.int32), 3, 4.0, 5], 12),
        ("of_auto<(1 > 0)>", [np.zeros(1, np.bool_)], True),
        ("of_auto<7ull>", [np.zeros(1, np.uint64)], 7),
        ("outer::hidden", [np.zeros(1, np.int32)], 5),
        ("outer::lifted", [np.zeros(1, np.int32)], 4),
        ("outer :: lifted ", [np.zeros(1, np.int32)], 4),
        ("same(int*)", [np.zeros(1, np.int32)], 1),
        ("same(float *)", [np.zeros(1, np.float32)], 2),
        ("alone", [np.zeros(1, np.int32), 9], 9),
    ],
)
def test_each_kernel_runs_by_its_name(name: str, args: list[Any], wanted: object) -> None:
    run = Kernel(FANCY, name).emulate(1, 1, args)
    assert run.completed and run.outputs[0].flat[-1] == wanted, run.findings


# ---- finding the kernel -------------------------------------------------------------------------

TEXT = """
// __global__ void commented(int n) {}
#define LAUNCH __global__ void macro(int n)
__device__ float helper(float x) { return x; }
float host(float x) { return x; }
__global__ void first(const float* a, float* b, int n);
__global__ void first(const float* x, float* y, int n) { if (n > 1) { y[0] = x[0]; } }
extern "C" __global__ void __launch_bounds__(256, 2) bounded(int n) { }
void __global__ turned(int n) { }
__global__ void quiet(int n) noexcept { }
static __global__ void
apart [[maybe_unused]]
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
template <class T> struct Box { };
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
    signature = described(TEXT, name)
    assert signature.name == name
    assert tuple(p.declaration for p in signature.parameters) == declarations


@pytest.mark.parametrize(
    ("name", "types"),
    [
        ("blur<float>", ["const float*", "float*", "int"]),
        ("blur<unsigned char, 128>", ["const unsigned char*", "unsigned char*", "int"]),
        ("blur< double , 2, false >", ["const double*", "double*", "int"]),
        ("blur<float, sizeof(int), (2 > 3)>", ["const float*", "float*", "int"]),
        ("outer::typed<float4>", ["float4*"]),
        ("sized<128>", ["int*"]),
        ("defaulted<>", ["int*"]),
        ("odd<int, Box>", ["int"]),
    ],
)
def test_template_arguments_reach_the_parameters(name: str, types: list[str]) -> None:
    signature = described(TEXT, name)
    assert signature.name == name
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
    signature = described(OVERLOADED, "add(float*, float const*, unsigned long, float)")  # as a demangler writes it
    assert [p.name for p in signature.parameters] == ["out", "in", "n", "by"]
    assert signature.parameters[0].dtype == np.float32
    assert "such as add(float2*, const float2*, size_t, float)." in refusal(OVERLOADED, "add")
    assert "has other parameters in the text: name it declared(int*)." in refusal(OVERLOADED, "declared(int)")


def test_a_kernel_has_the_names_of_its_definition() -> None:
    assert described(OVERLOADED, "declared").parameters[0].name == "a"
    assert described(OVERLOADED, "alone(int*)").parameters[0].name == "a"
    assert "several kernels called alone: keep one" in refusal(OVERLOADED, "alone")


DECLARED_BEFORE = """#include <type_traits>
template <typename T = double, int N = 4> __global__ void scale(T* a);
template <typename T, int N> __global__ void scale(T* a) { a[threadIdx.x] *= N; }
template <typename T, typename U, std::enable_if_t<std::is_same_v<T, U>, int> = 0> __global__ void pick(T* a, U) { }
template <typename T, typename U, std::enable_if_t<!std::is_same_v<T, U>, int> = 0> __global__ void pick(T* a, U) { }
"""


def test_template_arguments_may_have_been_given_before_and_templates_may_share_a_name() -> None:
    assert "scale is a template: name an instance, such as scale<double, 4>." in refusal(DECLARED_BEFORE, "scale")
    assert described(DECLARED_BEFORE, "scale<double, 4>").parameters[0].dtype == np.float64
    assert "pick is a template: name an instance, such as pick<float, float, 0>." in refusal(DECLARED_BEFORE, "pick")
    assert described(DECLARED_BEFORE, "pick<float, int>").parameters[1].dtype == np.int32


def test_a_kernel_that_the_preprocessor_leaves_out_does_not_count() -> None:
    other = "__global__ void __launch_bounds__(32) add(long a) { }"
    text = "#define LEFT 4000000000u\n#if LEFT < 5 || !defined(LEFT)\n%s\n#endif\n%s"
    signature = described(text % (other, "__global__ void add(int b) { }"), "add")
    assert [p.name for p in signature.parameters] == ["b"] and signature.most_threads is None


def test_a_template_argument_may_be_an_alias() -> None:
    text = "using real = double;\ntemplate <typename T> __global__ void f(T* a) { }"
    assert described(text, "f<real>").parameters[0].dtype == np.float64


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("frist", "There is no kernel frist in the source, which has .*: did you mean first\\?"),
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
        ("sized<>", "sized has no instance sized<>: it is a template <int N>, so name one that fits that\\."),
        ("blur<float, 1, true, 2>", "it is a template <typename T, int N = 4, bool B = \\(3 > 2\\)>"),
        ("blur<float, , true>", "blur has no instance blur<float, , true>"),
        ("first<4>", "first is not a template: name it without <\\.\\.\\.>\\."),
        ("", "is not a kernel's name"),
        ("two words", "is not a kernel's name"),
        ("f(); system", "is not a kernel's name"),
        ("blur<sizeof(int)>", "blur has no instance"),
        ("first(long)", "has other parameters in the text: name it first\\(const float\\*, float\\*, int\\)\\."),
        ("Unknown<3>", "There is no kernel Unknown"),
        ("blur<4", "is not a kernel's name"),
        ("first\n#include", "is not a kernel's name"),
        ("fïrst", "is not a kernel's name"),
        (None, "None is not a kernel's name"),
    ],
)
def test_a_wrong_name_gets_one_sentence(name: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        describe(TEXT, name)


def test_the_name_of_a_template_is_an_error_of_its_own() -> None:
    with pytest.raises(TemplateError) as caught:
        describe(TEXT, "outer::typed")
    assert caught.value.kernel == "outer::typed" and "such as outer::typed<float>." in str(caught.value)


@pytest.mark.parametrize("text", ["", "// __global__ void f() {}", "int x;", "#define K __global__ void f()"])
def test_a_text_without_kernels_says_so(text: str) -> None:
    assert refusal(text, "f") == "The text has no __global__ function: write __global__ void f(...)."


@pytest.mark.parametrize("source", [None, b"__global__ void f() {}", "x" * (MAX_LENGTH + 1)])
def test_a_source_that_is_no_kernel_text_is_refused(source: Any) -> None:
    assert "must be CUDA C++ text" in refusal(source, "f")


# ---- launch bounds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "bound"),
    [
        ("__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__ ( 256, 2 ) f(int* x)", 256),
        ("__launch_bounds__(192, 1)\n__global__ void f(int* x)", 192),
        ("constexpr int LANES = 32;\n__global__ void __launch_bounds__(2 * LANES + 32, 4) f(int* x)", 96),
        ("#define SUM 2 + 2\n__global__ void __launch_bounds__(SUM * 32) f(int* x)", 66),
        ("__global__ void __launch_bounds__(sizeof(int) << 3) f(int* x)", 32),
        ("#define OTHER __launch_bounds__(16)\n__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__(64) g(int* x) {}\n__global__ void f(int* x)", None),
        ("__global__ void __launch_bounds__(64) f(int* x);\n__global__ void f(int* x)", 64),
        ("#define BOUNDS(n) __launch_bounds__(n)\n__global__ void BOUNDS(48) f(int* x)", 48),
    ],
)
def test_launch_bounds_are_read(declared: str, bound: int | None) -> None:
    assert described(f"{declared} {{}}", "f").most_threads == bound


def test_a_template_gives_launch_bounds() -> None:
    text = "template <int THREADS> __global__ void __launch_bounds__(THREADS) f(int* x) {}"
    assert described(text, "f<96>").most_threads == 96


def test_a_module_that_is_ready_for_the_passes_says_the_same() -> None:
    text = "__global__ void __launch_bounds__(64) f(const float* in, int n) {}"
    assert signature_of(kernel_ir(text, "f"), "@_Z1fPKfi") == described(text, "f")


def test_a_launch_beyond_its_bounds_is_refused() -> None:
    kernel, x = Kernel("__global__ void __launch_bounds__(64) f(int* x) {}", "f"), np.zeros(1, np.int32)
    assert kernel.prepare(1, (32, 2), [x]).block == (32, 2, 1)
    with pytest.raises(UsageError, match=r"has 65 threads, but f promises by __launch_bounds__ to have at most 64"):
        kernel.prepare(1, 65, [x])


# ---- texts that do not compile ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("__global__ void f(int n {\n int x; }", "f", 1),
        ("__global__ void f(int* a)\n{\n    a[0] = b;\n}", "f", 3),
        ("__global__ void f(int* a)\n{\n    a[0] = b;\n}", "g", 3),
        ("__global__ void f(int* a)\n{\n    a[0] = b;\n}", "f<3>", 3),
        ("template <class T> __global__ void f(T* a)\n{\n    a->x = 1;\n}", "f<int>", 3),
        ("template <int N> __global__ void f(int* a)\n{ static_assert(N > 3); }", "f<2>", 2),
    ],
)
def test_a_text_that_does_not_compile_is_a_finding(text: str, name: str, line: int) -> None:
    found = describe(text, name)
    assert isinstance(found, CompileError) and found.messages[0].line == line
    kernel = Kernel(text, name)
    run = kernel.emulate(1, 1, [np.zeros(1, np.int32)], empty=["a"], expected={"a": np.ones(1)})
    assert run.findings == (found,) == (kernel.refusal,) and not run.completed and len(run.outputs) == 1


def test_no_compiler_gets_what_is_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "read", lambda *_: pytest.fail("compiled"))
    assert isinstance(describe('#include "/etc/passwd"\n__global__ void f() {}', "f"), ForbiddenCode)


def test_a_kernel_that_has_been_described_is_compiled_without_being_read_again() -> None:
    text = f"__global__ void f(int* a) {{}} // {uuid4()}\n__global__ void g(float* a, int n) {{}}\n"
    before = read.cache_info().misses
    assert find_compile_errors(text, "f") == [] and len(described(text, "f").parameters) == 1
    assert isinstance(compile_kernel(text, "f"), Module) and read.cache_info().misses == before + 1


def test_what_is_in_the_cache_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{BEFORE}__global__ void __launch_bounds__(8) f(Pair<float, 3> p, Point* q, float** r, int) {{}}"
    first = described(text, "f")
    toolchain._find_kernel.cache_clear()
    monkeypatch.setattr(toolchain, "read", lambda *_: pytest.fail("compiled"))
    assert described(text, "f") == first and first.parameters[0].dtype is not None


@pytest.mark.parametrize("unit", ["template <", "__global__ ", "{", "f ( ", "<", "a<", "namespace a {"])
def test_no_text_makes_it_slow(unit: str) -> None:
    text = (unit * MAX_LENGTH)[:MAX_LENGTH]
    with cpu_limit():
        assert not isinstance(describe(text, "f"), Signature)
