"""Beginners' mistakes and the message for each: one per line, at the right line, in CUDA's terms."""

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder import Kernel
from autograder.cuda.compiler.toolchain import Module, compile_kernel, find_compile_errors, find_warnings
from autograder.cuda.core.findings import CompileError
from autograder.cuda.errors import UsageError
from autograder.cuda.report import describe
from autograder.cuda.report.compile_errors import Message, in_words

pytestmark = inputs.emulation

HEAD = "__global__ void scale(const float* in, float* out, int n)\n{\n    int i = threadIdx.x;\n"
WRONG = {
    "int j = threadIdx; out[j] = in[j];": "threadIdx alone is not a number: it has the parts threadIdx.x, threadIdx.y",
    "int j = blockIdx * blockDim.x; out[j] = in[j];": "blockIdx alone is not a number",
    "out[threadIdx] = in[i];": "threadIdx alone is not a number",
    "out[threadIdx.w] = in[i];": "threadIdx has no member w, only threadIdx.x, threadIdx.y and threadIdx.z",
    "out[i] = in[i] ** 2;": "C++ has no operator ** for powers: multiply, or call powf",
    "out[i] = *n;": "indirection requires pointer operand ('int' invalid)",
    "out[i] = in[i] ^ 2;": "; ^ is not a power, it is the exclusive or of integers",
    "out[i] = in[i] % 2.0f;": "invalid operands to binary expression ('const float' and 'float')",
    "cout << in[i] << endl;": "a kernel has no cout: it prints with printf",
    "std::cout << in[i] << std::endl;": "a kernel has no cout: it prints with printf",
    "std::vector<float> v(n);": "a kernel has no vector of the standard library: it works on arrays",
    "struct S { int n; } s; s.list = 1;": "no member named 'list' in 'S'",
    "__shared__ float a[n]; a[i] = in[i];": "the size of an array must be a constant, known to the compiler",
    "__share__ float a[32];": "unknown type name '__share__'; did you mean '__shared__'?",
    "_syncthreads();": "use of undeclared identifier '_syncthreads'; did you mean '__syncthreads'?",
    "print(i);": "use of undeclared identifier 'print'; did you mean 'printf'?",
    "out[i] = __shfl_down(in[i], 1);": "did you mean '__shfl_down_sync'?",
    "out[i] = total;": "use of undeclared identifier 'total': declare it above this line",
    "def f(x): return x": "unknown type name 'def': declare it above this line",
    "atomicAdd(out[0], in[i]);": "call to 'atomicAdd': take the address of the argument with &",
    "out[i] = max(in[i], 0);": "call to 'max' is ambiguous: give both arguments the same type",
    "out[i] = in[i] * 2f;": "invalid digit 'f' in decimal constant; a float has a point before its f: 2.0f",
    "return in[i];": "void function 'scale' should not return a value",
    "out[i] = in[i]": "expected ';' after expression",
}  # fmt: skip


def messages(text: str) -> tuple[Message, ...]:
    return in_words(only(CompileError, find_compile_errors(text)).messages)


@pytest.mark.parametrize("line", WRONG)
def test_a_slip_is_told_once_at_its_line_in_plain_words(line: str) -> None:
    ((number, _, reported),) = messages(f"{HEAD}    {line}\n}}\n")
    assert number == 4
    assert WRONG[line] in reported and "__cuda_builtin" not in reported and "[-W" not in reported


def test_two_lines_are_told_both() -> None:
    reported = messages(f"{HEAD}    out[i] = a + b;\n    out[i] = c;\n}}\n")
    assert [(line, text.partition(":")[0][-3:]) for line, _, text in reported] == [(4, "'a'"), (5, "'c'")]


@pytest.mark.parametrize(
    ("text", "line", "reported"),
    [
        (f"{HEAD}    if (i < n) {{\n        out[i] = 1;\n}}\n", 6, "a '}' is missing: the '{' in line 2 is not closed"),
        (f"{HEAD}    out[i] = 1;\n", 4, "a '}' is missing: the '{' in line 2 is not closed"),
        (HEAD.replace("void ", "") + "}\n", 1, "a __global__ function must have a void return type"),
        (HEAD + '    printf("%d\\n, i);\n}\n', 4, 'a closing " is missing'),
        (HEAD + '    printf("%d\\n", i;\n}\n', 4, "a closing ')' is missing"),
        ("struct S { float a; };\n__device__ float f(S s) { return s.a; }\n" + HEAD + "    out[i] = f(1, 2);\n}\n", 6,
         "no matching function for call to 'f': it requires single argument 's', but 2 arguments were provided"),
    ],
)  # fmt: skip
def test_a_slip_that_shows_elsewhere(text: str, line: int, reported: str) -> None:
    number, _, first = messages(text)[0]
    assert (number, first) == (line, reported)


def test_shared_memory_by_extern_has_no_size() -> None:
    for declared in ("float tile;", "float tile[32];", "float tile[n];"):
        line, _, text = messages(f"{HEAD}    extern __shared__ {declared}\n}}\n")[0]
        assert (line, text[:44]) == (4, "extern __shared__ takes an array without a s")


