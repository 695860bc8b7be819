// kernel: sum_all   grid: 4   block: 32
// args: partial float32[4] poison, ticket uint32[1] zeros, out float32[1] poison
// expect: Race lines=1,2 array=partial hazard=read-after-write scope=grid
__global__ void sum_all(float* partial, unsigned* ticket, float* out)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;         // (1)
        // Missing: a fence between the partial sum and the ticket that announces it.
        if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
            float sum = 0;
            for (int b = 0; b < gridDim.x; b++)
                sum += partial[b];                // (2)
            *out = sum;
        }
    }
}
