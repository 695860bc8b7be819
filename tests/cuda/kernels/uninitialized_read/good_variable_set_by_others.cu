// kernel: k   grid: 1   block: 32
// args: in float32[32] random, out float32[160] poison, counter int32[1] zeros
// expect: nothing
// check: counter == [5]
// What functions, groups and instructions set for a thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/std/utility>

__device__ bool found(const float* in, float& value, int& at)
{
    at = threadIdx.x;
    value = in[at];
    return value > -1e30f;
}
template <class T> __device__ void take(T&& value, float* out) { *out = value; }

__global__ void k(const float* in, float* out, int* counter)
{
    int t = threadIdx.x;
    float s, c, value, whole, bits, none;
    int exponent, at, quotient, old, all, expected, word, swapped = 2;
    double ds, dc;
    sincosf(in[t], &s, &c);
    sincos(double(in[t]), &ds, &dc);
    float part = modff(in[t] * 10, &whole), fraction = frexpf(in[t], &exponent), rest = remquof(in[t], 2.0f, &quotient);
    if (!found(in, value, at)) return;
    memcpy(&bits, &in[t], sizeof bits);
    old = 3;
    cuda::std::swap(old, swapped);
    asm("mov.u32 %0, 5;" : "=r"(word));
    __match_all_sync(~0u, 1, &all);
    cuda::atomic_ref<int, cuda::thread_scope_block> own(expected);
    own.store(4);
    if (t == 40) take(none, out);
    out[t] = s + c + float(ds + dc) + value + whole + bits + part + fraction + rest + exponent + quotient + at + old + swapped + all + own.load();
    take(word, out + 32 + t);
    float* kept;
    float** place = &kept;
    *place = out + 64;
    kept[t] = 0;
    (*place)[32 + t] = 0;
    out[128 + t] = 0;
    if (t == 0) atomicAdd(counter, word);
}