def test_template_arguments_that_do_not_fit() -> None:
    text = "template <class T> __global__ void k(typename T::Item* a) { a[0] = 1; }"
    with pytest.raises(UsageError, match="k has no instance k<float>: it is a template <class T>"):
        Kernel(text, "k<float>")


def test_a_kernel_that_returns_a_number() -> None:
    text = "__device__ int g;\n" + HEAD.replace("void", "int") + "    return 0;\n}\n"
    run = Kernel(text, "scale").emulate(1, 1, [*[np.zeros(1, np.float32)] * 2, 1])
    assert in_words(only(CompileError, run.findings).messages) == (
        (2, 12, "a __global__ function must have a void return type"),
    )


SLIPS = (
    ("if (i = n) out[i] = 1;", "== compares two values"),
    ("if (i < n); out[i] = 1;", "the if ends at this ; and what follows is not part of it"),
    ("__syncthreads;", "without parentheses this calls nothing: __syncthreads()"),
    ("out[i, 0] = 1;", "one index: row * (length of a row) + column"),
    ("i == 3;", "== only compares, and its result is not used; = assigns"),
    ("for (unsigned u = i; u >= 0; u--) out[u] = 1;", "comparison of unsigned expression >= 0 is always true"),
    ("for (int j = 0; j < n; j++); { out[i] = 1; }", "the for ends at this ; and what follows is not part of it"),
)


@pytest.mark.parametrize("slips", [SLIPS[:4], SLIPS[4:]])
def test_what_compiles_and_can_hardly_be_meant_is_warned_of(slips: tuple[tuple[str, str], ...]) -> None:
    warnings = in_words(find_warnings(HEAD + "".join(f"    {line}\n" for line, _ in slips) + "}\n"))
    assert [line for line, _, _ in warnings] == list(range(4, 4 + len(slips)))
    for (_, _, warning), (_, reported) in zip(warnings, slips, strict=True):
        assert warning.endswith(reported)


ARRAYS = """template <class T> struct Shared;
template <> struct Shared<float> {{
    __device__ static float* get() {{ extern __shared__ float s_float[]; return s_float; }}
}};
template <> struct Shared<int> {{
    __device__ static int* get() {{ extern __shared__ int s_int[]; return s_int; }}
}};
namespace other {{ extern __shared__ int mine[]; }}
extern __shared__ float mine[];
template <class T> __global__ void filled(T* out) {{ T* s = Shared<T>::get(); s[0] = 1; out[0] = s[0]; }}
template __global__ void filled<float>(float*);
template __global__ void filled<int>(int*);
__global__ void scale(float* out) {{
    float* s = Shared<float>::get();
    s[0] = 1;
    {line}
    out[0] = s[0];
}}
"""


def test_two_dynamic_arrays_in_one_kernel_are_warned_of() -> None:
    warned = compile_kernel(ARRAYS.format(line="Shared<int>::get()[1] = mine[0];"), "scale")
    assert isinstance(warned, Module)
    ((line, _, text),) = in_words(warned.info.warnings)
    assert line == 3 and text.startswith("mine, s_float and s_int begin at the same byte: ")


@pytest.mark.parametrize("line", ["", "mine[0] = other::mine[0];"])
def test_one_dynamic_array_in_each_kernel_is_not(line: str) -> None:
    text = ARRAYS.format(line=line).replace("float* s = Shared<float>::get();" if line else "\n\n", "float s[1];")
    found = compile_kernel(text, "scale")
    assert isinstance(found, Module) and found.info.warnings == ()


def test_an_answer_with_two_dynamic_arrays_is_warned_of() -> None:
    text = f"{HEAD}    extern __shared__ float a[], b[];\n    a[i] = 1;\n    out[i] = b[i];\n}}\n"
    ((line, _, warning),) = in_words(find_warnings(text))
    assert line == 6 and warning.startswith("a and b begin at the same byte: ")
    assert find_warnings(text.replace("b[i]", "a[i]")) == ()


MEANT = """    if ((i = n)) out[i] = 1;
    while (atomicAdd(out, 0.0f) != 0) ;
    if (i < n && i > 0 || n == 1) out[i] = 1;
    out[i << 1 + n] = 1;
    int unused;
    for (;;) break;
    (void)i;
    if (i < n) {} else out[i] = 1;
    if (i < 2) if (n) out[i] = 1; else out[i] = 2;
    assert(i >= 0);
    for (int a = 0, b = n; a < b; a++, b--) {}
"""


def test_what_may_well_be_meant_is_not() -> None:
    assert find_warnings(f"{HEAD}{MEANT}}}\n") == ()


@pytest.mark.parametrize("line", ["# a comment", "out[i] = 1;  # the first"])
def test_who_comments_as_in_python_is_told_how(line: str) -> None:
    (finding,) = find_compile_errors(f"{HEAD}    {line}\n}}\n")
    assert "a comment begins with //" in " ".join(describe(finding).split())
