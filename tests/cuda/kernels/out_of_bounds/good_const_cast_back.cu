// kernel: fill   grid: 1   block: 32
// args: out int32[32] poison
// expect: nothing
// check: out == np.arange(32) + 1
__device__ const int* next_of(const int* p) { return p + 1; }
__global__ void fill(int* out)
{
    __shared__ int s[33];
    // What is const here is only the way there: the array itself may be written.
    *const_cast<int*>(next_of(s + threadIdx.x)) = threadIdx.x + 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 1];
}
