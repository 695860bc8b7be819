// Included by three files, each of which says what N, T and NAME are.
#include <cstdio>

static __device__ int count = N;
static __constant__ T factor = N;
static __device__ int unused[N] = {N};
namespace {
__device__ int hidden = 10 * N;
struct State {
    T value[N];
};
__device__ State state;
}  // namespace

static __device__ int bump(int by) { return count += by; }
namespace {
__device__ T sum(const State& s) {
    T all = 0;
    for (T v : s.value) all += v;
    return all;
}
}  // namespace

static __global__ void work(T* out) {
    extern __shared__ T tile[];
    __shared__ T fixed[N];
    tile[threadIdx.x] = T(threadIdx.x) * factor;
    if (threadIdx.x < N) state.value[threadIdx.x] = fixed[threadIdx.x] = hidden;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum(state) + tile[blockDim.x - 1] + T(bump(N)) + unused[0] + fixed[N - 1];
}

void NAME() {
    T *out, host;
    cudaMalloc(&out, sizeof(T));
    work<<<1, 8, 8 * sizeof(T)>>>(out);
    cudaMemcpy(&host, out, sizeof(T), cudaMemcpyDeviceToHost);
    int now, more = 100 + N;
    cudaMemcpyFromSymbol(&now, count, sizeof now);
    cudaMemcpyToSymbol(hidden, &more, sizeof more);
    printf("%g %d\n", double(host), now);
    cudaFree(out);
}
