"""Hostile kernels that have the prelude's own functions go where the kernel may not: objects of CUDA's classes at any
address, and results that are put there. The text may define no placement `new`; here it may, so that what stops it is
the module's guards (compiler/passes/guards.py). See test_hostile.py for the layers of protection."""

from __future__ import annotations

import inputs
import pytest
from hostile_kernels import NOWHERE, kernel, run, stopped_by

from autograder.compiler import toolchain
from autograder.core.findings import Kind

pytestmark = [
    inputs.emulation,
    pytest.mark.usefixtures("plain_and_optimized"),
    pytest.mark.sampled(among="plain_and_optimized"),
]

BEFORE = """
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
using Alone = cuda::pipeline<cuda::thread_scope_thread>;
using Staged = cuda::pipeline<cuda::thread_scope_block>;
using Tile = cg::thread_block_tile<8>;
struct Big { long v[4]; };
inline __device__ void* operator new(unsigned long, void* p) { return p; }
"""


@pytest.mark.parametrize(
    "body",
    [
        # An object made where nobody has memory.
        pytest.param(f"new ((void*){NOWHERE}) dim3(1, 2, 3);", id="dim3"),
        pytest.param(f"new ((void*){NOWHERE}) dim3(threadIdx);", id="dim3-of-threadIdx"),
        pytest.param(f"new ((void*){NOWHERE}) uint3(threadIdx);", id="uint3-of-threadIdx"),
        pytest.param(f"new ((void*){NOWHERE}) double4(make_double4(1, 2, 3, 4));", id="double4"),
        pytest.param(f"new ((void*){NOWHERE}) cuda::aligned_size_t<16>(0);", id="aligned_size_t"),
        pytest.param(f"new ((void*){NOWHERE}) cuda::atomic_ref<float>(*out);", id="atomic_ref"),
        pytest.param(f"new ((void*){NOWHERE}) cuda::atomic<int>(3);", id="atomic"),
        pytest.param(f"new ((void*){NOWHERE}) Barrier(3);", id="barrier"),
        pytest.param(f"new ((void*){NOWHERE}) Barrier::arrival_token(3);", id="token"),
        pytest.param(f"new ((void*){NOWHERE}) Alone();", id="pipeline"),
        pytest.param(f"new ((void*){NOWHERE}) Alone(cuda::make_pipeline());", id="pipeline-made"),
        pytest.param(f"new ((void*){NOWHERE}) Staged((Barrier*)out, (Barrier*)out, 1);", id="pipeline-of-stages"),
        pytest.param(f"new ((void*){NOWHERE}) cg::thread_block(cg::this_thread_block());", id="thread_block"),
        pytest.param(f"new ((void*){NOWHERE}) cg::coalesced_group(cg::coalesced_threads());", id="coalesced_group"),
        pytest.param(f"new ((void*){NOWHERE}) auto(cg::tiled_partition<8>(cg::this_thread_block()));", id="tile"),
        pytest.param(f"new ((void*){NOWHERE}) Big(cg::coalesced_threads().shfl(Big(), 0));", id="shfl-of-a-struct"),
        pytest.param(f"new ((void*){NOWHERE}) __half2(__half2(1.0f, 2.0f));", id="half2"),
        pytest.param(f"new ((void*){NOWHERE}) Big(cuda::atomic_ref<int>(*(int*)out).load() ? Big() : Big());",
                     id="own"),
        # A method of an object that is none.
        pytest.param(f"((Alone*){NOWHERE})->producer_commit();", id="producer_commit"),
        pytest.param(f"((Alone*){NOWHERE})->consumer_wait();", id="consumer_wait"),
        pytest.param(f"cuda::pipeline_consumer_wait_prior<1>(*(Alone*){NOWHERE});", id="consumer_wait_prior"),
        pytest.param(f"((Staged*){NOWHERE})->producer_acquire();", id="producer_acquire"),
        pytest.param(f"((Staged*){NOWHERE})->producer_commit();", id="producer_commit-of-stages"),
        pytest.param(f"((Staged*){NOWHERE})->consumer_wait();", id="consumer_wait-of-stages"),
        pytest.param(f"((Staged*){NOWHERE})->consumer_release();", id="consumer_release"),
        pytest.param(f"Staged p((Barrier*){NOWHERE}, (Barrier*){NOWHERE}, 1); p.producer_commit();", id="stages"),
        pytest.param(f"((Barrier*){NOWHERE})->arrive_and_wait();", id="arrive_and_wait"),
        pytest.param(f"((Barrier*){NOWHERE})->arrive_and_drop();", id="arrive_and_drop"),
        pytest.param(f"((Barrier*){NOWHERE})->wait_parity(true);", id="wait_parity"),
        pytest.param(f"Barrier b(1); b.wait((Barrier::arrival_token&&)*(Barrier::arrival_token*){NOWHERE});",
                     id="wait"),
        pytest.param(f"init((Barrier*){NOWHERE}, 3);", id="init"),
        pytest.param(f"((cuda::atomic<int>*){NOWHERE})->fetch_add(1);", id="fetch_add"),
        pytest.param(f"((cuda::atomic_ref<int>*){NOWHERE})->store(1);", id="store"),
        pytest.param(f"cuda::atomic_ref<int>(*(int*){NOWHERE}).wait(0);", id="atomic-wait"),
        pytest.param(f"int e = 0; cuda::atomic_ref<int>(*(int*){NOWHERE}).compare_exchange_strong(e, 1);", id="cas"),
        pytest.param(f"cuda::atomic_ref<int>(*(int*)out).compare_exchange_strong(*(int*){NOWHERE}, 1);", id="expected"),
        pytest.param(f"out[0] = ((cg::thread_group*){NOWHERE})->size();", id="size-of-a-group"),
        pytest.param(f"((cg::thread_group*){NOWHERE})->sync();", id="sync-of-a-group"),
        pytest.param(f"cg::sync(*(cg::thread_group*){NOWHERE});", id="sync-of-a-group-by-function"),
        pytest.param(f"out[0] = ((cg::coalesced_group*){NOWHERE})->meta_group_rank();", id="meta_group_rank"),
        pytest.param(f"out[0] = ((Tile*){NOWHERE})->shfl(1, 0);", id="shfl-of-a-tile"),
        pytest.param(f"out[0] = cg::reduce(*(Tile*){NOWHERE}, 1, cg::plus<int>());", id="reduce"),
        pytest.param(f"out[0] = cg::inclusive_scan(*(Tile*){NOWHERE}, 1);", id="scan"),
        pytest.param(f"cg::binary_partition(*(Tile*){NOWHERE}, true);", id="binary_partition"),
        pytest.param(f"cg::wait(*(Tile*){NOWHERE});", id="wait-of-a-group"),
        pytest.param(f"cg::tiled_partition(*(cg::thread_group*){NOWHERE}, 4);", id="tiled_partition"),
        pytest.param(f"out[0] = *(cuda::aligned_size_t<4>*){NOWHERE};", id="aligned_size_t-read"),
        # A result or an argument that lies there.
        pytest.param(f"out[0] = cg::coalesced_threads().match_all(1, *(int*){NOWHERE});", id="match_all"),
        pytest.param(f"out[0] = __match_all_sync(1, 1, (int*){NOWHERE});", id="match_all_sync"),
        pytest.param(f"out[0] = __half2float(*(__half*){NOWHERE});", id="half-read"),
        pytest.param(f"*(__half2*){NOWHERE} += __half2(1.0f, 2.0f);", id="half2-added"),
        pytest.param(f"atomicAdd((__half2*){NOWHERE}, __half2(1.0f, 2.0f));", id="half2-atomic"),
        pytest.param(f"out[0] = cg::less<Big*>()((Big*){NOWHERE}, (Big*)8)->v[0];", id="less"),
        pytest.param(f"sincospi(1.0f, out, (float*){NOWHERE});", id="sincospi"),
        pytest.param(f"out[0] = rnormf(3, (float*){NOWHERE});", id="rnorm"),
        pytest.param(f"out[0] = remquof(3, 2, (int*){NOWHERE});", id="remquo"),
        pytest.param(f"__stcs((float4*){NOWHERE}, make_float4(1, 2, 3, 4));", id="stcs"),
        pytest.param(f"out[0] = __ldcv((int*){NOWHERE});", id="ldcv"),
        pytest.param(f"__pipeline_memcpy_async((void*){NOWHERE}, out, 16);", id="copy-to"),
        pytest.param(f"__shared__ int s[4]; __pipeline_memcpy_async(s, (void*){NOWHERE}, 16);", id="copy-from"),
        pytest.param(f"__pipeline_memcpy_async((void*){NOWHERE}, out, 16, 16);", id="copy-of-zeros"),
    ],
)  # fmt: skip
def test_nothing_of_the_prelude_goes_where_the_kernel_may_not(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "find_forbidden", lambda text: None)
    assert stopped_by(kernel(body, BEFORE)).kind is Kind.OUT_OF_BOUNDS


