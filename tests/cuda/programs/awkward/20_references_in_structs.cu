// Structs that hold references and references to arrays, all made inside the kernel.
#include <cstdio>
#include <cstdlib>

constexpr int Tile = 8;

struct View {
    int (&cells)[Tile][Tile];
    const int &scale;
    __device__ int &operator()(int r, int c) { return cells[r][c]; }
    __device__ auto row(int r) -> int (&)[Tile] { return cells[r]; }
};

template <typename T, int N>
__device__ T total(const T (&values)[N])
{
    T t{};
    for (const T &v : values) t += v;
    return t;
}

template <typename T, int R, int C>
__device__ constexpr int count(T (&)[R][C]) { return R * C; }

__device__ void swap_rows(int (&a)[Tile], int (&b)[Tile], int lane)
{
    int t = a[lane];
    a[lane] = b[lane];
    b[lane] = t;
}

struct Accumulator {
    int &target;
    int (*const step)[2];
    __device__ explicit Accumulator(int &t, int (*s)[2]) : target(t), step(s) {}
    __device__ Accumulator &operator+=(int v)
    {
        target += v * (*step)[v & 1];
        return *this;
    }
};

__global__ void work(int *out, int scale)
{
    __shared__ int tile[Tile][Tile];
    __shared__ int sums[Tile];
    View view{tile, scale};
    const int t = threadIdx.x;
    for (int r = 0; r < Tile; ++r) view(r, t) = (r * Tile + t) * view.scale;
    __syncthreads();
    swap_rows(view.row(0), view.row(Tile - 1), t);
    __syncthreads();
    sums[t] = total(view.cells[t]);
    __syncthreads();
    int (&alias)[Tile] = sums;
    int &&moved = alias[t] + count(tile);
    int steps[2] = {10, 1};
    int local = 0;
    Accumulator acc(local, &steps);
    (acc += moved) += t;
    out[t] = local;
    if (t == 0) {
        const auto &[first, second] = steps;
        out[Tile] = first - second + total(sums);
    }
}

int main()
{
    int *d_out;
    int h_out[Tile + 1];
    cudaError_t status = cudaMalloc(&d_out, sizeof h_out);
    if (status != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(status)); return 1; }
    work<<<1, Tile>>>(d_out, 2);
    status = cudaGetLastError();
    if (status != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(status)); return 1; }
    status = cudaDeviceSynchronize();
    if (status != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(status)); return 1; }
    status = cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(status)); return 1; }
    for (int i = 0; i <= Tile; ++i) std::printf("%d%c", h_out[i], i == Tile ? '\n' : ' ');
    status = cudaFree(d_out);
    if (status != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(status)); return 1; }
    return 0;
}
