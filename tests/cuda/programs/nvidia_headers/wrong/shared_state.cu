// finds: Race, line 19
// says: curand_uniform(state)
#include <cstdio>
#include <curand_kernel.h>

__global__ void draw(curandState* state, float* out)
{
    out[threadIdx.x] = curand_uniform(state);
}

__global__ void begin(curandState* state) { curand_init(1, 0, 0, state); }

int main()
{
    curandState* state;
    float* out;
    if (cudaMalloc(&state, sizeof *state) || cudaMalloc(&out, 64 * sizeof(float))) return 1;
    begin<<<1, 1>>>(state);
    draw<<<1, 64>>>(state, out);
    if (cudaDeviceSynchronize()) return 1;
    return cudaFree(state) + cudaFree(out);
}
