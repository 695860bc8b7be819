#include <cstdio>
#include <cstdlib>

// Range-based for loops over everything that a kernel can have.

template <typename T>
struct Span {
    T *first;
    int count;
    __device__ T *begin() const { return first; }
    __device__ T *end() const { return first + count; }
};

class GridStride {
    int n_;

    struct Iterator {
        int i, step;
        __device__ int operator*() const { return i; }
        __device__ Iterator &operator++() { i += step; return *this; }
        __device__ bool operator!=(const Iterator &o) const { return i < o.i; }
    };

public:
    __device__ explicit GridStride(int n) : n_(n) {}
    __device__ auto begin() const { return Iterator{int(blockIdx.x * blockDim.x + threadIdx.x), int(gridDim.x * blockDim.x)}; }
    __device__ auto end() const { return Iterator{n_, 0}; }
};

namespace lib {
struct Pair { int key, value; };
struct Bag { Pair items[3]; };
__device__ Pair *begin(Bag &b) { return b.items; }
__device__ Pair *end(Bag &b) { return b.items + 3; }
}  // namespace lib

__constant__ short primes[] = {2, 3, 5, 7, 11};

__global__ void loops(int *out, int n)
{
    __shared__ int cache[4];
    if (threadIdx.x == 0)
        for (int k = 1; auto &c : cache) c = k++ * 10;
    __syncthreads();

    int local[] = {1, 2, 3};
    for (int &x : local) x *= x;

    for (const int i : GridStride(n)) {
        int sum = 0;
        for (auto x : local) sum += x;
        for (const auto &c : cache) sum += c;
        for (auto p : primes) {
            if (p == 5) continue;
            if (p > 7) break;
            sum += p * i;
        }
        for (char c : "ab") sum += c;
        for (auto v : {100, 200}) sum += v;
        lib::Bag bag{{{1, 2}, {3, 4}, {5, 6}}};
        for (auto &[key, value] : bag) value += key;
        for (auto [key, value] : bag) sum += key * value;
        int table[2][3] = {{1, 1, 1}, {2, 2, 2}};
        for (auto &row : table)
            for (auto cell : row) sum += cell;
        out[i] = sum;
    }
    for (auto &&x : Span<int>{out + n, threadIdx.x == 0 && blockIdx.x == 0 ? 2 : 0}) x = -7;
}

#define CUDA_CHECK(...)                                                        \
    for (cudaError_t e : {(__VA_ARGS__)})                                      \
        if (e != cudaSuccess) {                                                \
            std::fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(e)); \
            std::exit(EXIT_FAILURE);                                           \
        }

int main()
{
    const int n = 20;
    int *d, h[n + 2];
    CUDA_CHECK(cudaMalloc(&d, sizeof h));
    loops<<<2, 4>>>(d, n);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int total = 0; const int &v : h) {
        total += v;
        if (&v == h || &v == h + n - 1 || &v == h + n + 1) std::printf("%d (%d)\n", v, total);
    }
    CUDA_CHECK(cudaFree(d));
    return 0;
}
