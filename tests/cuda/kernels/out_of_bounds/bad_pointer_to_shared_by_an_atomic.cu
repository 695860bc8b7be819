// kernel: peek   grid: 2   block: 32
// args: box uint64[1] zeros, out int32[32] poison
// expect: OutOfBounds lines=1 space=shared array=s action=atomic owner=0,0,0
__global__ void peek(unsigned long long* box, int* out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned long long found = 0;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) atomicExch(box, (unsigned long long)s);
    } else {
        while (found == 0) found = atomicAdd(box, 0ull);
        out[threadIdx.x] = atomicAdd((int*)found + threadIdx.x, 0); // (1)
    }
}
