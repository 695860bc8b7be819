// kernel: neighbors   grid: 4   block: 32
// args: data int32[128] random
// expect: Race lines=1,2 array=data scope=grid hazard=read-after-write space=global
__global__ void neighbors(int* data)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.x == 31) data[i] = 1;           // (1)
    // Another block's element: no order between blocks, whichever runs first.
    if (threadIdx.x == 0 && i > 0) data[i] = data[i - 1]; // (2)
}
