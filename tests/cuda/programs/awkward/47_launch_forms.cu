// Every way to write a launch: braces, expressions, commas, conditionals, loops, lambdas, odd spacing.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(int *p, int v) { atomicAdd(p + threadIdx.x % 4, v); }
template <int N> __global__ void add_n(int *p) { atomicAdd(p + blockIdx.x % 4, N); }
template <typename...> __global__ void add_one(int *p) { atomicAdd(p, 1); }

struct Config {
    dim3 grid{2}, block{8};
    size_t shared() const { return 0; }
    cudaStream_t stream = nullptr;
    static constexpr int N = 3;
};

template <int A, int B> struct Pair { static constexpr int first = A, second = B; };

static int trouble = 0;
static int *checked(int *p)
{
    if (cudaError_t e = cudaGetLastError()) std::printf("%s\n", cudaGetErrorString(e)), ++trouble;
    return p;
}
static void run(cudaError_t e) { if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorString(e)), ++trouble; }

static void direct(int *p) { return add<<<1, 1>>>(p, 1); }
static auto by_lambda = [](int *p, auto... v) { (add<<<1, 1>>>(p, v), ...); };

int main()
{
    int *p, h[4];
    cudaStream_t stream;
    run(cudaMalloc(&p, sizeof h));
    run(cudaMemset(p, 0, sizeof h));
    run(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    run(cudaDeviceSynchronize());

    add<<<dim3{2}, 64, 0, stream>>>(p, 1);
    add<<<dim3{1, 2}, dim3{4, 1, 1}, size_t{0}, cudaStream_t{stream}>>>(p, 1);
    run(cudaStreamSynchronize(stream));
    add<<<dim3(1, 1), dim3(4)>>>(p, 1), add<<<1, 4>>>(p, 1);
    (add<<<1, 4>>>(p, 1));
    add <<< 1 , 4 >>> ( p , 1 ) ;
    add
        <<<
            1,
            4
        >>>
        (
            p,
            1
        );
    const Config c;
    add<<<c.grid, c.block, c.shared(), c.stream>>>(checked(p), Config::N);
    if (c.grid.x > 1) add<<<1, 4>>>(p, 10);
    else add<<<1, 4>>>(p, 1000);
    for (int i = 0; i < 3; ++i) add<<<i + 1, 1 << i>>>(p, i);
    true ? add<<<1, 4>>>(p, 2) : add<<<1, 4>>>(p, -2);
    add<<<8 >> 3, (4 > 3) ? 4 : 3>>>(p, 16 >> 2);
    add<<<1, (1 < 2) + 3>>>(p, 1 < 2);
    add_n<(8 >> 1)><<<(16>>2), 1>>>(p);
    add_n<Pair<1, 5>::second><<<4, 1>>>(p);
    add_n<Pair<2, (3 > 2)>::first><<<Pair<4, 5>::first, Pair<(1 < 2), 0>::first>>>(p);
    add_one<><<<1, 1>>>(p);
    add_one<std::vector<std::vector<int>>><<<1, 1>>>(p);
    add_one<std::vector<std::vector<std::vector<int>>>><<<1, 1>>>(p);
    add_one<int, Pair<1, 2>, int (*)(int)><<<1, 1>>>(p);
    direct(p);
    by_lambda(p, 1, 2, 3);
    [&] { add<<<1, 1>>>(p, 4); }();
    auto k = add;
    (*k)<<<1, 4>>>(p, 1);
    (k)<<<1, 4>>>(p, [] { return 7; }());
    (0, k)<<<1, 4>>>(p, (1, 2, 3));
    do add<<<1, 4>>>(p, 1); while (false);
    switch (trouble) default: add<<<1, 4>>>(p, 1);
    static_cast<void>(add<<<1, 4>>>(p, 1));
    checked(p);
    run(cudaDeviceSynchronize());
    run(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    run(cudaStreamDestroy(stream));
    run(cudaFree(p));
    return trouble;
}
