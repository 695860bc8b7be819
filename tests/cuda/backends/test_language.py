"""The emulator's language is CUDA: NVRTC takes what it takes, by the same names.

Every function that NVRTC offers to a text without includes is called in both. What the functions compute
is proven in tests/cuda/kernels/language; that those kernels are CUDA, in test_corpus.
"""

from __future__ import annotations

import itertools

import inputs
import numpy as np
import pytest
from narrowing import only

from autograder.cuda.compiler.emulator_runtime import EMULATOR
from autograder.cuda.compiler.toolchain import find_compile_errors
from autograder.cuda.core.findings import CompileError, ForbiddenCode, Kind, ReadOnlyWrite, UninitializedRead
from autograder.cuda.core.refusal import Refusal
from autograder.cuda.errors import GraderFault
from autograder.cuda.kernel import Kernel
from autograder.cuda.nvrtc import compiler as nvrtc
from autograder.cuda.report import describe
from autograder.cuda.report.compile_errors import in_words
from autograder.cuda.source.text import CUDA_HEADERS

pytestmark = inputs.emulation

ARCH = "sm_80"
needs_nvrtc = pytest.mark.skipif(nvrtc.problem() is not None, reason="no NVRTC")


def test_every_header_of_cuda_has_a_text_for_the_emulator() -> None:
    for header in CUDA_HEADERS:
        assert (EMULATOR / "include" / header).is_file(), header


@needs_nvrtc
def test_a_missing_header_of_cuda_is_the_machines_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "header_folders", lambda: ())
    with pytest.raises(GraderFault, match=r"cuda_fp16\.h is not on this machine: run `pip install"):
        nvrtc.compile_for("#include <cuda_fp16.h>\n__global__ void k(int* a) { *a = 1; }", "k", ARCH)


# ---- every function, called once ---------------------------------------------------------------------


def _each(names: str, arguments: str) -> list[str]:
    return [f"{name}({arguments})" for name in names.split()]


def _product(pattern: str, **choices: str) -> list[str]:
    """`pattern` with every combination of the words of its choices; `-` is the empty word."""
    words = [value.replace("-", "").split(" ") for value in choices.values()]
    return [pattern.format(**dict(zip(choices, picked, strict=True))) for picked in itertools.product(*words)]


