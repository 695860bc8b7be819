// Tables computed by the compiler: in __constant__ and __device__ memory, in static constexpr members, in kernels.
#include <cstdio>
#include <cstdlib>

template <typename T, int N>
struct Table {
    T data[N];
    __host__ __device__ constexpr T &operator[](int i) { return data[i]; }
    __host__ __device__ constexpr const T &operator[](int i) const { return data[i]; }
    __host__ __device__ static constexpr int size() { return N; }
};

__host__ __device__ constexpr unsigned crc_step(unsigned c)
{
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    return c;
}

__host__ __device__ constexpr Table<unsigned, 256> make_crc()
{
    Table<unsigned, 256> t{};
    for (unsigned i = 0; i < 256; ++i) t[static_cast<int>(i)] = crc_step(i);
    return t;
}

__constant__ Table<unsigned, 256> crc_table = make_crc();
__constant__ constexpr int powers[] = {1, 10, 100, 1'000, 10'000};
__device__ constexpr char alphabet[] = "0123456789abcdef";

template <int N>
struct Fibonacci {
    static constexpr long long value = Fibonacci<N - 1>::value + Fibonacci<N - 2>::value;
};
template <> struct Fibonacci<0> { static constexpr long long value = 0; };
template <> struct Fibonacci<1> { static constexpr long long value = 1; };

struct Limits {
    static constexpr int rows = 4, columns = rows * 2;
    static constexpr float scale = 0.125f;
    static constexpr bool wide = columns > rows;
};

__host__ __device__ constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

__global__ void crc(const char *text, int length, unsigned *out)
{
    unsigned c = ~0u;
    for (int i = 0; i < length; ++i) c = crc_table[static_cast<int>((c ^ static_cast<unsigned char>(text[i])) & 0xff)] ^ (c >> 8);
    out[0] = ~c;
}

__global__ void numbers(long long *out)
{
    constexpr Table<int, 5> squares{{0, 1, 4, 9, 16}};
    static_assert(squares[3] == 9 && squares.size() == 5);
    __shared__ int grid[Limits::rows][Limits::columns];
    constexpr int step = gcd(48, 36);
    for (int k = threadIdx.x; k < Limits::rows * Limits::columns; k += blockDim.x)
        grid[k / Limits::columns][k % Limits::columns] = k * step;
    __syncthreads();
    if (threadIdx.x < 5) {
        const int i = threadIdx.x;
        out[i] = powers[i] + squares[i] + grid[i % Limits::rows][Limits::columns - 1] + alphabet[10 + i];
    }
    if (threadIdx.x == 5) out[5] = Fibonacci<50>::value;
    if (threadIdx.x == 6) out[6] = static_cast<long long>(Limits::scale * 64) + Limits::wide;
}

#define SAFE(expression)                                                             \
    [&] {                                                                            \
        const cudaError_t e = expression;                                            \
        if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorString(e)), std::exit(1); \
    }()

int main()
{
    static const char text[] = "123456789";
    char *d_text;
    unsigned *d_crc, h_crc;
    long long *d_numbers, h_numbers[7];
    SAFE(cudaMalloc(&d_text, sizeof text));
    SAFE(cudaMalloc(&d_crc, sizeof h_crc));
    SAFE(cudaMalloc(&d_numbers, sizeof h_numbers));
    SAFE(cudaMemcpy(d_text, text, sizeof text, cudaMemcpyHostToDevice));
    crc<<<1, 1>>>(d_text, static_cast<int>(sizeof text) - 1, d_crc);
    SAFE(cudaGetLastError());
    numbers<<<1, 8>>>(d_numbers);
    SAFE(cudaGetLastError());
    SAFE(cudaDeviceSynchronize());
    SAFE(cudaMemcpy(&h_crc, d_crc, sizeof h_crc, cudaMemcpyDeviceToHost));
    SAFE(cudaMemcpy(h_numbers, d_numbers, sizeof h_numbers, cudaMemcpyDeviceToHost));
    std::printf("crc %08x, host %u\n", h_crc, make_crc()[1]);
    for (long long v : h_numbers) std::printf("%lld\n", v);
    SAFE(cudaFree(d_text));
    SAFE(cudaFree(d_crc));
    SAFE(cudaFree(d_numbers));
    return 0;
}
