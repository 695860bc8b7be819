#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

__global__ void by_two(int *p, int n, float) { if (threadIdx.x < n) p[threadIdx.x] *= 2; }
__global__ void plus_one(int *p, int n, float) { if (threadIdx.x < n) p[threadIdx.x] += 1; }
template <int K> __global__ void mod(int *p, int n, float f) { if (threadIdx.x < n) p[threadIdx.x] = p[threadIdx.x] % K + int(f); }
__global__ void from_struct(struct Big);
struct Big { int *p; double weights[3]; char tag; };
__global__ void from_struct(Big b) { b.p[threadIdx.x] = int(b.weights[threadIdx.x % 3]) + (b.tag == 'x'); }

using Kernel = void (*)(int *, int, float);

static Kernel kernels[] = {by_two, plus_one, mod<5>, mod<(3 > 2 ? 7 : 11)>};
static const std::map<std::string, Kernel> byName = {{"double", by_two}, {"increment", &plus_one}};
static constexpr std::array<Kernel, 2> fixed{{plus_one, by_two}};

static void (*(*select(int i))(int))(int *, int, float);  // a pointer to a function that returns a kernel pointer
static Kernel at(int i) { return kernels[i]; }
static void (*(*select(int))(int))(int *, int, float) { return at; }

static void must(cudaError_t e) { if (e) { std::fprintf(stderr, "%s\n", cudaGetErrorString(e)); std::exit(1); } }

int main()
{
    const int n = 6;
    int h[n] = {1, 2, 3, 4, 5, 6}, *p;
    must(cudaMalloc(&p, sizeof h));
    must(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    const auto show = [&](const std::string &title) {
        must(cudaDeviceSynchronize());
        must(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
        std::printf("%s:", title.c_str());
        for (int v : h) std::printf(" %d", v);
        std::puts("");
    };

    for (Kernel k : kernels) {
        int count = n;
        float f = 0.75f + 1;
        void *arguments[] = {&p, &count, &f};
        must(cudaLaunchKernel(reinterpret_cast<const void *>(k), dim3(1), dim3(8), arguments, 0, nullptr));
    }
    show("cudaLaunchKernel, void pointer");
    {
        int count = n;
        float f = 9.f;
        void *arguments[] = {&p, &count, &f};
        must(cudaLaunchKernel(mod<4>, 1, 32, arguments));
    }
    show("cudaLaunchKernel, typed");
    for (auto &[name, k] : byName) {
        k<<<1, 8>>>(p, n, 0);
        must(cudaGetLastError());
        show(name);
    }
    kernels[3]<<<1, 8>>>(p, n, 1);
    must(cudaGetLastError());
    (*kernels[1])<<<1, 8>>>(p, n, 1);
    must(cudaGetLastError());
    fixed[1]<<<1, 8>>>(p, n, 0);
    must(cudaGetLastError());
    select(0)(2)<<<1, 8>>>(p, n, 0.f);
    must(cudaGetLastError());
    show("indexed");
    Big big = {p, {1.5, 20, 300}, 'x'};
    void *one[] = {&big};
    must(cudaLaunchKernel((void *)from_struct, dim3(1, 1, 1), dim3(n, 1, 1), one, 0, 0));
    show("struct");
    must(cudaFree(p));
    return 0;
}
