// kernel: rounds   grid: 2   block: 64
// args: out float32[2x64] poison
// expect: nothing
// check: out == np.broadcast_to(np.arange(64)[::-1] + 3, (2, 64))
// Each call of a function with a barrier is made by all threads, however they are nested.
__device__ void descend(int rounds)
{
    __syncthreads();
    if (rounds) descend(rounds - 1);
    __syncthreads();
}
__device__ float exchange(float* row, float v)
{
    row[threadIdx.x] = v;
    descend(2);
    float other = row[blockDim.x - 1 - threadIdx.x];
    descend(1);
    return other;
}
__global__ void rounds(float* out)
{
    __shared__ float row[64];
    float v = threadIdx.x;
    for (int i = 0; i < 3; i++) v = exchange(row, v) + (i < 2 ? exchange(row, 0.0f) : 1.0f);
    if (blockIdx.x == 0) v = exchange(row, exchange(row, v));
    else v += exchange(row, 0.0f);
    if (threadIdx.x % 3 == 0) v += 1.0f;
    else v += 1.0f;
    out[blockIdx.x * 64 + threadIdx.x] = v + 1.0f;
}
