// finds: nothing
// launch: grid=2, block=256, args=[ramp(5000), zeros("float32", 1), 5000]

constexpr int THREADS = 256, LOADS = 4;

// Adds the n elements of in to out[0].
__global__ void sum(const float* in, float* out, int n)
{
    __shared__ float partial[THREADS / 32];
    int thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS, lane = threadIdx.x % 32;
    const float4* in4 = (const float4*)in;
    float mine = 0.0f;

    // Several loads of 16 bytes are under way before the first is used: that keeps memory busy.
    int i = thread;
    for (; i + (LOADS - 1) * threads < n / 4; i += LOADS * threads) {
        float4 v[LOADS];
        #pragma unroll
        for (int j = 0; j < LOADS; ++j) v[j] = in4[i + j * threads];
        #pragma unroll
        for (int j = 0; j < LOADS; ++j) mine += (v[j].x + v[j].y) + (v[j].z + v[j].w);
    }
    for (; i < n / 4; i += threads) mine += (in4[i].x + in4[i].y) + (in4[i].z + in4[i].w);
    if (thread < n % 4) mine += in[n - 1 - thread];  // what is left over when 4 does not divide n

    for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(~0u, mine, distance);
    if (lane == 0) partial[threadIdx.x / 32] = mine;
    __syncthreads();  // each warp's part is there
    if (threadIdx.x < 32) {
        mine = lane < THREADS / 32 ? partial[lane] : 0.0f;
        for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(~0u, mine, distance);
        if (lane == 0) atomicAdd(out, mine);
    }
}
