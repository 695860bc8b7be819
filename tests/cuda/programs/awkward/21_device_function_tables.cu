#include <cstdio>
#include <cstdlib>

// Tables of device functions: in __device__ and __constant__ memory, in a struct, two-dimensional, per template.

typedef int (*Op)(int, int);

__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int times(int a, int b) { return a * b; }
template <int N> __device__ int shift(int a, int b) { return (a << N) | (b & ((1 << N) - 1)); }

__device__ Op table[] = {plus, &minus, times, shift<2>, &shift<5>};
__device__ Op *cursor = table + 1;
__constant__ Op grid_of_ops[2][2] = {{plus, minus}, {times, shift<1>}};

struct Entry {
    char key;
    int (*run)(int, int);
    int bias;
};
__device__ const Entry entries[] = {{'+', plus, 0}, {'-', minus, 100}, {'*', times, -100}};

template <typename T>
__device__ T identity(T x) { return x; }
template <typename T>
__device__ T (*const chosen)(T) = identity<T>;

__global__ void by_index(const int *which, int *out)
{
    const int i = threadIdx.x;
    Op op = table[which[i]];
    out[i] = op(i + 10, 3) + (*cursor)(0, 1);
}

__global__ void by_key(const char *keys, int *out)
{
    out[threadIdx.x] = -1;
    for (const Entry &e : entries)
        if (e.key == keys[threadIdx.x]) out[threadIdx.x] = (*e.run)(12, 4) + e.bias;
}

__global__ void by_grid(int *out)
{
    out[threadIdx.y * blockDim.x + threadIdx.x] = grid_of_ops[threadIdx.y][threadIdx.x](9, 2) + chosen<int>(0);
}

// The pointer is read on the host and handed back as an argument.
__device__ Op exported = times;
__global__ void apply(Op op, int *out) { out[threadIdx.x] = op(static_cast<int>(threadIdx.x), 7); }

// Returns a pointer to a function.
__device__ int (*pick(bool up))(int, int) { return up ? plus : minus; }
__global__ void picked(int *out) { out[threadIdx.x] = pick(threadIdx.x & 1)(50, static_cast<int>(threadIdx.x)); }

#define CHECK(x) do { if (cudaError_t e_ = (x)) { std::printf(#x ": %s\n", cudaGetErrorString(e_)); std::exit(1); } } while (0)

int main()
{
    const int which[] = {0, 1, 2, 3, 4, 0};
    const char keys[] = {'*', '?', '+', '-', '-', '+'};
    int out[6], *d_which, *d_out;
    char *d_keys;
    CHECK(cudaMalloc(&d_which, sizeof which));
    CHECK(cudaMalloc(&d_keys, sizeof keys));
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemcpy(d_which, which, sizeof which, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice));

    auto show = [&](const char *title, int n) {
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
        std::printf("%s:", title);
        for (int i = 0; i < n; ++i) std::printf(" %d", out[i]);
        std::printf("\n");
    };
    by_index<<<1, 6>>>(d_which, d_out);
    show("by index", 6);
    by_key<<<1, 6>>>(d_keys, d_out);
    show("by key", 6);
    by_grid<<<1, dim3(2, 2)>>>(d_out);
    show("by grid", 4);
    Op handed;
    CHECK(cudaMemcpyFromSymbol(&handed, exported, sizeof handed));
    apply<<<1, 6>>>(handed, d_out);
    show("apply", 6);
    picked<<<1, 6>>>(d_out);
    show("picked", 6);
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_keys));
    CHECK(cudaFree(d_which));
    return 0;
}
