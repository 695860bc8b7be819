// prints: ok
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>

// Each generator's states are kept in memory between two launches, as most programs do.
template <class State> __global__ void begin(State* states)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(7, i, 0, &states[i]);
}

template <class State> __global__ void draw(State* states, float* sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    State state = states[i];
    float sum = 0;
    for (int k = 0; k < 16; k++) {
        float2 pair = curand_normal2(&state);
        sum += pair.x + pair.y + curand_log_normal(&state, 0.0f, 0.1f) + curand_poisson(&state, 4.0);
    }
    sums[i] = sum;
    states[i] = state;
}

template <class State> int differs()
{
    const int threads = 128;
    State* states;
    float *d, sums[threads], mean = 0;
    if (cudaMalloc(&states, threads * sizeof(State)) || cudaMalloc(&d, sizeof sums)) return 1;
    begin<<<2, 64>>>(states);
    draw<<<2, 64>>>(states, d);
    if (cudaMemcpy(sums, d, sizeof sums, cudaMemcpyDeviceToHost)) return 1;
    for (float sum : sums) mean += sum / threads;
    return cudaFree(states) + cudaFree(d) + (std::fabs(mean - 16 * 5) > 2);
}

int main()
{
    int wrong = differs<curandStateXORWOW_t>() + differs<curandStatePhilox4_32_10_t>() + differs<curandStateMRG32k3a_t>();
    puts(wrong ? "wrong" : "ok");
    return wrong;
}
