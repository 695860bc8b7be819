#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Literals and tokens that look like something else.

__host__ __device__ constexpr unsigned long long operator""_KiB(unsigned long long n) { return n * 1'024; }
__host__ __device__ constexpr double operator""_deg(long double d) { return static_cast<double>(d) / 180; }
__host__ __device__ constexpr int operator""_len(const char *, std::size_t n) { return static_cast<int>(n); }

template <class T> struct Box { T v; };
template <class T> struct Wrap { Box<T> inner; };
template <int N> struct Int { static constexpr int value = N; };

template <class T> __global__ void unwrap(T t, int *out) { out[0] = t.inner.v.v; }
template <class T> __global__ void value(int *out) { *out = T::value; }
template <bool B> __global__ void flag(int *out) { *out = B; }

__global__ void literals(int *out)
{
    const char *s = "a\tb\\\"}{'/*" "//\x41" "\u0041?";
    out[0] = 0b1010'1010 + 0x1F'FF + 017 + 'a' + '\x41' + '\101' + '\'' + '"' + static_cast<int>(u8'b');
    out[1] = static_cast<int>(0x1.8p+3 + 1e1f + .5L + 5. + 1'0.2'5);
    out[2] = s[0] + s[3] + s[4] + s[13] + 1["xyz"];
    out[3] = static_cast<int>(4_KiB) + static_cast<int>(90.0_deg * 2) + "length"_len;
    out[4] = sizeof R"(\n)" + sizeof "\n" + sizeof(L'x') + sizeof(u'x') + sizeof(U'x');
    int x = 5, y = 3, *p = &x;
    out[5] = x+++y;
    out[6] = x - -y - - -1 + +y;
    out[7] = x / *p + (x<y, x>y);
    out[8] = x > y ? x < y ? 1 : 2 : 3;
    out[9] = ~-x & !!y | x ^ y << 1 >> 1 & ~0;
    int größe = 2, $dollar = 3;
    out[10] = größe * $dollar + __LINE__ * 0 + (__COUNTER__ >= 0);
    goto end;
end:
    out[11] = [](int a) { return a; }(12), x;
}

static void e(cudaError_t r) { if (r != cudaSuccess) { std::printf("%s\n", cudaGetErrorString(r)); std::exit(1); } }

int main()
{
    int *d, h[12];
    e(cudaMalloc(&d, sizeof h));
    literals<<<1, 1>>>(d);
    e(cudaGetLastError());
    e(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int v : h) std::printf("%d ", v);
    std::printf("\n");

    const auto ask = [&](auto launch) { launch(); e(cudaGetLastError()); e(cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost)); std::printf("%d ", *h); };
    ask([=] { unwrap<Wrap<Box<int>>><<<1, 1>>>(Wrap<Box<int>>{{{42}}}, d); });
    ask([=] { unwrap<Wrap<Box<int> > > <<<1, 1>>>({{{43}}}, d); });
    ask([=] { value<Int<(64>>2)>><<<1, 1>>>(d); });
    ask([=] { value<Int<sizeof(std::array<std::array<std::array<char, 2>, 3>, 4>)>><<<1, 1>>>(d); });
    ask([=] { flag<(1>0)><<<1, (2>1)>>>(d); });
    ask([=] { flag<!(1>0)><<<(1<<0), 1>>>(d); });
    std::printf("\n");
    std::vector<std::vector<std::array<int, 2>>> nested(1, std::vector<std::array<int, 2>>(1, {1, 2}));
    const int shifted = 1024>>(2>>1)>>1, less = 1 <(2) , many = 1<<2<<3;
    std::printf("%d %d %d %d %s\n", nested[0][0][1], shifted, less, many, std::string("<<<1, 1>>>(d);").c_str());
    e(cudaFree(d));
    return 0;
}
