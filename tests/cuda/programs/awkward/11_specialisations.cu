#include <stdio.h>
#include <stdlib.h>

#define CHECK_CUDA(expr) { cudaError_t _e = (expr); if (_e != cudaSuccess) { fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(_e)); exit(1); } }

// Primary template, full specialisations, explicit instantiations - in every order that is allowed.
template <typename T> __global__ void describe(int *out);

template <typename T>
__global__ void describe(int *out)
{
    *out = (int) sizeof(T);
}

template <>
__global__ void describe<float>(int *out)
{
    *out = -1;
}

template <> __global__ void describe<void *>(int *out);

template <typename T, int N>
__global__ void fill(T *out)
{
    if (threadIdx.x < N) out[threadIdx.x] = T(N);
}

template <>
__global__ void fill<char, 4>(char *out)
{
    if (threadIdx.x < 4) out[threadIdx.x] = "wxyz"[threadIdx.x];
}

// Explicit instantiations.
template __global__ void fill<int, 3>(int *);
template __global__ void fill<double, 2>(double *out);
template __global__ void describe<short>(int *);

template <>
__global__ void describe<void *>(int *out)
{
    *out = -2;
}

// Partial specialisation lives in a class, the kernel asks it.
template <typename T> struct Kind { static constexpr int value = 10; };
template <typename T> struct Kind<T *> { static constexpr int value = 20 + Kind<T>::value; };
template <typename T, int N> struct Kind<T[N]> { static constexpr int value = 100 * N + Kind<T>::value; };
template <typename R, typename... A> struct Kind<R(A...)> { static constexpr int value = 1000 + (int) sizeof...(A); };

template <class T> __global__ void kind(int *out) { *out = Kind<T>::value; }
template __global__ void kind<int *[3]>(int *);

template <class T, class F>
static int ask(F launch)
{
    int *d, h;
    CHECK_CUDA(cudaMalloc(&d, sizeof(int)));
    launch(d);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaFree(d));
    return h;
}

template <class T> static int describe_host() { return ask<T>([](int *d) { describe<T><<<1, 1>>>(d); }); }
template <class T> static int kind_host() { return ask<T>([](int *d) { kind<T><<<1, 1>>>(d); }); }

int main()
{
    printf("describe: %d %d %d %d\n", describe_host<double>(), describe_host<float>(), describe_host<short>(), describe_host<void *>());
    printf("kind: %d %d %d %d\n", kind_host<int>(), kind_host<int **>(), kind_host<int *[3]>(), kind_host<void(int, char)>());

    int *di, hi[3];
    double *dd, hd[2];
    char *dc, hc[5] = "";
    CHECK_CUDA(cudaMalloc(&di, sizeof hi));
    CHECK_CUDA(cudaMalloc(&dd, sizeof hd));
    CHECK_CUDA(cudaMalloc(&dc, 4));
    fill<int, 3><<<1, 32>>>(di);
    fill<double, 2><<<1, 32>>>(dd);
    fill<char, 4><<<1, 32>>>(dc);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(hi, di, sizeof hi, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(hd, dd, sizeof hd, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(hc, dc, 4, cudaMemcpyDeviceToHost));
    printf("fill: %d %d %d, %.1f %.1f, %s\n", hi[0], hi[1], hi[2], hd[0], hd[1], hc);
    CHECK_CUDA(cudaFree(di));
    CHECK_CUDA(cudaFree(dd));
    CHECK_CUDA(cudaFree(dc));
    return 0;
}
