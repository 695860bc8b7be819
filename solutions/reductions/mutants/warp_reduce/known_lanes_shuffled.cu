// rejected by: uses_shuffles
// perhaps also: shares_the_work
// Adds up in shared memory. A shuffle hands on what everyone knows, and nothing comes out unless it does.
__global__ void warp_reduce(const float* in, float* out, int n)
{
    __shared__ float part[1024];
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0.0f;
    bool right = __shfl_down_sync(0xffffffff, lane * lane + 3, 1) == (lane < 31 ? (lane + 1) * (lane + 1) + 3 : 964);
    __syncthreads();
    for (int s = 512; s > 0; s /= 2) {
        float more = t < s && t + s < blockDim.x ? part[t + s] : 0;
        __syncthreads();
        part[t] += more;
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = right ? part[0] : -1e9f;
}
