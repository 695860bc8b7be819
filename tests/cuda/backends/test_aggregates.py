"""Structs of all sizes as arguments and results of functions and kernels: as values, and as what others may change."""

from __future__ import annotations

import inputs
import numpy as np
import pytest

from autograder import Kernel

pytestmark = inputs.emulation

TEXT = """
struct {align} S {{ {member} v[{count}]; }};
struct Holder {{
    S s;
    __device__ S get() const {{ return s; }}
}};
__device__ S next(S a, int by, S b)
{{
    for (int i = 0; i < {count}; i++) a.v[i] = ({member})(a.v[i] + by * b.v[i]);
    return a;
}}
__device__ S none() {{ return {{}}; }}
template <class F> __device__ S twice(F f, S s) {{ return f(f(s)); }}
__global__ void k({member}* out, S given, bool flag, S* place)
{{
    S unchanged = given;
    Holder holder{{next(given, 2, given)}};
    place[0] = next(holder.get(), 1, none());
    S both[2] = {{none(), twice([=](S s) {{ return next(s, 1, unchanged); }}, given)}};
    next(given, 5, given);
    for (int i = 0; i < {count}; i++) {{
        out[i] = place[0].v[i];
        out[{count} + i] = flag ? both[1].v[i] : both[0].v[i];
        out[2 * {count} + i] = given.v[i];
    }}
}}
"""


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize("align", ["", "alignas(16)"])
@pytest.mark.parametrize(
    ("member", "count"),
    [*(("unsigned char", n) for n in range(1, 18)), *(("short", n) for n in (1, 3, 7, 8, 9)),
     *(("float", n) for n in (1, 2, 3, 4, 5)), *(("double", n) for n in (1, 2, 3)), ("long long", 2)],
)  # fmt: skip
def test_a_struct_is_passed_and_returned_by_value(member: str, count: int, align: str) -> None:
    dtype = {"unsigned char": "u1", "short": "i2", "float": "f4", "double": "f8", "long long": "i8"}[member]
    bytes_ = count * np.dtype(dtype).itemsize
    size = -(-bytes_ // 16) * 16 if align else bytes_
    given = np.zeros(1, np.dtype({"names": ["v"], "formats": [(dtype, (count,))], "itemsize": size}))
    values = np.arange(1, count + 1, dtype=dtype)
    given["v"] = values
    text = TEXT.format(member=member, count=count, align=align)
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(3 * count, dtype), given[0], True, np.zeros(size, np.uint8)])
    assert not run.findings
    assert run.outputs[0].tolist() == [*(3 * values), *(3 * values), *values]


@pytest.mark.parametrize("compute", ["s = half(s);", "s = half(half(s));", "p->s = half(p->s); s = p->s;"])
def test_what_a_function_returns_may_go_where_its_argument_is(compute: str) -> None:
    text = f"""struct S {{ float x, y, z; }};
    struct P {{ int n; S s; }};
    __device__ S half(S s) {{ return {{s.y / 2, s.z / 2, s.x / 2}}; }}
    __global__ void k(float* out) {{ S s = {{2, 4, 8}}; P own = {{1, s}}, *p = &own; {compute}
        out[0] = s.x; out[1] = s.z; }}"""
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(2, np.float32)])
    assert not run.findings
    assert run.outputs[0].tolist() == [2.0, 1.0]


@pytest.mark.parametrize("members", ["float x;", "double x[9];"])
def test_a_function_that_never_returns_returns_no_struct(members: str) -> None:
    text = f"""struct S {{ {members} }};
    __device__ S never(int n) {{ for (;;) n = atomicAdd(&n, 1) + n; }}
    __global__ void k(float* out) {{ out[0] = 1; if (out[0] == 2) *(S*)out = never(3); }}"""
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(99, np.float32)])
    assert not run.findings and run.outputs[0][0] == 1
