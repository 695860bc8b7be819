// FOR_EACH by rescanning, __VA_OPT__, _Pragma, stringising, statement macros, macros that end in half a loop.
#include <cstdio>
#include <cstdlib>

#define PARENS ()
#define EXPAND(...) EXPAND2(EXPAND2(EXPAND2(__VA_ARGS__)))
#define EXPAND2(...) EXPAND1(EXPAND1(EXPAND1(__VA_ARGS__)))
#define EXPAND1(...) __VA_ARGS__
#define FOR_EACH(m, ...) __VA_OPT__(EXPAND(FOR_EACH_STEP(m, __VA_ARGS__)))
#define FOR_EACH_STEP(m, a, ...) m(a) __VA_OPT__(FOR_EACH_AGAIN PARENS(m, __VA_ARGS__))
#define FOR_EACH_AGAIN() FOR_EACH_STEP

#define FIELD(name) int name = sizeof(#name) - 1;
#define COUNT_ONE(name) +1
#define ADD(name) +s.name
#define PRINT(name) std::printf("%s=%d ", #name, h.name);
#define KERNEL_FOR(name)                                              \
    __global__ void set_##name(Record *r) { r->name = r->name * 10 + field_count; }
#define CALL(name) set_##name<<<1, 1>>>(d); last = last ? last : cudaGetLastError();

#define FIELDS alpha, beta_long, g
#define COUNT (0 FOR_EACH(COUNT_ONE, FIELDS))
enum { field_count = COUNT };

struct Record { FOR_EACH(FIELD, FIELDS) };
FOR_EACH(KERNEL_FOR, FIELDS)

#define CUDA_KERNEL_LOOP(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define UNROLL(n) DO_PRAGMA(unroll n)
#define DO_PRAGMA(x) _Pragma(#x)
#define FOREACH_THREAD if (int tid = threadIdx.x; true)
#define SWAP(type, a, b) do { type swap_tmp = (a); (a) = (b); (b) = swap_tmp; } while (0)
#define threads_per_block 16
#define EMPTY
#define LPAREN (
#define RPAREN )
#define IF(c) IF_##c
#define IF_1(t, f) t
#define IF_0(t, f) f

__global__ void EMPTY total LPAREN const Record *r, int *out, int n RPAREN
{
    CUDA_KERNEL_LOOP(i, n)
    {
        const Record s = *r;
        int acc = 0 FOR_EACH(ADD, FIELDS);
        UNROLL(4)
        for (int k = 0; k < 8; ++k) acc += k;
        int a = 1, b = acc;
        SWAP(int, a, b);
        FOREACH_THREAD acc += tid;
        out[i] = IF(1)(acc, undeclared_identifier) + IF(0)(also_undeclared, a) + b;
    }
}

#define CHECK(...) do { if (cudaError_t error = (__VA_ARGS__); error != cudaSuccess) { \
    std::printf("%s in %s\n", cudaGetErrorString(error), #__VA_ARGS__); std::exit(1); } } while (0)

int main()
{
    Record h, *d;
    int *out, o[20];
    cudaError_t last = cudaSuccess;
    CHECK(cudaMalloc(&d, sizeof(Record)));
    CHECK(cudaMalloc(&out, sizeof o));
    CHECK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
    FOR_EACH(CALL, FIELDS)
    CHECK(last);
    total<<<1, threads_per_block>>>(d, out, 20);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(o, out, sizeof o, cudaMemcpyDeviceToHost));
    FOR_EACH(PRINT, FIELDS)
    std::printf("count=%d\n%d %d %d\n", COUNT, o[0], o[15], o[19]);
    FOR_EACH(PRINT)
    CHECK(cudaFree(d));
    CHECK(cudaFree(out));
    return 0;
}
