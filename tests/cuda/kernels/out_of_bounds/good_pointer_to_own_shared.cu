// kernel: turn   grid: 3   block: 32
// args: rows uint64[3] zeros, out int32[3x32] poison
// expect: nothing
// check: out == np.arange(96).reshape(3, 32)[:, ::-1]
// Each block finds its own shared memory again, through global memory that others use too.
__global__ void turn(unsigned long long* rows, int* out)
{
    __shared__ int s[32];
    s[threadIdx.x] = 32 * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0) rows[blockIdx.x] = (unsigned long long)s;
    __syncthreads();
    const int* row = (const int*)rows[blockIdx.x];
    out[32 * blockIdx.x + threadIdx.x] = row[31 - threadIdx.x];
}
