// nvcc: --extended-lambda
// Captures: arrays of one and two dimensions, structs, pointers to members, bindings copied to locals, *this.
#include <cstdio>
#include <cstdlib>

struct Weights { float w[3]; int shift; };
struct Range { int begin, end; };

template <class F> __global__ void run(F f) { f(static_cast<int>(threadIdx.x)); }

static int errors = 0;
static void check(cudaError_t e) { if (e != cudaSuccess) { ++errors; std::printf("%s\n", cudaGetErrorString(e)); } }

class Model {
    int gain_ = 4;
    int *out_;

public:
    int bias = 1;
    explicit Model(int *out) : out_(out) {}
    void evaluate()
    {
        run<<<1, 4>>>([*this] __device__(int i) { out_[i] = gain_ * i + bias; });
        check(cudaGetLastError());
    }
    void evaluate_copy()
    {
        run<<<1, 4>>>([gain = gain_, out = out_, b = bias] __device__(int i) { out[i] += gain * 100 + b; });
        check(cudaGetLastError());
    }
};

int main()
{
    int *out;
    float *fout;
    int h[4];
    float g[4];
    check(cudaMalloc(&out, sizeof h));
    check(cudaMalloc(&fout, sizeof g));

    int table[4] = {40, 30, 20, 10};
    int square[2][2] = {{1, 2}, {3, 4}};
    run<<<1, 4>>>([=] __device__(int i) { out[i] = table[i] + square[i / 2][i % 2]; });
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("arrays: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    Weights weights{{0.5f, 0.25f, 0.125f}, 2};
    run<<<1, 4>>>([=] __device__(int i) { fout[i] = weights.w[i % 3] * static_cast<float>(1 << weights.shift); });
    check(cudaGetLastError());
    check(cudaMemcpy(g, fout, sizeof g, cudaMemcpyDeviceToHost));
    std::printf("struct: %g %g %g %g\n", g[0], g[1], g[2], g[3]);

    const auto [begin, end] = Range{1, 3};
    const int first = begin, last = end;
    run<<<1, 4>>>([first, last, out] __device__(int i) { if (i >= first && i < last) out[i] = -1; });
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("bindings: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    int Weights::*member = &Weights::shift;
    run<<<1, 4>>>([=] __device__(int i) { out[i] = weights.*member + i; });
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("member: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    Model model(out);
    model.evaluate();
    model.bias = 7;
    model.evaluate_copy();
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("this: %d %d %d %d\n", h[0], h[1], h[2], h[3]);

    check(cudaFree(out));
    check(cudaFree(fout));
    return errors ? 1 : 0;
}
