// kernel: swap   grid: 1   block: 32
// args: in int32[32] random, out int32[2x32] poison
// expect: nothing
// check: out == np.stack([in_[np.arange(32) ^ 16], in_[np.arange(32) ^ 1]])
// Since Volta the lanes of a mask must call the same function, and not from the same place.
template <int LANES> __device__ int swapped(int v) { return __shfl_xor_sync(0xffffffffu, v, LANES); }
__global__ void swap(const int* in, int* out)
{
    int v = in[threadIdx.x], a;
    if (threadIdx.x < 16)
        a = 1 + __shfl_xor_sync(0xffffffffu, v, 16) - 1;
    else
        a = __shfl_xor_sync(0xffffffffu, v, 16);
    out[threadIdx.x] = a;
    int b = threadIdx.x % 4 == 0 ? swapped<1>(v) : swapped<1>(v);
    out[32 + threadIdx.x] = b;
}
