"""Kernels that have the prelude's own functions go where the kernel may not: objects of CUDA's classes at any address,
and results that are put there."""

from __future__ import annotations

from . import NOWHERE, attacks, kernel

HEADERS = """
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
namespace cde = cuda::device::experimental;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
using Alone = cuda::pipeline<cuda::thread_scope_thread>;
using Staged = cuda::pipeline<cuda::thread_scope_block>;
using Tile = cg::thread_block_tile<8>;
using LargeTile = cg::thread_block_tile<64>;
using Reduce = cub::BlockReduce<int, 64>;
using Scan = cub::BlockScan<int, 64>;
using WarpScan = cub::WarpScan<int>;
using Exchange = cub::BlockExchange<int, 64, 2>;
using Load = cub::BlockLoad<int, 64, 2>;
using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
struct Big { long v[4]; };
"""
_BULK = "__shared__ alignas(16) float s[4]; __shared__ Barrier b; init(&b, 1);"
_NEW = "inline __device__ void* operator new(unsigned long, void* p) { return p; }\n"

_PLACED = {
    "dim3": kernel(f"new ((void*){NOWHERE}) dim3(1, 2, 3);", HEADERS + _NEW),
    "dim3-of-threadIdx": kernel(f"new ((void*){NOWHERE}) dim3(threadIdx);", HEADERS + _NEW),
    "uint3-of-threadIdx": kernel(f"new ((void*){NOWHERE}) uint3(threadIdx);", HEADERS + _NEW),
    "double4": kernel(f"new ((void*){NOWHERE}) double4(make_double4(1, 2, 3, 4));", HEADERS + _NEW),
    "aligned_size_t": kernel(f"new ((void*){NOWHERE}) cuda::aligned_size_t<16>(0);", HEADERS + _NEW),
    "atomic_ref": kernel(f"new ((void*){NOWHERE}) cuda::atomic_ref<float>(*out);", HEADERS + _NEW),
    "atomic": kernel(f"new ((void*){NOWHERE}) cuda::atomic<int>(3);", HEADERS + _NEW),
    "barrier": kernel(f"new ((void*){NOWHERE}) Barrier(3);", HEADERS + _NEW),
    "token": kernel(f"new ((void*){NOWHERE}) Barrier::arrival_token(3);", HEADERS + _NEW),
    "pipeline": kernel(f"new ((void*){NOWHERE}) Alone();", HEADERS + _NEW),
    "pipeline-made": kernel(f"new ((void*){NOWHERE}) Alone(cuda::make_pipeline());", HEADERS + _NEW),
    "pipeline-of-stages": kernel(f"new ((void*){NOWHERE}) Staged((Barrier*)out, (Barrier*)out, 1);", HEADERS + _NEW),
    "thread_block": kernel(f"new ((void*){NOWHERE}) cg::thread_block(cg::this_thread_block());", HEADERS + _NEW),
    "coalesced_group": kernel(f"new ((void*){NOWHERE}) cg::coalesced_group(cg::coalesced_threads());", HEADERS + _NEW),
    "tile": kernel(f"new ((void*){NOWHERE}) auto(cg::tiled_partition<8>(cg::this_thread_block()));", HEADERS + _NEW),
    "shfl-of-a-struct": kernel(f"new ((void*){NOWHERE}) Big(cg::coalesced_threads().shfl(Big(), 0));", HEADERS + _NEW),
    "half2": kernel(f"new ((void*){NOWHERE}) __half2(__half2(1.0f, 2.0f));", HEADERS + _NEW),
    "fp8": kernel(f"new ((void*){NOWHERE}) __nv_fp8x4_e4m3(make_float4(1, 2, 3, 4));", HEADERS + _NEW),
    "collective": kernel(f"new ((void*){NOWHERE}) Reduce(*(Reduce::TempStorage*)out);", HEADERS + _NEW),
    "own": kernel(
        f"new ((void*){NOWHERE}) Big(cuda::atomic_ref<int>(*(int*)out).load() ? Big() : Big());", HEADERS + _NEW
    ),
}
_USED = {
    "producer_commit": kernel(f"((Alone*){NOWHERE})->producer_commit();", HEADERS),
    "consumer_wait": kernel(f"((Alone*){NOWHERE})->consumer_wait();", HEADERS),
    "consumer_wait_prior": kernel(f"cuda::pipeline_consumer_wait_prior<1>(*(Alone*){NOWHERE});", HEADERS),
    "producer_acquire": kernel(f"((Staged*){NOWHERE})->producer_acquire();", HEADERS),
    "producer_commit-of-stages": kernel(f"((Staged*){NOWHERE})->producer_commit();", HEADERS),
    "consumer_wait-of-stages": kernel(f"((Staged*){NOWHERE})->consumer_wait();", HEADERS),
    "consumer_release": kernel(f"((Staged*){NOWHERE})->consumer_release();", HEADERS),
    "stages": kernel(f"Staged p((Barrier*){NOWHERE}, (Barrier*){NOWHERE}, 1); p.producer_commit();", HEADERS),
    "arrive_and_wait": kernel(f"((Barrier*){NOWHERE})->arrive_and_wait();", HEADERS),
    "arrive_and_drop": kernel(f"((Barrier*){NOWHERE})->arrive_and_drop();", HEADERS),
    "wait_parity": kernel(f"((Barrier*){NOWHERE})->wait_parity(true);", HEADERS),
    "wait": kernel(f"Barrier b(1); b.wait((Barrier::arrival_token&&)*(Barrier::arrival_token*){NOWHERE});", HEADERS),
    "init": kernel(f"init((Barrier*){NOWHERE}, 3);", HEADERS),
    "bulk-copy-to": kernel(f"{_BULK} cde::cp_async_bulk_global_to_shared((void*){NOWHERE}, out, 16, b);", HEADERS),
    "bulk-copy-from": kernel(f"{_BULK} cde::cp_async_bulk_global_to_shared(s, (void*){NOWHERE}, 16, b);", HEADERS),
    "bulk-copy-at": kernel(f"{_BULK} cde::cp_async_bulk_global_to_shared(s, out, 16, *(Barrier*){NOWHERE});", HEADERS),
    "bulk-copy-of-a-tile": kernel(
        f"{_BULK} cde::cp_async_bulk_tensor_1d_global_to_shared(s, (CUtensorMap_st*){NOWHERE}, 0, b);", HEADERS
    ),
    "bulk-store-to": kernel(f"{_BULK} cde::cp_async_bulk_shared_to_global((void*){NOWHERE}, s, 16);", HEADERS),
    "bulk-store-from": kernel(f"{_BULK} cde::cp_async_bulk_shared_to_global(out, (void*){NOWHERE}, 16);", HEADERS),
    "expect_tx": kernel(f"cuda::device::barrier_expect_tx(*(Barrier*){NOWHERE}, 16);", HEADERS),
    "fetch_add": kernel(f"((cuda::atomic<int>*){NOWHERE})->fetch_add(1);", HEADERS),
    "store": kernel(f"((cuda::atomic_ref<int>*){NOWHERE})->store(1);", HEADERS),
    "atomic-wait": kernel(f"cuda::atomic_ref<int>(*(int*){NOWHERE}).wait(0);", HEADERS),
    "cas": kernel(f"int e = 0; cuda::atomic_ref<int>(*(int*){NOWHERE}).compare_exchange_strong(e, 1);", HEADERS),
    "expected": kernel(f"cuda::atomic_ref<int>(*(int*)out).compare_exchange_strong(*(int*){NOWHERE}, 1);", HEADERS),
    "size-of-a-group": kernel(f"out[0] = ((cg::thread_group*){NOWHERE})->size();", HEADERS),
    "sync-of-a-group": kernel(f"((cg::thread_group*){NOWHERE})->sync();", HEADERS),
    "sync-of-a-group-by-function": kernel(f"cg::sync(*(cg::thread_group*){NOWHERE});", HEADERS),
    "meta_group_rank": kernel(f"out[0] = ((cg::coalesced_group*){NOWHERE})->meta_group_rank();", HEADERS),
    "shfl-of-a-tile": kernel(f"out[0] = ((Tile*){NOWHERE})->shfl(1, 0);", HEADERS),
    "reduce": kernel(f"out[0] = cg::reduce(*(Tile*){NOWHERE}, 1, cg::plus<int>());", HEADERS),
    "scan": kernel(f"out[0] = cg::inclusive_scan(*(Tile*){NOWHERE}, 1);", HEADERS),
    "binary_partition": kernel(f"cg::binary_partition(*(Tile*){NOWHERE}, true);", HEADERS),
    "wait-of-a-group": kernel(f"cg::wait(*(Tile*){NOWHERE});", HEADERS),
    "tiled_partition": kernel(f"cg::tiled_partition(*(cg::thread_group*){NOWHERE}, 4);", HEADERS),
    "sync-of-a-large-tile": kernel(f"((LargeTile*){NOWHERE})->sync();", HEADERS),
    "large-tile-of-bytes": kernel(f"long a[3] = {{{NOWHERE}, {NOWHERE}, 1}}; ((LargeTile*)a)->sync();", HEADERS),
    "shfl-of-a-large-tile": kernel(
        f"long a[3] = {{(long)out, {NOWHERE}, 1}}; out[0] = ((LargeTile*)a)->shfl(1, 0);", HEADERS
    ),
    "reduce-in-a-large-tile": kernel(f"out[0] = cg::reduce(*(LargeTile*){NOWHERE}, 1, cg::plus<int>());", HEADERS),
    "part-of-a-large-tile": kernel(
        f"cg::tiled_partition<64>(*(cg::thread_block_tile<128>*){NOWHERE}).sync();", HEADERS
    ),
    "memory-of-tiles": kernel(f"cg::this_thread_block(*(cg::block_tile_memory<64>*){NOWHERE});", HEADERS),
    "pipeline-of-roles": kernel(
        f"cuda::make_pipeline(cg::this_thread_block(), (State*){NOWHERE}, cuda::pipeline_role::producer);", HEADERS
    ),
    "block-reduce": kernel(f"out[0] = ((Reduce*){NOWHERE})->Sum(1);", HEADERS),
    "block-reduce-in": kernel(f"out[0] = Reduce(*(Reduce::TempStorage*){NOWHERE}).Sum(1);", HEADERS),
    "block-reduce-of": kernel(
        f"__shared__ Reduce::TempStorage s; out[0] = Reduce(s).Sum(*(int(*)[2]){NOWHERE});", HEADERS
    ),
    "block-scan-in": kernel(f"int x; Scan(*(Scan::TempStorage*){NOWHERE}).InclusiveSum(1, x);", HEADERS),
    "block-scan-into": kernel(f"__shared__ Scan::TempStorage s; Scan(s).ExclusiveSum(1, *(int*){NOWHERE});", HEADERS),
    "block-exchange-in": kernel(
        f"int x[2] = {{}}; Exchange(*(Exchange::TempStorage*){NOWHERE}).StripedToBlocked(x);", HEADERS
    ),
    "block-exchange-by-ranks": kernel(
        "__shared__ Exchange::TempStorage s; int x[2] = {}; long ranks[2] = {1l << 30, 1l << 29}; "
        "Exchange(s).ScatterToBlocked(x, ranks);",
        HEADERS,
    ),
    "block-load": kernel(f"__shared__ Load::TempStorage s; int x[2]; Load(s).Load((int*){NOWHERE}, x);", HEADERS),
    "warp-scan-into": kernel(f"WarpScan::TempStorage s; WarpScan(s).InclusiveSum(1, *(int*){NOWHERE});", HEADERS),
    "fp8-read": kernel(f"out[0] = float(*(__nv_fp8_e5m2*){NOWHERE});", HEADERS),
    "aligned_size_t-read": kernel(f"out[0] = *(cuda::aligned_size_t<4>*){NOWHERE};", HEADERS),
    "match_all": kernel(f"out[0] = cg::coalesced_threads().match_all(1, *(int*){NOWHERE});", HEADERS),
    "match_all_sync": kernel(f"out[0] = __match_all_sync(1, 1, (int*){NOWHERE});", HEADERS),
    "half-read": kernel(f"out[0] = __half2float(*(__half*){NOWHERE});", HEADERS),
    "half2-added": kernel(f"*(__half2*){NOWHERE} += __half2(1.0f, 2.0f);", HEADERS),
    "half2-atomic": kernel(f"atomicAdd((__half2*){NOWHERE}, __half2(1.0f, 2.0f));", HEADERS),
    "less": kernel(f"out[0] = cg::less<Big*>()((Big*){NOWHERE}, (Big*)8)->v[0];", HEADERS),
    "sincospi": kernel(f"sincospi(1.0f, out, (float*){NOWHERE});", HEADERS),
    "rnorm": kernel(f"out[0] = rnormf(3, (float*){NOWHERE});", HEADERS),
    "remquo": kernel(f"out[0] = remquof(3, 2, (int*){NOWHERE});", HEADERS),
    "stcs": kernel(f"__stcs((float4*){NOWHERE}, make_float4(1, 2, 3, 4));", HEADERS),
    "ldcv": kernel(f"out[0] = __ldcv((int*){NOWHERE});", HEADERS),
    "copy-to": kernel(f"__pipeline_memcpy_async((void*){NOWHERE}, out, 16);", HEADERS),
    "copy-from": kernel(f"__shared__ int s[4]; __pipeline_memcpy_async(s, (void*){NOWHERE}, 16);", HEADERS),
    "copy-of-zeros": kernel(f"__pipeline_memcpy_async((void*){NOWHERE}, out, 16, 16);", HEADERS),
}
_RACING = """
__shared__ unsigned s[64];
if (threadIdx.x == 0)
    for (int i = 0; i < 64; i++) s[i] = 1;
"""
_UNSEEN = {
    "num_threads": "out[0] = ((cg::coalesced_group*)s)->num_threads();",
    "meta_group_rank": "out[0] = ((cg::coalesced_group*)s)->meta_group_rank();",
    "size-of-any-group": "out[0] = ((cg::thread_group*)s)->size();",
    "conversion-of-a-tile": "Tile t = *(cg::thread_block_tile<8, cg::thread_block>*)s; out[0] = t.meta_group_size();",
    "meta_group_size-of-a-large-tile": "out[0] = ((LargeTile*)s)->meta_group_size();",
    "block-scan": "int x; Scan r(*(Scan::TempStorage*)s); r.InclusiveSum(1, x); out[0] = x;",
    "fp8": "out[0] = float(((__nv_fp8_e4m3*)s)[0]);",
    "aligned_size_t": "out[0] = *(cuda::aligned_size_t<4>*)s;",
    "producer_commit": "((Alone*)s)->producer_commit();",
    "consumer_wait": "((Alone*)s)->consumer_wait();",
    "consumer_wait_prior": "cuda::pipeline_consumer_wait_prior<0>(*(Alone*)s);",
}
_POKE = "#define is_valid() poke(unsigned* p, unsigned v) const { *p = v; return true; } bool is_valid()\n"

#: Objects at any address.
PLACED = attacks(_PLACED, "OutOfBounds")
#: Methods of objects that are none, and results and arguments that lie anywhere.
USED = attacks(_USED, "OutOfBounds")
#: Methods that read or write what the text says is an object, and is an array: accesses of the text's own, in a race.
UNSEEN = attacks({name: kernel(_RACING + use, HEADERS) for name, use in _UNSEEN.items()}, "Race")
#: A macro that would put the text's code into a header's class.
POKED = attacks({"is_valid": kernel(_RACING + "cg::this_grid().poke(s, 7);", _POKE + HEADERS)}, "CompileError")
