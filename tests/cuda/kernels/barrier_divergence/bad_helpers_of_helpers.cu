// kernel: sides   grid: 1   block: 64
// args: out float32[64] poison
// expect: BarrierDivergence lines=2,3
__device__ int all_of(int v)
{
    return __syncthreads_and(v);                  // (1)
}
template <int N> __device__ int once_more(int v)
{
    return all_of(v) + N;                         // (2)
}
__global__ void sides(float* out)
{
    int v = threadIdx.x < 32 ? once_more<0>(1) : all_of(1);  // (3)
    out[threadIdx.x] = v;
}
