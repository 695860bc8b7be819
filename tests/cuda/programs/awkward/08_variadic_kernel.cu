// Kernels that take packs; a pack of pointers, a pack of values, a pack of types.
#include <cstdio>
#include <cstdlib>
#include <utility>

#define E(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); exit(2); } } while (0)

template <class... Ts>
__global__ void sum_columns(double *out, int n, const Ts *...columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (0.0 + ... + static_cast<double>(columns[i]));
}

template <int... Is>
__global__ void write_constants(int *out)
{
    constexpr int values[] = {Is...};
    if (threadIdx.x < sizeof...(Is)) {
        int v = 0;
        for (unsigned k = 0; k < sizeof...(Is); ++k)
            if (k == threadIdx.x)
                v = values[k];
        out[threadIdx.x] = v * static_cast<int>(sizeof...(Is));
    }
}

__device__ int depth() { return 0; }
template <class Head, class... Tail>
__device__ int depth(Head head, Tail... tail)
{
    return static_cast<int>(head) + 10 * depth(tail...);
}

template <class... Args>
__global__ void digits(int *out, Args... args)
{
    out[threadIdx.x] = depth(args...) + static_cast<int>(threadIdx.x);
}

template <class... Ts, class Op, std::size_t... Is>
__device__ void each(std::index_sequence<Is...>, Op op, Ts *...ptrs)
{
    (op(ptrs, static_cast<int>(Is)), ...);
}

struct Bump {
    template <class T>
    __device__ void operator()(T *p, int index) const { p[threadIdx.x] += static_cast<T>(index + 1); }
};

template <class... Ts>
__global__ void bump_all(Ts *...ptrs)
{
    each(std::index_sequence_for<Ts...>{}, Bump{}, ptrs...);
}

template <class T>
static T *upload(const T (&h)[4])
{
    T *p;
    E(cudaMalloc(&p, sizeof h));
    E(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    return p;
}

template <class... P>
static void release(P *...p)
{
    for (cudaError_t e : {cudaFree(p)...})
        E(e);
}

int main()
{
    int *a = upload({1, 2, 3, 4});
    float *b = upload({.5f, .25f, .125f, 0.f});
    double *c = upload({10., 20., 30., 40.});
    double *out, h[4];
    int *iout, ih[5];
    E(cudaMalloc(&out, sizeof h));
    E(cudaMalloc(&iout, sizeof ih));

    bump_all<<<1, 4>>>(a, b, c);
    E(cudaGetLastError());
    sum_columns<<<2, 2>>>(out, 4, a, b, c);
    E(cudaGetLastError());
    E(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", h[0], h[1], h[2], h[3]);

    sum_columns<><<<1, 4>>>(out, 4);
    E(cudaGetLastError());
    E(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", h[0], h[1], h[2], h[3]);

    write_constants<7, -8, 9, 10, 11><<<1, 8>>>(iout);
    E(cudaGetLastError());
    E(cudaMemcpy(ih, iout, sizeof ih, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d %d\n", ih[0], ih[1], ih[2], ih[3], ih[4]);

    digits<<<1, 5>>>(iout, 1, 2L, 3u, 4.9f, static_cast<short>(5));
    E(cudaGetLastError());
    E(cudaMemcpy(ih, iout, sizeof ih, cudaMemcpyDeviceToHost));
    printf("%d %d\n", ih[0], ih[4]);
    release(a, b, c, out, iout);
    return 0;
}