MODES = "rn rz ru rd"
CALLS = [
    # bits and integers
    *_each("__popc __brev __clz __ffs", "i"),
    *_each("__popcll __brevll __clzll __ffsll", "ll"),
    *_each("__byte_perm __funnelshift_l __funnelshift_r __funnelshift_lc __funnelshift_rc __usad", "u, u, u"),
    *_each("__mul24 __mulhi __hadd __rhadd", "i, i"),
    *_each("__umul24 __umulhi __uhadd __urhadd umin umax", "u, u"),
    *_each("__mul64hi llmin llmax", "ll, ll"),
    *_each("__umul64hi ullmin ullmax", "ull, ull"),
    *("__sad(i, i, u)", "__fns(u, u, i)", "abs(i)", "abs(l)", "abs(ll)", "labs(l)", "llabs(ll)"),
    *_product("{name}({a}, {a})", name="min max", a="i u l ul ll ull f d"),
    *("min(i, u)", "max(u, i)", "min(ll, ull)", "max(f, d)", "min(d, f)"),
    *("__dp4a(i, i, i)", "__dp4a(u, u, u)", "__dp4a(c4, c4, i)", "__dp4a(uc4, uc4, u)"),
    *_product("__dp2a_{part}({args})", part="lo hi", args="i,i,i u,u,u s2,c4,i us2,uc4,u"),
    # lanes of a word
    *_product("__v{name}{n}(u)", name="abs absss neg negss", n="2 4"),
    *_product(
        "__v{name}{n}(u, u)",
        name="add sub addss addus subss subus absdiffs absdiffu avgs avgu haddu maxs maxu mins minu sads sadu",
        n="2 4",
    ),
    *_product("__v{how}{what}{n}(u, u)", how="cmp set", what="eq ne ges geu gts gtu les leu lts ltu", n="2 4"),
    *_product("__vi{name}_{t}(i, i, i)", name="max3 min3 addmax addmin", t="s32 s32_relu u32 s16x2 s16x2_relu u16x2"),
    *_product("__vi{name}_{t}_relu(i, i)", name="max min", t="s32 s16x2"),
    *(
        "__vibmax_s32(i, i, &b)",
        "__vibmin_u32(u, u, &b)",
        "__vibmax_s16x2(u, u, &b, &b)",
        "__vibmin_u16x2(u, u, &b, &b)",
    ),
    # one type as another
    *("__float_as_int(f)", "__float_as_uint(f)", "__int_as_float(i)", "__uint_as_float(u)"),
    *("__double_as_longlong(d)", "__longlong_as_double(ll)", "__double2hiint(d)", "__double2loint(d)"),
    *("__hiloint2double(i, i)", "__int2double_rn(i)", "__uint2double_rn(u)"),
    *_product("__{a}2{b}_{mode}({a[0]})", a="float double", b="int uint ll ull", mode=MODES),
    *_product("__{a}2float_{mode}(i)", a="int uint ll ull", mode=MODES),
    *_product("__{a}2double_{mode}(i)", a="ll ull", mode=MODES),
    *_product("__double2float_{mode}(d)", mode=MODES),
    # arithmetic by rounding mode
    *_product("__{t}{op}_{mode}({t}, {t})", t="f d", op="add sub mul div", mode=MODES),
    *_product("__{t}{op}_{mode}({t})", t="f d", op="rcp sqrt", mode=MODES),
    *_product("__fma{f}_{mode}(f, f, f)", f="f f_ieee", mode=MODES),
    *_product("__fma_{mode}(d, d, d)", mode=MODES),
    *_each("__frsqrt_rn __expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __saturatef", "f"),
    *("__powf(f, f)", "__fdividef(f, f)", "fdividef(f, f)", "__sincosf(f, &f, &f)"),
    # functions of one number and of several, for both types
    *_product(
        "{name}{t}",
        name="sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p "
        "sqrt cbrt rsqrt rcbrt erf erfc erfinv erfcinv erfcx normcdf normcdfinv tgamma lgamma logb floor ceil trunc "
        "round rint nearbyint fabs j0 j1 y0 y1 sinpi cospi cyl_bessel_i0 cyl_bessel_i1 ilogb lrint lround llrint "
        "llround",
        t="f(f) (d)",
    ),
    *_each("sin exp2 normcdf erfcinv sinpi rsqrt rcbrt isnan isinf isfinite signbit", "f"),
    *_each("isnan isinf isfinite signbit", "d"),
    *_product(
        "{name}{t}", name="pow atan2 fmod hypot rhypot copysign remainder fdim fmin fmax nextafter", t="f(f,f) (d,d)"
    ),
    *_product("{name}{t}", name="norm3d rnorm3d fma", t="f(f,f,f) (d,d,d)"),
    *_product("{name}{t}", name="norm4d rnorm4d", t="f(f,f,f,f) (d,d,d,d)"),
    *_product("{name}{t}", name="norm rnorm", t="f(i,&f) (i,&d)"),
    *_product("{name}{t}", name="ldexp scalbn scalbln", t="f(f,i) (d,i)"),
    *_product("{name}{t}", name="jn yn", t="f(i,f) (i,d)"),
    *_product("{name}{t}", name="sincos sincospi", t="f(f,&f,&f) (d,&d,&d)"),
    *_product("{name}{t}", name="modf", t="f(f,&f) (d,&d)"),
    *_product("{name}{t}", name="frexp", t="f(f,&i) (d,&i)"),
    *_product("{name}{t}", name="remquo", t="f(f,f,&i) (d,d,&i)"),
    *('nan("")', 'nanf("")', "pow(f, i)", "pow(d, i)", "fmod(f, 2)"),
    # atomics
    *_product("atomic{op}{scope}(&{t}, {t})", op="Exch And Or Xor", scope="- _block _system", t="i u ull"),
    *_product("atomic{op}{scope}(&{t}, {t})", op="Min Max", scope="- _block _system", t="i u ll ull"),
    *_product("atomicAdd{scope}(&{t}, {t})", scope="- _block _system", t="i u ull f d"),
    *_product("atomicSub{scope}(&{t}, {t})", scope="- _block _system", t="i u"),
    *_product("atomic{op}{scope}(&u, u)", op="Inc Dec", scope="- _block _system"),
    *_product("atomicCAS{scope}(&{t}, {t}, {t})", scope="- _block _system", t="i u ull"),
    *("atomicExch(&f, f)", "atomicCAS(&us, us, us)"),
    # warps, barriers, caches
    *_product("__shfl{how}_sync(u, {t}, 1)", how="- _up _down _xor", t="i u l ul ll ull f d s b"),
    *_product("__match_{how}", how="any_sync(u,i) any_sync(u,d) all_sync(u,ull,&i)"),
    *_each("__all_sync __any_sync __ballot_sync __uni_sync", "u, i"),
    *_product("__reduce_{op}_sync(u, {t})", op="add min max", t="i u"),
    *_product("__reduce_{op}_sync(u, u)", op="and or xor"),
    *_each("__syncthreads __syncwarp __threadfence __threadfence_block __threadfence_system __activemask", ""),
    *_each("__syncthreads_count __syncthreads_and __syncthreads_or", "i"),
    *_product("{load}(&{t})", load="__ldg __ldcg __ldca __ldcs __ldlu __ldcv", t="i us f d f4"),
    *_product("{store}(&{t}, {t})", store="__stwb __stcg __stcs __stwt", t="i us f d f4"),
    *("clock()", "clock_t(clock())", "clock64()", "__nanosleep(u)", "memcpy(&i, &u, 4)", "memset(&i, 0, 4)"),
]
VALUES = """\
    int i = 1; unsigned u = ~0u; long l = 1; unsigned long ul = 1; long long ll = 1; unsigned long long ull = 1;
    float f = 1; double d = 1; short s = 1; unsigned short us = 1; bool b = true; float4 f4 = make_float4(1, 2, 3, 4);
    char4 c4 = make_char4(1, 2, 3, 4); uchar4 uc4 = make_uchar4(1, 2, 3, 4);
    short2 s2 = make_short2(1, 2); ushort2 us2 = make_ushort2(1, 2);
"""


