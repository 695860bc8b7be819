#include <cstdio>
#include <cstdlib>
#include <utility>

// Symbols handed through templates, references and macros on their way to cudaMemcpyToSymbol.

struct Settings { int n; float scale; };

__constant__ Settings settings;
__constant__ int lookup[8];
__device__ int results[8];
template <int Id> __device__ int slot = Id * 100;

#define GET(symbol, value) copy_out(symbol, value, #symbol)

static void stop(cudaError_t e, const char *what)
{
    std::printf("%s: %s\n", what, cudaGetErrorString(e));
    std::exit(1);
}

template <typename T>
void copy_in(const T &symbol, const T &value)
{
    if (cudaError_t e = cudaMemcpyToSymbol(symbol, &value, sizeof(T)); e != cudaSuccess) stop(e, "copy_in");
}

template <typename T>
void copy_out(const T &symbol, T &value, const char *name)
{
    if (cudaError_t e = cudaMemcpyFromSymbol(&value, symbol, sizeof(T)); e != cudaSuccess) stop(e, name);
}

template <typename T, std::size_t N>
T *address_of(T (&symbol)[N])
{
    void *p = nullptr;
    if (cudaError_t e = cudaGetSymbolAddress(&p, symbol); e != cudaSuccess) stop(e, "address_of");
    return static_cast<T *>(p);
}

__global__ void compute(int *target)
{
    const int i = threadIdx.x;
    if (i < settings.n) target[i] = static_cast<int>(lookup[i] * settings.scale);
    if (i == 0) slot<1> += 1;
    if (i == 1) slot<2> += 2;
}

template <int... Ids>
void slots(std::integer_sequence<int, Ids...>)
{
    int values[sizeof...(Ids)];
    int k = 0;
    (copy_out(slot<Ids + 1>, values[k++], "slot"), ...);
    for (int v : values) std::printf("%d ", v);
    std::printf("\n");
}

int main()
{
    int table[8];
    for (int i = 0; i < 8; ++i) table[i] = i * i;
    copy_in(settings, Settings{6, 1.5f});
    copy_in(lookup, table);
    int zero[8] = {};
    copy_in(results, zero);
    compute<<<1, 8>>>(address_of(results));
    if (cudaError_t e = cudaGetLastError(); e != cudaSuccess) stop(e, "compute");
    if (cudaError_t e = cudaDeviceSynchronize(); e != cudaSuccess) stop(e, "compute");
    GET(results, table);
    for (int v : table) std::printf("%d ", v);
    std::printf("\n");
    slots(std::make_integer_sequence<int, 2>{});
    Settings back{};
    GET(settings, back);
    std::printf("%d %g\n", back.n, back.scale);
    return 0;
}
