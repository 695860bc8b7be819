// line 16: a lambda that the host gives to a kernel must be marked as code for the GPU: [=] __device__ (...) {...}; nvcc needs --extended-lambda for it
#include <cstdio>

template <typename F>
__global__ void launch(F f)
{
    f(threadIdx.x);
}

struct Simulation {
    float* x;
    float dt;

    void step()
    {
        launch<<<1, 64>>>([this] (int i) { x[i] += dt; });
        cudaDeviceSynchronize();
    }
};

int main()
{
    Simulation s;
    s.dt = 0.5f;
    cudaMallocManaged(&s.x, 64 * sizeof(float));
    for (int i = 0; i < 64; i++) s.x[i] = i;
    s.step();
    printf("%f\n", s.x[1]);
}