def _text(calls: list[str]) -> str:
    lines = "".join(f"    {call};\n" for call in calls)
    return f"__global__ void k(float* out)\n{{\n{VALUES}{lines}    *out = f;\n}}\n"


def test_the_emulator_has_every_function() -> None:
    (finding, *_) = [*find_compile_errors(_text(CALLS)), None]
    assert finding is None, finding
    assert len(CALLS) > 600


def test_a_function_of_a_float_is_that_of_a_double_rounded() -> None:
    """By both its names, such as `sinf(f)` and `sin(f)`."""
    lines: list[str] = []
    for call in CALLS:
        name, _, arguments = call.partition("(")
        of_double = f"{name[:-1]}({arguments.replace('f', 'd')}"
        if name.endswith("f") and "f" in arguments and "&" not in arguments and of_double in CALLS:
            at = 3 * len(lines)
            lines.append(f"out[{at}] = {call}; out[{at + 1}] = {name[:-1]}({arguments}; out[{at + 2}] = {of_double};\n")
    text = f"__global__ void k(double* out)\n{{\nfloat f = 0.75f; double d = 0.75; int i = 3;\n{''.join(lines)}}}\n"
    run = Kernel(text, name="k").emulate(1, 1, [np.zeros((len(lines), 3))])
    by_suffix, by_overload, of_doubles = run.outputs[0].T
    assert not run.findings and len(lines) > 70
    np.testing.assert_allclose(by_overload, of_doubles, rtol=1e-6)
    np.testing.assert_allclose(by_suffix, of_doubles, rtol=1e-6)


@needs_nvrtc
def test_nvrtc_has_them_too() -> None:
    assert nvrtc.compile_for(_text(CALLS), "k", ARCH).messages == ()


