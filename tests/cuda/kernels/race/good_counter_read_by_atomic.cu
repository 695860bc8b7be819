// kernel: progress   grid: 4   block: 32
// args: done int32[1] zeros, seen int32[4] poison
// expect: nothing
__global__ void progress(int* done, int* seen)
{
    atomicAdd(done, 1);
    // How far the others are, whatever that is just now: no plain read of what is updated atomically.
    if (threadIdx.x == 0) seen[blockIdx.x] = atomicAdd(done, 0);
}
