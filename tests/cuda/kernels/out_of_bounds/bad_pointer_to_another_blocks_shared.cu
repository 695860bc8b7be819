// kernel: peek   grid: 2   block: 32
// args: box uint64[1] zeros, flag int32[1] zeros, out int32[32] poison
// expect: OutOfBounds lines=1 space=shared array=s action=read owner=0,0,0
__global__ void peek(unsigned long long* box, int* flag, int* out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            *box = (unsigned long long)s;
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        out[threadIdx.x] = ((int*)*box)[threadIdx.x]; // (1)
    }
}