@pytest.mark.parametrize(
    "call",
    # What CUDA lacks must not pass here and then fail on the GPU.
    ["sqrt(i)", "pow(i, i)", "max(f, i)", "min(ll, i)", "atomicAdd(&s, s)", "atomicAdd(&ll, ll)", "atomicMax(&f, f)",
     "atomicSub(&ull, ull)", "atomicInc(&ull, ull)", "atomicDec(&ull, ull)", "atomicExch(&ll, ll)",
     "atomicCAS(&ll, ll, ll)", "__shfl_sync(u, f4, 0)", "__reduce_add_sync(u, f)", "__match_any_sync(u, f4)",
     "threadIdx = threadIdx", "blockIdx = blockIdx", "blockDim = blockDim", "gridDim = gridDim"],
)  # fmt: skip
def test_neither_has_what_the_other_has_not(call: str) -> None:
    ((line, _, _),) = in_words(only(CompileError, find_compile_errors(_text([call]))).messages)
    assert line == VALUES.count("\n") + 3
    if nvrtc.problem() is None:
        assert not nvrtc.compile_for(_text([call]), "k", ARCH).ok


# ---- the compiler's messages ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "__shfl_sync(0xffffffffu, out, 0);",
        "atomicAdd(out, make_float2(1, 2), 3);",
        "threadIdx.x = 1;",
        "printf(1);",
        "__syncthreads(1);",
        "dim3 d(1, 2, 3, 4);",
        "__half h = out; h.frob();",
        "half2 h = __floats2half2_rn(1.0f, 2.0f) + out;",
        "cooperative_groups::tiled_partition<33>(cooperative_groups::this_thread_block()).sync();",
        "cooperative_groups::tiled_partition<4>(cooperative_groups::tiled_partition<2>("
        "cooperative_groups::this_thread_block()));",
        "cooperative_groups::thread_block b;",
        "cooperative_groups::reduce(cooperative_groups::this_grid(), 1, 2);",
        "cuda::atomic_ref<float4> r(*(float4*)out); r.load();",
        "cuda::atomic<float> r; r.fetch_or(1.0f);",
        "cuda::barrier<cuda::thread_scope_block> b; b.wait(3);",
        "cuda::memcpy_async(out, out, 4, 5);",
        "__pipeline_memcpy_async(out);",
    ],
)
def test_a_message_stands_at_the_students_line(text: str) -> None:
    includes = "".join(
        f"#include <{header}>\n"
        for header in ("cooperative_groups.h", "cooperative_groups/reduce.h", "cuda_fp16.h", "cuda/atomic",
                       "cuda/barrier", "cuda_pipeline.h")
    )  # fmt: skip
    source = f"{includes}__global__ void k(float* out)\n{{\n    out[0] = 1.0f;\n    {text}\n}}\n"
    finding = only(CompileError, find_compile_errors(source))
    for line, _, message in in_words(finding.messages):
        assert line == 10, finding.log
        assert "emu" not in message.replace("emulator", "").lower() and "prelude" not in message


# ---- memory: what a function of the headers reads or writes is checked as the text's own -----------------

NOWHERE = "0x123456789000"


