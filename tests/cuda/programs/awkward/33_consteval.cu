#include <cstdio>
#include <cstdlib>

// Everything that has to be done at compile time: consteval, constinit, static_assert, constexpr containers by hand.

consteval __host__ __device__ int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

__host__ __device__ consteval unsigned hash(const char *text)
{
    unsigned h = 2166136261u;
    for (; *text != '\0'; ++text) h = (h ^ static_cast<unsigned char>(*text)) * 16777619u;
    return h;
}

template <unsigned N>
struct Name {
    char text[N];
    __host__ __device__ consteval Name(const char (&t)[N]) : text{}
    {
        for (unsigned i = 0; i < N; ++i) text[i] = t[i];
    }
    __host__ __device__ constexpr unsigned length() const { return N - 1; }
};

template <Name N>
__device__ void spell_backwards(char *out)
{
    if (threadIdx.x < N.length()) out[threadIdx.x] = N.text[N.length() - 1 - threadIdx.x];
    if (threadIdx.x == N.length()) out[threadIdx.x] = '\0';
}

__global__ void spell(char *out) { spell_backwards<"kernel">(out); }

template <int B = power(2, 5)>
__global__ void __launch_bounds__(power(2, 7)) classify(const unsigned *hashes, int *out)
{
    const int i = threadIdx.x;
    switch (hashes[i]) {
    case hash("alpha"): out[i] = power(3, 3); break;
    case hash("beta"): out[i] = power(3, 4) + B; break;
    case hash("") : out[i] = 0; break;
    default: out[i] = -1;
    }
}

static_assert(power(7, 3) == 343);
static_assert(hash("a") != hash("b"), "different hashes");

constinit int host_total = power(2, 3);

unsigned runtime_hash(const char *text)
{
    unsigned h = 2166136261u;
    while (*text) h = (h ^ static_cast<unsigned char>(*text++)) * 16777619u;
    return h;
}

#define EXIT_ON(e) if ((e) != cudaSuccess) { std::puts(cudaGetErrorString(cudaGetLastError())); std::exit(EXIT_FAILURE); }

int main()
{
    const unsigned hashes[] = {runtime_hash("beta"), runtime_hash("gamma"), runtime_hash("alpha"), runtime_hash("")};
    unsigned *d_hashes;
    int *d_out, out[4];
    char *d_text, text[16];
    EXIT_ON(cudaMalloc(&d_hashes, sizeof hashes));
    EXIT_ON(cudaMalloc(&d_out, sizeof out));
    EXIT_ON(cudaMalloc(&d_text, sizeof text));
    EXIT_ON(cudaMemcpy(d_hashes, hashes, sizeof hashes, cudaMemcpyHostToDevice));
    classify<><<<1, 4>>>(d_hashes, d_out);
    EXIT_ON(cudaGetLastError());
    EXIT_ON(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int v : out) host_total += v, std::printf("%d\n", v);
    spell<<<1, 16>>>(d_text);
    EXIT_ON(cudaGetLastError());
    EXIT_ON(cudaDeviceSynchronize());
    EXIT_ON(cudaMemcpy(text, d_text, 7, cudaMemcpyDeviceToHost));
    std::printf("%s %d\n", text, host_total);
    EXIT_ON(cudaFree(d_hashes));
    EXIT_ON(cudaFree(d_out));
    EXIT_ON(cudaFree(d_text));
    return 0;
}
