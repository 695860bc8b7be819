"""Hostile kernels that make values which C++ leaves undefined. Of such a value the optimizer may assume anything, so
that a check of an index made of it disappears, or a hook is told another address than the access uses. See
test_hostile.py for the layers of protection."""

from __future__ import annotations

import inputs
import pytest
from hostile_kernels import run

from autograder.classroom.attacks import kernel
from autograder.cuda.core.findings import Kind

pytestmark = [
    inputs.emulation_of_attacks,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]

STRUCT = "struct P { int v; };"


@pytest.mark.parametrize(
    ("index", "is_within"),
    [
        pytest.param("1 << *s", True, id="shifted-by-too-much"),
        pytest.param("1 << (*s - 74)", True, id="shifted-by-less-than-nothing"),
        pytest.param("int(1ll << (*s + 27))", True, id="64-bits-shifted"),
        pytest.param("int(0xffffffffu >> *s)", True, id="shifted-down"),
        pytest.param("int(float(*s) * 1e20f) & 31", True, id="conversion-to-int"),
        pytest.param("int((unsigned char)(float(*s) * -1e20f)) & 31", True, id="conversion-to-a-byte"),
        pytest.param("int((short)(double(*s) * 1e300)) & 31", True, id="conversion-to-16-bits"),
        pytest.param("((float*)((char*)out + *s) - out)", True, id="part-of-an-element"),
        pytest.param("*s & ~3", False, id="honest-index-out-of-bounds"),
        pytest.param("(__builtin_assume(*s < 32), *s)", False, id="assumed"),
        pytest.param("int((long)__builtin_assume_aligned((char*)(64l + *s), 64) & 127)", False, id="assumed-alignment"),
    ],
)
def test_an_index_without_a_value_passes_no_check(index: str, is_within: bool) -> None:
    body = f"""
    P a[32] = {{}};
    volatile int number = 37;
    volatile int* s = &number;
    int i = {index};
    if (i >= 0 && i < 1000) a[i].v = 7;
    for (int k = 0; k < 32; k++) out[0] += a[k].v;
    out[1] = 1;"""
    done = run(kernel(body, STRUCT))
    if is_within:
        assert (done.completed, done.outputs[0][1]) == (True, 1), done.findings
        assert done.outputs[0][0] in (0, 7)
    else:
        assert done.findings[-1].kind is Kind.OUT_OF_BOUNDS


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("3 << n", 0),
        ("m >> n", -1),
        ("int(unsigned(m) >> n)", 0),
        ("int(1ll << 2 * n >> 32)", 0),
        ("int(-1ll >> 2 * n)", -1),
        ("3 << (n - 1)", -(1 << 31)),
        ("m >> (n - 31)", -3),
    ],
)
def test_a_shift_by_too_much_shifts_everything_out(expression: str, value: int) -> None:
    """PTX ISA, "shl" and "shr"."""
    text = kernel(f"volatile int n = 32, m = -5; ((int*)out)[0] = {expression};")
    assert run(text).outputs[0].view("i4")[0] == value


CASTS = {
    "int": "{}2int_rz",
    "unsigned": "{}2uint_rz",
    "long long": "{}2ll_rz",
    "unsigned long long": "{}2ull_rz",
}


@pytest.mark.parametrize("to", CASTS)
@pytest.mark.parametrize("from_", ["float", "double"])
def test_a_cast_is_the_function_that_cuda_has_for_it(from_: str, to: str) -> None:
    """Both are PTX's cvt.rzi."""
    body = f"""
    volatile {from_} zero = 0;
    {from_} numbers[] = {{0, -0.9f, 1.5f, -2.5f, 1e9f, 2147483648.0f, 4294967296.0f, -1e10f, 9e18f, 1e19f, 1e20f,
                         -1e20f, 1 / zero, -1 / zero, zero / zero}};
    for ({from_} x : numbers) out[0] += ({to})x == __{CASTS[to].format(from_)}(x), out[1] += 1;"""
    done = run(kernel(body))
    assert done.completed, done.findings
    assert done.outputs[0][0] == done.outputs[0][1] == 15