@pytest.mark.sampled(one_in=4)
@pytest.mark.parametrize(
    "body",
    [
        f"*(half*){NOWHERE} += half(1.0f);",
        f"out[0] = *(half*){NOWHERE};",
        f"((half2*){NOWHERE})->x = half(1.0f);",
        f"atomicAdd((half*){NOWHERE}, half(1.0f));",
        f"out[0] = frexpf(1.0f, (int*){NOWHERE});",
        f"double d = modf(1.5, (double*){NOWHERE});",
        f"int q = remquof(1.0f, 2.0f, (int*){NOWHERE});",
        f"out[0] = norm3df(1, 2, normf(3, (float*){NOWHERE}));",
        f"__match_all_sync(1u, 1, (int*){NOWHERE});",
        f"__vibmax_s32(1, 2, (bool*){NOWHERE});",
        f"__stcg((float*){NOWHERE}, 1.0f);",
        f"out[0] = __ldcg((float*){NOWHERE});",
        f"memset((void*){NOWHERE}, 0, 16);",
        f"cuda::atomic_ref<int> r(*(int*){NOWHERE}); r.fetch_add(1);",
        f"int e = 0; cuda::atomic_ref<int> r(*(int*){NOWHERE}); r.compare_exchange_strong(e, 1);",
        f"cuda::atomic_ref<int> r(*(int*)out); r.compare_exchange_strong(*(int*){NOWHERE}, 1);",
        f"init((cuda::barrier<cuda::thread_scope_block>*){NOWHERE}, 1);",
        f"((cuda::barrier<cuda::thread_scope_block>*){NOWHERE})->arrive_and_wait();",
        "cuda::make_pipeline(cooperative_groups::this_thread_block(), "
        f"(cuda::pipeline_shared_state<cuda::thread_scope_block, 2>*){NOWHERE});",
        f"__pipeline_memcpy_async((int*){NOWHERE}, (int*)out, 4); __pipeline_commit(); __pipeline_wait_prior(0);",
        f"__pipeline_memcpy_async((int*)out, (int*){NOWHERE}, 4); __pipeline_commit(); __pipeline_wait_prior(0);",
        f"cudaGraphSetConditional({NOWHERE}, 1);",
        "cudaGraphSetConditional((cudaGraphConditionalHandle)(out + 64), 1);",
    ],
)  # fmt: skip
def test_a_wild_address_is_out_of_bounds(body: str) -> None:
    headers = ("cooperative_groups.h", "cuda_fp16.h", "cuda/atomic", "cuda/pipeline", "cuda_pipeline.h")
    includes = "".join(f"#include <{header}>\n" for header in headers)
    text = f"{includes}__global__ void k(float* out)\n{{\n    {body}\n}}\n"
    run = Kernel(text, "k").emulate(1, 1, [np.zeros(64, np.float32)])
    (finding,) = run.findings
    assert finding.kind is Kind.OUT_OF_BOUNDS
    assert [access.line for access in finding.accesses] == [8]


def test_a_condition_that_many_threads_set_is_no_race() -> None:
    """Its handle is the address of a word (host/graph_conditions.py)."""
    text = """__global__ void k(unsigned* words) {
        cudaGraphSetConditional((cudaGraphConditionalHandle)&words[2], 5);
    }"""
    run = Kernel(text, "k").emulate(2, 64, [np.zeros(4, np.uint32)])
    assert not run.findings and run.outputs[0].tolist() == [0, 0, 5, 0]


WAITS = """__device__ void wait_for(clock_t cycles)
{
    clock_t start = clock();
    while (clock() - start < cycles)
        ;
}
__global__ void k(const float* in, float* out, long long* cycles)
{
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += in[i];
    long long start = clock64();
    __syncthreads();
    wait_for(100000000);
    out[threadIdx.x] = sum;
    cycles[threadIdx.x] = clock64() - start;
}
"""


@needs_nvrtc
@pytest.mark.parametrize("checks", [True, False])
def test_a_clock_goes_on_over_barriers_and_for_who_waits_by_it(checks: bool) -> None:
    assert nvrtc.compile_for(WAITS, "k", ARCH).ok
    args = [np.ones(32, np.float32), np.zeros(64, np.float32), np.zeros(64, np.int64)]
    run = Kernel(WAITS, "k").emulate(1, 64, args, checks=checks)
    assert run.completed and not run.findings
    assert (run.outputs[1] == 32).all() and (run.outputs[2] >= 100_000_000).all()


HEAD = "struct C { float a; __device__ C(float a = 0) : a(a) {} };\n"


