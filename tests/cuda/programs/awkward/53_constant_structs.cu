#include <stdio.h>
#include <stdlib.h>

typedef struct filter_s {
    int taps;
    float coefficient[5];
    enum mode_e { LOW, HIGH } mode;
    const char *unused_name;
} filter_t;

struct Matrix {
    float m[2][2];
    Matrix() = default;  // nvcc needs it on the host for the variables below
    constexpr __host__ __device__ Matrix(float a, float b, float c, float d) : m{{a, b}, {c, d}} {}
    static constexpr __host__ __device__ Matrix identity() { return Matrix(1, 0, 0, 1); }
    __device__ float2 operator*(float2 v) const { return make_float2(m[0][0] * v.x + m[0][1] * v.y, m[1][0] * v.x + m[1][1] * v.y); }
};

__constant__ Matrix rotation(0, -1, 1, 0), unit = Matrix::identity();
__constant__ float4 color = {0.25f, 0.5f, 0.75f, 1.0f};
__constant__ const double big[] = {1e10, 2e10, [](double x) { return x * 3; }(1e10)};
__constant__ struct { int width, height; } screen = {640, 480};
__constant__ filter_t filters[2] = {
    {3, {0.25f, 0.5f, 0.25f}, filter_t::LOW, nullptr},
    {5, {-1, -2, 6, -2, -1}, filter_s::HIGH, nullptr},
};

__global__ void convolve(const float *x, float *y, int n)
{
    const filter_t &f = filters[blockIdx.x];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float s = 0;
        for (int k = 0; k < f.taps; ++k) {
            int j = i + k - f.taps / 2;
            if (j >= 0 && j < n) s += f.coefficient[k] * x[j];
        }
        y[blockIdx.x * n + i] = f.mode == filter_t::HIGH ? -s : s;
    }
}

__global__ void rotate(float2 *v)
{
    float2 &w = v[threadIdx.x];
    w = rotation * (unit * w);
    w.x += color.y;
    w.y += static_cast<float>(screen.width / screen.height) + static_cast<float>(big[2] / 1e10);
}

#define CHECK(call) check_((call), #call, __FILE__, __LINE__)
static void check_(cudaError_t e, const char *call, const char *, int line)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "line %d: %s returned %s\n", line, call, cudaGetErrorName(e));
    exit(EXIT_FAILURE);
}

int main()
{
    enum { n = 10 };
    float x[n], y[2 * n], *dx, *dy;
    float2 v[3] = {{1, 0}, {0, 1}, {2, 3}}, *dv;
    for (int i = 0; i < n; ++i) x[i] = (float)(i * (n - i));
    CHECK(cudaMalloc(&dx, sizeof x));
    CHECK(cudaMalloc(&dy, sizeof y));
    CHECK(cudaMalloc(&dv, sizeof v));
    CHECK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dv, v, sizeof v, cudaMemcpyHostToDevice));
    convolve<<<2, 4>>>(dx, dy, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", y[0], y[5], y[n], y[n + 5]);
    rotate<<<1, 3>>>(dv);
    CHECK(cudaGetLastError());
    Matrix half(0.5f, 0, 0, 0.5f);
    CHECK(cudaMemcpyToSymbol(unit, &half, sizeof half));
    rotate<<<1, 3>>>(dv);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(v, dv, sizeof v, cudaMemcpyDeviceToHost));
    for (const float2 &w : v) printf("(%g, %g) ", w.x, w.y);
    printf("\n");
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFree(dv));
    return 0;
}
