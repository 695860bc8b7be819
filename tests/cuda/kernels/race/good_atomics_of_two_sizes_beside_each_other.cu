// kernel: mark   grid: 4   block: 32
// args: words uint32[4] zeros
// expect: nothing
// check: words == np.array([128, 128, 64, 64])
__global__ void mark(unsigned* words)
{
    // Each size has its own bytes; or the same bytes on both sides of a barrier.
    __shared__ unsigned long long both;
    if (threadIdx.x == 0) both = 0;
    __syncthreads();
    atomicAdd((unsigned*)&both, 1u);
    __syncthreads();
    atomicAdd(&both, 1ull);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(words + 2, unsigned(both / 4));
    if (threadIdx.x == 0) atomicAdd(words + 3, unsigned(both / 4));
    atomicAdd((unsigned long long*)words, 1ull << 32 | 1);
}
