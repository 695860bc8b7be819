#include <cstdio>
#include <cstdlib>

struct Stencil {
    int radius = 1;
    float weights[3] = {0.25f, 0.5f, 0.25f};
    struct Border {
        enum Kind { Zero, Clamp, Wrap } kind;
        float value;
    } border = {.kind = Border::Zero, .value = 0};
};

struct Problem {
    const float *in;
    float *out;
    int n;
    Stencil stencil{};
};

__device__ float at(const Problem &p, int i)
{
    if (0 <= i && i < p.n) return p.in[i];
    switch (p.stencil.border.kind) {
    case Stencil::Border::Clamp: return p.in[i < 0 ? 0 : p.n - 1];
    case Stencil::Border::Wrap: return p.in[(i + p.n) % p.n];
    case Stencil::Border::Zero:
    default: return p.stencil.border.value;
    }
}

__global__ void apply(Problem p)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int k = -p.stencil.radius; k <= p.stencil.radius; ++k) sum += p.stencil.weights[k + p.stencil.radius] * at(p, i + k);
        p.out[i] = sum;
    }
}

__constant__ Stencil edge = {.weights = {-1, 0, 1}, .border = {.kind = Stencil::Border::Clamp}};

__global__ void apply_constant(Problem p)
{
    const Problem q{.in = p.in, .out = p.out + p.n, .n = p.n, .stencil = edge};
    if (int i = threadIdx.x; i < q.n) {
        q.out[i] = 0;
        for (auto [k, w] = int2{.x = -1, .y = 0}; k <= 1; ++k, ++w) q.out[i] += q.stencil.weights[w] * at(q, i + k);
    }
}

void check(cudaError_t code)
{
    if (code == cudaSuccess) return;
    std::printf("%s\n", cudaGetErrorString(code));
    std::exit(1);
}

int main()
{
    constexpr int n = 12;
    float h[2 * n], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i * i);
    check(cudaMalloc(&in, n * sizeof(float)));
    check(cudaMalloc(&out, sizeof h));
    check(cudaMemcpy(in, h, n * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemset(out, 0, sizeof h));

    apply<<<2, 4>>>({.in = in, .out = out, .n = n});
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("zero: %g %g %g\n", h[0], h[5], h[n - 1]);

    apply<<<1, 32>>>(Problem{.in = in, .out = out, .n = n, .stencil = {.border = {.kind = Stencil::Border::Wrap}}});
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost));
    std::printf("wrap: %g %g %g\n", h[0], h[5], h[n - 1]);

    apply_constant<<<dim3{1}, dim3{16}>>>(Problem{.in = in, .out = out, .n = n});
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("edge: %g %g %g\n", h[n], h[n + 5], h[2 * n - 1]);
    check(cudaFree(in));
    check(cudaFree(out));
    return 0;
}
