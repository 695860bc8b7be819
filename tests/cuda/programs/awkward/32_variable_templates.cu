#include <stdio.h>
#include <stdlib.h>
#include <limits>
#include <type_traits>

// Variable templates: constexpr ones, specialised ones, __device__ and __constant__ ones.
template <typename T> constexpr T pi = T(3.14159265358979323846L);
template <> constexpr int pi<int> = 3;
template <typename T> inline constexpr T lowest = std::is_signed_v<T> ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0);
template <typename T> inline constexpr int rank_of = 0;
template <typename T> inline constexpr int rank_of<T *> = 1 + rank_of<T>;
template <typename T, int N> inline constexpr int rank_of<T[N]> = N * 10 + rank_of<T>;
template <int N> constexpr int triangle = N + triangle<N - 1>;
template <> constexpr int triangle<0> = 0;

template <typename T> __device__ T counter = T(5);
template <int Slot> __device__ int slots[4] = {Slot, Slot * 2};
template <typename T> __constant__ T factor = T(2.5);

template <typename T>
__global__ void use(double *out, T x)
{
    if (threadIdx.x == 0) {
        counter<T> += x;
        slots<7>[3] += 1;
    }
    __syncthreads();
    switch (threadIdx.x) {
    case 0: out[0] = double(pi<T> * x); break;
    case 1: out[1] = double(counter<T>); break;
    case 2: out[2] = double(factor<T>); break;
    case 3: out[3] = slots<7>[0] + slots<7>[1] + slots<7>[3] * 100; break;
    case 4: out[4] = rank_of<T **[3]> + triangle<10>; break;
    case 5: out[5] = double(lowest<signed char>) + double(lowest<unsigned>); break;
    }
}

static void c(cudaError_t e, const char *s) { if (e != cudaSuccess) { fprintf(stderr, "%s: %s\n", s, cudaGetErrorString(e)); exit(1); } }
#define C(e) c(e, #e)

template <typename T>
void go(double *d, T x)
{
    double h[6];
    use<T><<<1, 6>>>(d, x);
    C(cudaGetLastError());
    C(cudaDeviceSynchronize());
    C(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("%.3f %.3f %.3f %g %g %g\n", h[0], h[1], h[2], h[3], h[4], h[5]);
}

int main()
{
    double *d;
    C(cudaMalloc(&d, 6 * sizeof *d));
    go<int>(d, 2);
    go<float>(d, 0.5f);
    go<double>(d, 1.5);
    go<double>(d, 1.5);
    C(cudaFree(d));
    printf("%d %d\n", rank_of<char *[2]>, triangle<4>);
    return 0;
}
