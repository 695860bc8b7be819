// finds: nothing
// launch: grid=1, block=64, args=[ramp(128), empty(64)]

__noinline__ __device__ float total(const float* from, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) sum += from[i];
    return sum;
}

// Two branches call one function.
__global__ void function_in_branches(const float* in, float* out)
{
    if (threadIdx.x % 32 < 16)
        out[threadIdx.x] = total(in, 3);
    else
        out[threadIdx.x] = total(in + 64, 3);
}
