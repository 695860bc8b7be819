// line 7: a kernel cannot be a member of a class: declare run outside, and pass what it needs
#include <cstdio>

class Scaler {
public:
    Scaler(float f) : factor(f) {}
    __global__ void run(float* x, int n)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] *= factor;
    }
    float factor;
};

int main()
{
    float* x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    Scaler s(2.0f);
    s.run<<<1, 64>>>(x, 64);
    cudaDeviceSynchronize();
    printf("%f\n", x[1]);
}