@needs_nvrtc
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("__global__ void k(int* o) { __shared__ int s = 0; o[0] = s; }", 1, "initializer not allowed for __shared__"),
        ("__global__ void k(int* o) {\n__shared__ int s[2] = {0}; o[0] = s[0]; }", 2, "initializer not allowed for"),
        ("__global__ int k(int* o) { return o[0]; }", 1, "a __global__ function must have a void return type"),
        (
            "__global__ void k(int* o, int n) { int a[n]; o[0] = a[0]; }",
            1,
            "the size of an array must be a constant, known to the compiler",
        ),
        ("__global__ void k(int* o) { __shared__ int s[warpSize]; o[0] = s[0]; }", 1, "must be a constant"),
        ("__global__ void k(int* o) { constexpr int w = warpSize; o[0] = w; }", 1, "by a constant expression"),
    ],
)
def test_what_cuda_refuses_is_refused_in_words_of_cuda(text: str, line: int, message: str) -> None:
    assert not nvrtc.compile_for(text, "k", ARCH).ok
    arguments = [np.zeros(1, np.int32), 1] if "int n" in text else [np.zeros(1, np.int32)]
    first = in_words(only(CompileError, Kernel(text, "k").emulate(1, 1, arguments).findings).messages)[0]
    assert first.line == line
    assert message in first.text


@needs_nvrtc
def test_a_shared_array_of_a_type_with_a_constructor_starts_without_a_value() -> None:
    body = "__global__ void k(float* o) {{ __shared__ C s[32]; {} o[threadIdx.x] = s[threadIdx.x].a; }}"
    right, wrong = HEAD + body.format("s[threadIdx.x] = C(3);"), HEAD + body.format("")
    assert nvrtc.compile_for(right, "k", ARCH).ok
    run = Kernel(right, "k").emulate(1, 32, [np.zeros(32, np.float32)])
    assert not run.findings and (run.outputs[0] == 3).all()
    assert only(UninitializedRead, Kernel(wrong, "k").emulate(1, 32, [np.zeros(32, np.float32)]).findings)
    alone = HEAD + "__global__ void k(float* o) { __shared__ C s; o[0] = s.a; }"
    finding = only(ForbiddenCode, Kernel(alone, "k").emulate(1, 1, [np.zeros(1, np.float32)]).findings)
    assert (finding.line, finding.reason) == (2, Refusal.CONSTRUCTOR)


@needs_nvrtc
def test_a_static_variable_is_not_given_its_first_value_by_code() -> None:
    text = "__global__ void k(int* o)\n{\n    static int n = o[0];\n    o[1] = n;\n}"
    assert not nvrtc.compile_for(text, "k", ARCH).ok
    finding = only(ForbiddenCode, Kernel(text, "k").emulate(1, 1, [np.zeros(2, np.int32)]).findings)
    assert (finding.construct, finding.line) == ("static", 3)


