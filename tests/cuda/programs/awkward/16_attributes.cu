// Attributes and qualifiers before, after and between.
#include <cstdio>
#include <cstdlib>

#define UNUSED __attribute__((unused))

[[maybe_unused]] static __global__ void never_launched(int *) {}

UNUSED static __device__ int unused_helper(int x) { return x; }

static __global__ void k1([[maybe_unused]] int spare, int *p) { *p = 1; }
__global__ static void k2(int *p, int UNUSED spare) { *p = 2; }
void __global__ k3(int *p) { *p = 3; }
__global__ void __launch_bounds__(64) k4(int *p) { *p = 4; }
__launch_bounds__(64, 2) __global__ void k5(int *p) { *p = 5; }
inline __global__ void k6(int *p) { *p = 6; }
__attribute__((used)) __global__ void k7(int *const p) { *p = 7; }
[[gnu::unused]] __global__ __launch_bounds__(32) void k8(int *__restrict__ const p) { *p = 8; }
__global__ auto k9(int *p) -> void { *p = 9; }

[[nodiscard]] __device__ __noinline__ int ten() { return 10; }
__device__ [[nodiscard]] inline int one() noexcept { return 1; }
static __forceinline__ __device__ __attribute__((const)) int two() { return 2; }
constexpr __host__ __device__ auto three() noexcept -> int { return 3; }
__host__ int four() { return 4; }

struct [[nodiscard]] alignas(16) Padded {
    int value;
    [[maybe_unused]] int rest[3];
    [[nodiscard]] __device__ int get() const noexcept { return value; }
};

struct __align__(8) Pair { float a, b; };

__global__ void k10(int *p, [[maybe_unused]] Padded padded, const Pair pair)
{
    [[maybe_unused]] int nothing = 0;
    [[maybe_unused]] auto ignored = one();
    switch (int which = ten() - one(); which) {
    case 9:
        nothing = two();
        [[fallthrough]];
    case 8:
        nothing += three();
        break;
    [[unlikely]] default:
        break;
    }
    if (threadIdx.x == 0) [[likely]] {
        *p = nothing + padded.get() + static_cast<int>(pair.a * pair.b);
    } else [[unlikely]]
        return;
}

int main()
{
    int *p = nullptr;
    int h = 0;
    cudaError_t e = cudaMalloc((void **)&p, sizeof *p);
    const auto ask = [&e, &h, p](const char *name) {
        if (e == cudaSuccess)
            e = cudaGetLastError();
        if (e == cudaSuccess)
            e = cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
        if (e != cudaSuccess) {
            std::printf("%s: %s\n", name, cudaGetErrorString(e));
            std::exit(1);
        }
        std::printf("%s %d\n", name, h);
    };
    k1<<<1, 1>>>(0, p); ask("k1");
    k2<<<1, 1>>>(p, 0); ask("k2");
    k3<<<1, 1>>>(p); ask("k3");
    k4<<<1, 1>>>(p); ask("k4");
    k5<<<1, 1>>>(p); ask("k5");
    k6<<<1, 1>>>(p); ask("k6");
    k7<<<1, 1>>>(p); ask("k7");
    k8<<<1, 1>>>(p); ask("k8");
    k9<<<1, 1>>>(p); ask("k9");
    k10<<<1, 2>>>(p, Padded{100, {0, 0, 0}}, Pair{2.5f, 4.0f}); ask("k10");
    std::printf("%d %zu %zu\n", four() + three(), alignof(Padded), alignof(Pair));
    e = cudaFree(p);
    return e == cudaSuccess ? 0 : 1;
}
