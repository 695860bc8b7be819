// line 12: calling a __host__ function("Complex") from a __global__ function is not allowed: mark the function in line 6 as __device__ as well
#include <cstdio>

struct Complex {
    float re, im;
    Complex(float r, float i) : re(r), im(i) {}
    float norm() const { return re * re + im * im; }
};

__global__ void norms(const float* in, float* out)
{
    Complex c(in[0], in[1]);
    out[threadIdx.x] = c.norm();
}

int main()
{
    float* x;
    cudaMallocManaged(&x, 128 * sizeof(float));
    norms<<<1, 64>>>(x, x + 64);
    cudaDeviceSynchronize();
    cudaFree(x);
}