@pytest.mark.parametrize(
    ("body", "value"),
    [
        pytest.param("cuda::atomic<int> a(2); int e = 2; a.compare_exchange_strong(e, 5); out[0] = a;",
                     5, id="exchange"),
        pytest.param("cuda::atomic<int> a(2); int e = 3; a.compare_exchange_weak(e, 5); out[0] = e;", 2, id="expected"),
        pytest.param("int a = 3; cuda::atomic_ref<int> r(a); r += 4; out[0] = a;", 7, id="reference"),
        pytest.param("int a = 3; atomicAdd(&a, 5); atomicCAS(&a, 8, 9); out[0] = a;", 9, id="atomic"),
        pytest.param("float a[2] = {1, 2}; atomicAdd(a + 1, 1.0f); out[0] = a[1];", 3, id="array"),
        pytest.param("__half2 h(1.0f, 2.0f); atomicAdd(&h, h); out[0] = __high2float(h);", 4, id="half"),
        pytest.param("Barrier b(1); b.arrive_and_wait(); out[0] = 1;", 1, id="barrier"),
        pytest.param("float s, c; sincosf(0, &s, &c); out[0] = s + 2 * c;", 2, id="two-results"),
        pytest.param("Big b = {{1, 2, 3, 4}}; out[0] = cg::coalesced_threads().shfl(b, 0).v[3];", 4, id="struct"),
        pytest.param("auto p = cuda::make_pipeline(); p.producer_commit(); p.consumer_wait(); out[0] = 1;",
                     1, id="pipeline"),
    ],
)  # fmt: skip
def test_objects_of_the_prelude_may_be_a_threads_own(body: str, value: float) -> None:
    done = run(kernel(body, BEFORE.partition("inline")[0]))
    assert (done.findings, done.outputs[0][0]) == ((), value)
