#include <stdio.h>
#include <stdlib.h>

struct Options {
    int first;
    int step;
    __host__ __device__ constexpr Options(int f = 1, int s = 2) : first(f), step(s) {}
};

enum { DEFAULT_N = 5 };
constexpr int twice(int x) { return 2 * x; }
static int host_calls = 0;
static int counted() { return ++host_calls; }   // evaluated on the host at each launch

__global__ void a(int *p, int n = DEFAULT_N, int v = twice(3));
__global__ void b(int *p, Options o = Options(), int n = DEFAULT_N) { if (threadIdx.x < n) p[threadIdx.x] = o.first + o.step * threadIdx.x; }
__global__ void c(int *p, Options o = {10, 20}, bool on = (3 > 2), char ch = ',', const int *q = nullptr)
{
    if (threadIdx.x < 5) p[threadIdx.x] = (q ? q[threadIdx.x] : 0) + o.first + (on ? ch : -1);
}
__global__ void d(int *p, int call = counted()) { p[threadIdx.x] = call; }

template <typename T = int, int N = 5>
__global__ void e(T *p, T v = T(N), int (*unused)(int) = 0) { if (threadIdx.x < N) p[threadIdx.x] = v; (void)unused; }

template <class T>
__global__ void f(T *p, T v = sizeof(T) > 2 ? T(1) : T(2), int n = int(sizeof(T[3]) / sizeof(T)))
{
    if (threadIdx.x < n) p[threadIdx.x] = v + n;
}

__device__ int pick(int x, int y = 7, int z = 9) { return x * 100 + y * 10 + z; }
__global__ void g(int *p) { p[threadIdx.x] = threadIdx.x == 0 ? pick(1) : threadIdx.x == 1 ? pick(1, 2) : pick(1, 2, 3); }

__global__ void a(int *p, int n, int v) { if (threadIdx.x < n) p[threadIdx.x] = v; }

void check(cudaError_t code = cudaGetLastError(), const char *title = nullptr, const int *p = 0)
{
    if (code != cudaSuccess) { printf("%s\n", cudaGetErrorString(code)); exit(1); }
    if (!title) return;
    int h[5];
    check(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    printf("%s: %d %d %d %d %d\n", title, h[0], h[1], h[2], h[3], h[4]);
}

int main(void)
{
    int *p;
    check(cudaMalloc(&p, 5 * sizeof *p));
    a<<<1, 8>>>(p);
    check(cudaGetLastError(), "a", p);
    a<<<1, 8>>>(p, 2);
    a<<<1, 8>>>(p, 1, -1);
    check(cudaGetLastError(), "a", p);
    b<<<1, 8>>>(p);
    check(cudaGetLastError(), "b", p);
    b<<<1, 8>>>(p, 100);
    check(cudaGetLastError(), "b", p);
    b<<<1, 8>>>(p, {0, -1}, 3);
    check(cudaGetLastError(), "b", p);
    c<<<1, 8>>>(p);
    check(cudaGetLastError(), "c", p);
    c<<<1, 8>>>(p, 5, false);
    check(cudaGetLastError(), "c", p);
    d<<<1, 5>>>(p);
    d<<<1, 4>>>(p);
    d<<<1, 2>>>(p, 50);
    check(cudaGetLastError(), "d", p);
    e<<<1, 8>>>(p);
    check(cudaGetLastError(), "e", p);
    e<int, 3><<<1, 8>>>(p, 4);
    check(cudaGetLastError(), "e", p);
    f<<<1, 8>>>(p);
    check(cudaGetLastError(), "f", p);
    g<<<1, 3>>>(p);
    check(cudaGetLastError(), "g", p);
    check(cudaDeviceSynchronize());
    check(cudaFree(p));
    printf("host calls: %d\n", host_calls);
    return 0;
}
