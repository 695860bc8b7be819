#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>

auto check(cudaError_t e) -> void { if (e != cudaSuccess) { std::printf("%s\n", cudaGetErrorName(e)); std::exit(1); } }

__device__ auto add(auto a, auto b) { return a + b; }
__device__ decltype(auto) pick(auto &array, int i) { return (array[i]); }
__device__ auto call_with(auto f, auto... args) -> decltype(f(args...)) { return f(args...); }
__device__ auto lambda_maker(int k) { return [k](auto x) { return x * k; }; }
template <auto K = 3> __device__ auto scaled(const auto &x) { return x * K; }

struct Node {
    int value;
    __device__ auto &get() { return value; }
    __device__ auto get() const -> const int & { return value; }
};

template <typename T>
__global__ auto work(T *const out, int n) -> void
{
    auto *const mine = out + threadIdx.x;
    auto i = threadIdx.x, step = blockDim.x;
    auto total = add(int(i), step);
    auto half = add(0.25f, 0.25);
    int cells[3]{1, 2, 3};
    pick(cells, 1) = 20;
    auto &[a, b, c] = cells;
    const auto f = lambda_maker(n);
    auto sum = call_with([&](auto x, auto y) { return x + y + b; }, a, c);
    auto node = Node{.value = 5};
    node.get() += 1;
    const auto &same = node;
    auto text = "auto";
    auto *letters = +text;
    static_assert(sizeof(half) == sizeof(double));
    decltype(auto) reference = (sum);
    reference += f(int(i)) + scaled(same.get()) + scaled<2>(10);
    if (auto parity = i % 2; parity) sum += letters[i % 4] - 'a';
    for (auto [k, m] = make_int2(0, 5); k < m; ++k) sum += 1;
    *mine = static_cast<T>(total) + static_cast<T>(sum) + static_cast<T>(half * 2);
}

static auto launch(auto kernel, auto grid, auto block, auto... args)
{
    kernel<<<grid, block>>>(args...);
    return cudaGetLastError();
}

auto main() -> int
{
    constexpr auto n = 8;
    auto pointer = static_cast<long *>(nullptr);
    long host[n];
    check(cudaMalloc(&pointer, sizeof host));
    check(launch(work<long>, 1, dim3(n), pointer, 10));
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(host, pointer, sizeof host, cudaMemcpyDeviceToHost));
    auto [low, high] = [&] {
        auto l = host[0], h = host[0];
        for (auto v : host) l = v < l ? v : l, h = v > h ? v : h;
        return std::tuple(l, h);
    }();
    for (auto v : host) std::printf("%ld ", v);
    std::printf("| %ld %ld\n", low, high);
    check(cudaFree(pointer));
    return 0;
}
