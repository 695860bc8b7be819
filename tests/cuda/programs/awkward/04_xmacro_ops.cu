// One list of operations makes the enum, the device functions, the kernels and the host table.
#include <cstdio>
#include <cstdlib>

#define OPERATIONS(X)           \
    X(Add, "+", a + b)          \
    X(Sub, "-", a - b)          \
    X(Mul, "*", a * b)          \
    X(Max, "max", a > b ? a : b) \
    X(Xor, "^", a ^ b)

enum class Operation {
#define X(name, symbol, expression) name,
    OPERATIONS(X)
#undef X
        Count
};

#define X(name, symbol, expression) \
    __device__ int do##name(int a, int b) { return expression; }
OPERATIONS(X)
#undef X

#define X(name, symbol, expression)                                  \
    __global__ void kernel##name(const int *l, const int *r, int *o) \
    {                                                                \
        const int i = threadIdx.x;                                   \
        o[i] = do##name(l[i], r[i]);                                 \
    }
OPERATIONS(X)
#undef X

// A kernel with a switch that is written by the list.
__global__ void interpret(const Operation *code, int length, const int *l, const int *r, int *o)
{
    int accumulator = l[threadIdx.x];
    for (int pc = 0; pc < length; ++pc) {
        switch (code[pc]) {
#define X(name, symbol, expression)                              \
    case Operation::name:                                        \
        accumulator = do##name(accumulator, r[threadIdx.x]);     \
        break;
            OPERATIONS(X)
#undef X
        case Operation::Count:
            break;
        }
    }
    o[threadIdx.x] = accumulator;
}

struct Entry {
    const char *symbol;
    void (*kernel)(const int *, const int *, int *);
};
static const Entry table[] = {
#define X(name, symbol, expression) {symbol, kernel##name},
    OPERATIONS(X)
#undef X
};

#define TRY(x)                                                     \
    if (auto e = (x); e != cudaSuccess)                            \
    {                                                              \
        std::printf("%s failed: %s\n", #x, cudaGetErrorName(e));   \
        return 1;                                                  \
    }

int main()
{
    constexpr int n = 16;
    int left[n], right[n], out[n];
    for (int i = 0; i < n; ++i) {
        left[i] = i * 3;
        right[i] = 20 - i;
    }
    int *l, *r, *o;
    TRY(cudaMalloc(&l, sizeof left));
    TRY(cudaMalloc(&r, sizeof right));
    TRY(cudaMalloc(&o, sizeof out));
    TRY(cudaMemcpy(l, left, sizeof left, cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(r, right, sizeof right, cudaMemcpyHostToDevice));
    for (const Entry &entry : table) {
        entry.kernel<<<1, n>>>(l, r, o);
        TRY(cudaGetLastError());
        TRY(cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost));
        std::printf("%3s: %d %d %d\n", entry.symbol, out[0], out[7], out[15]);
    }

    const Operation program[] = {Operation::Add, Operation::Mul, Operation::Xor, Operation::Max};
    Operation *code;
    TRY(cudaMalloc(&code, sizeof program));
    TRY(cudaMemcpy(code, program, sizeof program, cudaMemcpyHostToDevice));
    interpret<<<1, n>>>(code, static_cast<int>(sizeof program / sizeof *program), l, r, o);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost));
    std::printf("program: %d %d %d of %d operations\n", out[0], out[7], out[15], static_cast<int>(Operation::Count));
    TRY(cudaFree(code));
    TRY(cudaFree(o));
    TRY(cudaFree(r));
    TRY(cudaFree(l));
    return 0;
}
