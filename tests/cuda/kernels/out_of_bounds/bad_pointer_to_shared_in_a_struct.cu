// kernel: fill   grid: 2   block: 32
// args: done int32[1] zeros, out int32[2] poison
// expect: OutOfBounds lines=1 space=shared array=row action=write owner=0,0,0
struct Row { float* first; long long length; };
__device__ Row shared_row;
__global__ void fill(int* done, int* out)
{
    __shared__ float row[64];
    row[threadIdx.x] = row[threadIdx.x + 32] = 0.0f;
    __syncthreads();
    if (threadIdx.x > 0) return;
    if (blockIdx.x == 0) {
        shared_row = Row{row, 64};
        __threadfence();
        atomicExch(done, 1);
    } else {
        while (atomicAdd(done, 0) == 0) {}
        __threadfence();
        Row theirs = shared_row;
        theirs.first[theirs.length - 1] = 1.0f;   // (1)
    }
    out[blockIdx.x] = row[0];
}
