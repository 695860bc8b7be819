// finds: nothing
// launch: grid=2, block=64, shared_mem=512, args=[ramp(256), empty(128)]

// Two arrays in dynamic shared memory.
__global__ void dynamic_shared(const float* in, float* out)
{
    extern __shared__ float both[];
    float *left = both, *right = both + blockDim.x;
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    left[t] = in[2 * i];
    right[t] = in[2 * i + 1];
    __syncthreads();
    out[i] = left[(t + 1) % blockDim.x] - right[t];
}
