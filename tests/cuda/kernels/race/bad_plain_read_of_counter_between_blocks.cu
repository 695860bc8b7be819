// kernel: progress   grid: 4   block: 32
// args: done int32[1] zeros, seen int32[4] poison
// expect: Race between=1,2 array=done atomic=True scope=grid
__global__ void progress(int* done, int* seen)
{
    if (threadIdx.x == 1) atomicAdd(done, 1);     // (1)
    if (threadIdx.x == 0) seen[blockIdx.x] = *done; // (2)
}
