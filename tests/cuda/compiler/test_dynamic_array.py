"""Is dynamic shared memory called what the text calls it, and are its elements of the text's type?"""

import inputs
import pytest

from autograder.cuda.compiler.toolchain import Module, compile_kernel

pytestmark = inputs.emulation


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("extern __shared__ float s[];", ("s", 4, "<f4")),
        ("extern __shared__ __align__(16) double s[];", ("s", 8, "<f8")),
        ("__shared__ extern volatile int s[];", ("s", 4, "<i4")),
        ("extern __shared__ const unsigned s[];", ("s", 4, "<u4")),
        ("extern __shared__ unsigned char s[];", ("s", 1, "|u1")),
        ("extern __shared__ char s[];", ("s", 1, "|i1")),
        ("extern __shared__ bool s[];", ("s", 1, "|b1")),
        ("extern __shared__ unsigned short s[][33];", ("s", 2, "<u2")),
        ("extern __shared__ uint16_t s[];", ("s", 2, "<u2")),
        ("extern __shared__ size_t s[];", ("s", 8, "<u8")),
        ("extern __shared__ float4 s[];", ("s", 16, "")),
        ("extern __shared__ T s[];", ("s", 8, "<i8")),
        ("DECLARE(unsigned, s);", ("s", 4, "<u4")),
        ("extern __shared__ int t[], s[];", ("s", 4, "<i4")),
        ("// extern __shared__ float s[];\nfloat s[1];", ("shared memory", 4, "")),
    ],
)
def test_it_is_named_and_typed_as_declared(declared: str, expected: tuple[str, int, str]) -> None:
    text = f"""#define DECLARE(T, name) extern __shared__ T name[]
__global__ void other(float* o) {{ extern __shared__ float of_another[]; o[0] = of_another[0]; }}
template <class T> __global__ void k(char* o) {{
    {declared}
    auto& first = s[0];
    o[0] = *(char*)&first;
}}
"""
    module = compile_kernel(text, "k<long>")
    assert isinstance(module, Module)
    found = [(a.name, a.item, a.dtype) for a in module.info.arrays if a.dynamic]
    assert found == ([expected] if expected[0] == "s" else [("of_another", 4, "<f4")])


def test_without_one_it_has_no_name() -> None:
    module = compile_kernel("__global__ void k(char* o) { o[0] = 1; }", "k")
    assert isinstance(module, Module)
    assert [(a.name, a.item, a.dtype) for a in module.info.arrays if a.dynamic] == [("shared memory", 4, "")]


def test_in_a_namespace_it_has_its_last_name() -> None:
    text = """namespace n { namespace { extern __shared__ short s[]; } }
__global__ void k(short* o) { o[0] = n::s[0]; }"""
    module = compile_kernel(text, "k")
    assert isinstance(module, Module)
    assert [(a.name, a.dtype) for a in module.info.arrays if a.dynamic] == [("s", "<i2")]