@needs_nvrtc
def test_warp_size_may_be_hidden_by_a_name_of_ones_own() -> None:
    text = """__global__ void k(int* o) {
    o[threadIdx.x] = threadIdx.x / warpSize;
    const int warpSize = 16;
    __shared__ int s[warpSize];
    if (threadIdx.x < warpSize) s[threadIdx.x] = 10 * warpSize;
    __syncthreads();
    o[threadIdx.x] += s[threadIdx.x % warpSize];
}"""
    assert nvrtc.compile_for(text, "k", ARCH).ok
    run = Kernel(text, "k").emulate(1, 64, [np.zeros(64, np.int32)])
    assert not run.findings and (run.outputs[0] == 160 + np.arange(64) // 32).all()


@pytest.mark.parametrize("declared", ["__constant__", "__constant__ const", "constexpr __constant__"])
def test_constant_memory_is_watched_and_counted_whether_or_not_it_is_const_too(declared: str) -> None:
    text = f"""{declared} float weights[5] = {{1, 2, 3, 4, 5}};
    __constant__ int other;  // beside an array that is const, too
    __constant__ const int another = 1;
    __global__ void k(float* out, int n) {{ out[threadIdx.x] = weights[threadIdx.x % n]; }}"""
    kernel = Kernel(text, "k")
    fits = kernel.emulate(1, 64, [np.zeros(64, np.float32), 5])
    assert fits.counts is not None and fits.counts.constant_loads == 64 and not fits.findings
    assert fits.outputs[0].tolist() == [1 + t % 5 for t in range(64)]
    (outside,) = kernel.emulate(1, 64, [np.zeros(64, np.float32), 6]).findings
    assert outside.kind is Kind.OUT_OF_BOUNDS and outside.accesses[0].array == "weights"


@pytest.mark.parametrize(
    ("outside", "inside"),
    [("__device__ const", ""), ("__device__ constexpr", ""), ("", "static const"), ("", "static constexpr")],
)
def test_an_array_that_is_const_is_watched_and_counted_like_any_other(outside: str, inside: str) -> None:
    array = "float table[5] = {1, 2, 3, 4, 5};"
    text = f"""{outside and f"{outside} {array}"}
    __device__ const int other = 1;
    __global__ void k(float* out, int n, int writes) {{
        {inside and f"{inside} {array}"}
        const float* p = table;
        out[threadIdx.x] = p[threadIdx.x % n] + other;
        if (writes) ((float*)p)[1] = 2;
    }}"""
    kernel = Kernel(text, "k")
    fits = kernel.emulate(1, 64, [np.zeros(64, np.float32), 5, 0])
    assert fits.counts is not None and fits.counts.global_loads == 64 and not fits.findings
    assert fits.outputs[0].tolist() == [2 + t % 5 for t in range(64)]
    for n, writes in ((6, 0), (5, 1)):
        (found,) = kernel.emulate(1, 64, [np.zeros(64, np.float32), n, writes]).findings
        assert found.kind is Kind.OUT_OF_BOUNDS and found.accesses[0].array == "table"
        assert isinstance(found, ReadOnlyWrite) == bool(writes)
        assert ("table[1], which is declared const" in str(describe(found))) == bool(writes)


@pytest.mark.parametrize(
    ("declared", "use"),
    [
        ("__shared__ int a[64];", "a"),
        ("static __shared__ int a[64];", "a"),
        ("volatile __shared__ int a[64];", "a"),
        ("namespace mine { __shared__ int a[64]; }", "mine::a"),
        ("struct S { int n, a[64]; };\n__shared__ S s;", "s.a"),
        ("__shared__ int b, a[64];", "a"),
    ],
)
def test_shared_memory_outside_of_a_function_is_watched_and_counted_like_any_other(declared: str, use: str) -> None:
    text = f"""{declared}
    __global__ void k(int* out, int n, int writes, int barrier) {{
        if (writes) {use}[threadIdx.x] = threadIdx.x;
        if (barrier) __syncthreads();
        out[threadIdx.x] = {use}[(threadIdx.x + n) % 65];
    }}"""
    kernel = Kernel(text, "k")

    def found(*args: int) -> list[str]:
        return [finding.kind for finding in kernel.emulate(1, 64, [np.zeros(64, np.int32), *args]).findings]

    fits = kernel.emulate(1, 64, [np.zeros(64, np.int32), 0, 1, 1])
    assert fits.counts is not None and (fits.counts.shared_loads, fits.counts.shared_stores) == (64, 64)
    assert not fits.findings and fits.outputs[0].tolist() == list(range(64))
    assert found(0, 0, 1) == [Kind.UNINITIALIZED_READ]
    assert found(1, 1, 1) == [Kind.OUT_OF_BOUNDS]
    assert Kind.RACE in found(1, 1, 0)


def test_a_constant_that_cpp_leaves_undefined_has_the_value_of_a_gpu() -> None:
    """The compiler computes these, not the kernel, and calls them undefined."""
    values = {"(int)3e9f": 2**31 - 1, "(unsigned)-1.0f": 0, "1 << 33": 0, "(int)(0.0f / 0.0f)": 0, "(char)300.0f": 44}
    stores = " ".join(f"a[{i}] = {value};" for i, value in enumerate(values))
    run = Kernel(f"__global__ void k(int* a) {{ {stores} }}", "k").emulate((1,), (1,), (np.zeros(5, "i4"),))
    assert not run.findings
    assert run.outputs[0].tolist() == list(values.values())
    divided = Kernel("__global__ void k(int* a) { a[0] = 1 / 0; }", "k").emulate((1,), (1,), (np.zeros(1, "i4"),))
    assert "division by zero" in in_words(only(CompileError, divided.findings).messages)[0].text
