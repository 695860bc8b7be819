// Device functions as template arguments, as kernel arguments and as members; pointers to member functions.
#include <cstdio>
#include <cstdlib>

__device__ float relu(float x) { return x > 0 ? x : 0; }
__device__ float leaky(float x) { return x > 0 ? x : 0.25f * x; }
template <int K> __device__ float steps(float x) { return float(int(x * K)) / K; }

typedef float (&FunctionReference)(float);
using Function = float (*)(float);
using Binary = auto (*)(float, float) -> float;

__device__ float blend(float a, float b) { return 0.5f * (a + b); }
__device__ float first(float a, float) { return a; }

template <Function F>
__global__ void activate(float *x) { x[threadIdx.x] = F(x[threadIdx.x]); }

template <FunctionReference F, float (*... Rest)(float)>
__global__ void activate_all(float *x)
{
    float v = F(x[threadIdx.x]);
    ((v = Rest(v)), ...);
    x[threadIdx.x] = v;
}

template <typename F>
__device__ float call(F f, float x) { return f(x); }

__device__ float twice(Function f, float x) { return f(f(x)); }
__device__ Function choose(int i)
{
    Function local[3] = {relu, leaky, steps<2>};
    return local[i % 3];
}

__global__ void dynamic(float *x)
{
    x[threadIdx.x] = call(choose(static_cast<int>(threadIdx.x)), x[threadIdx.x]) + twice(&leaky, -4);
}

struct Filter {
    float gain;
    __device__ float up(float x) const { return x + gain; }
    __device__ float down(float x) const { return x - gain; }
};

template <float (Filter::*M)(float) const>
__device__ float through(const Filter &f, float x) { return (f.*M)(x); }

__global__ void members(Filter f, float *x)
{
    float (Filter::*const other)(float) const = threadIdx.x % 2 ? &Filter::up : &Filter::down;
    const Filter *p = &f;
    x[threadIdx.x] = through<&Filter::up>(f, x[threadIdx.x]) * 10 + (p->*other)(0);
}

template <Binary B>
struct Reducer {
    __device__ static float run(const float *x, int n)
    {
        float acc = x[0];
        for (int i = 1; i < n; ++i) acc = B(acc, x[i]);
        return acc;
    }
};

template <template <Binary> class R, Binary B>
__global__ void reduce(const float *x, int n, float *out) { *out = R<B>::run(x, n); }

__device__ Function exported[2] = {leaky, steps<4>};

__global__ void by_argument(float *x, Function f) { x[threadIdx.x] = f(x[threadIdx.x]); }

#define CU(x) \
    { cudaError_t cu = (x); \
      if (cu != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(cu)); exit(-1); } }

static void show(const char *title, const float *d, int n = 4)
{
    float h[4];
    CU(cudaGetLastError());
    CU(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s:", title);
    for (int i = 0; i < n; ++i) printf(" %g", h[i]);
    printf("\n");
}

int main()
{
    const float start[4] = {-2, -0.5f, 0.625f, 3.375f};
    float *x, *out;
    CU(cudaMalloc(&x, sizeof start));
    CU(cudaMalloc(&out, sizeof(float)));
    CU(cudaMemcpy(x, start, sizeof start, cudaMemcpyHostToDevice));
    activate<leaky><<<1, 4>>>(x);
    show("leaky", x);
    activate<steps<8>><<<1, 4>>>(x);
    show("steps", x);
    activate_all<steps<4>, leaky, relu><<<1, 2>>>(x);
    show("all", x);
    dynamic<<<1, 4>>>(x);
    show("dynamic", x);
    members<<<1, 4>>>(Filter{0.5f}, x);
    show("members", x);
    reduce<Reducer, blend><<<1, 1>>>(x, 4, out);
    show("blend", out, 1);
    reduce<Reducer, first><<<1, 1>>>(x, 4, out);
    show("first", out, 1);
    Function functions[2];
    CU(cudaMemcpyFromSymbol(functions, exported, sizeof functions));
    by_argument<<<1, 4>>>(x, functions[1]);
    by_argument<<<1, 1>>>(x, functions[0]);
    show("by argument", x);
    CU(cudaDeviceSynchronize());
    CU(cudaFree(x));
    CU(cudaFree(out));
    return 0;
}
