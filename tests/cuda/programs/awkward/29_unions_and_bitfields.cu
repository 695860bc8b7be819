#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum class Color : std::uint8_t { Red = 1, Green, Blue = 7 };
enum Flags { None = 0, A = 1 << 0, B = 1 << 1, All = A | B };
enum struct Big : long long { Huge = 1LL << 40 };

__host__ __device__ constexpr Flags operator|(Flags l, Flags r) { return static_cast<Flags>(int(l) | int(r)); }

struct Packed {
    unsigned low : 4;
    unsigned mid : 12, : 0, high : 5;
    signed int negative : 6;
    Color color : 3;
    bool flag : 1;
};

union Word {
    std::uint32_t u;
    std::int32_t i;
    unsigned char bytes[4];
    struct { std::uint16_t lo, hi; } halves;
};

struct Variant {
    enum Tag { Int, Real, Pair } tag;
    union {
        int as_int;
        double as_real;
        short as_pair[2];
    };
    __host__ __device__ explicit Variant(int v) : tag(Int), as_int(v) {}
    __host__ __device__ explicit Variant(double v) : tag{Real}, as_real{v} {}
    __host__ __device__ Variant(short a, short b) : tag(Pair), as_pair{a, b} {}
    __device__ double get() const
    {
        switch (tag) {
            using enum Tag;
        case Int: return as_int;
        case Real: return as_real;
        case Pair: return as_pair[0] * 100.0 + as_pair[1];
        }
        return -1;
    }
};

struct alignas(32) Aligned {
    char c;
    alignas(double) char buffer[sizeof(double)];
};
static_assert(sizeof(Aligned) == 32 && alignof(Aligned) == 32);

__global__ void use(Packed p, Word w, Variant a, Variant b, Variant c, Aligned q, Flags f, Color color, Big big, long long *out)
{
    out[0] = p.low + 100 * p.mid + 1000000 * p.high;
    out[1] = p.negative;
    out[2] = static_cast<int>(p.color) * 10 + p.flag;
    w.u += 1;
    out[3] = w.u;
    p.low += 15;
    p.flag = !p.flag;
    out[4] = p.low + p.flag;
    out[5] = static_cast<long long>(a.get() + b.get() * 2 + c.get());
    double d;
    memcpy(&d, q.buffer, sizeof d);
    out[6] = static_cast<long long>(d) + q.c;
    out[7] = (f | B) == All ? 1 : 0;
    out[8] = color == Color::Blue ? static_cast<long long>(big) >> 38 : -1;
}

#define CE(x) \
    if ((err = (x)) != cudaSuccess) { printf("%d: %s\n", __LINE__, cudaGetErrorString(err)); return EXIT_FAILURE; } else (void)0

int main()
{
    cudaError_t err;
    long long h[9], *d;
    CE(cudaMalloc(&d, sizeof h));
    Packed packed{};
    packed.low = 9, packed.mid = 321, packed.high = 17;
    packed.negative = -21;
    packed.color = Color::Blue;
    packed.flag = true;
    Word word;
    word.u = 0x0001ffffu;
    Aligned aligned{'!', {}};
    double value = 1234.0;
    memcpy(aligned.buffer, &value, sizeof value);
    use<<<1, 1>>>(packed, word, Variant(5), Variant(2.5), Variant(3, 4), aligned, A, Color::Blue, Big::Huge, d);
    CE(cudaGetLastError());
    CE(cudaDeviceSynchronize());
    CE(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (long long v : h) printf("%lld\n", v);
    CE(cudaFree(d));
    return 0;
}
