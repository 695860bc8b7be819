// Kernels as friends of classes that hide their data; static kernels; launches from member functions.
#include <cstdio>
#include <cstdlib>

template <typename T> class Buffer;
class Counter;

template <typename T> __global__ void fill(Buffer<T> b, T v);
__global__ void count(Counter c, int n);
static __global__ void drain(Counter c, int *out);

static void check(cudaError_t e, const char *file, int line)
{
    if (e) {
        fprintf(stderr, "%s(%d): %s\n", file, line, cudaGetErrorName(e));
        exit(99);
    }
}
#define check(e) check(e, __FILE__, __LINE__)

template <typename T>
class Buffer {
    T *data_ = nullptr;
    int size_ = 0;
    __device__ T &at(int i) const { return data_[i]; }

    friend __global__ void fill<T>(Buffer<T>, T);

public:
    explicit Buffer(int n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T))); }
    void destroy() { check(cudaFree(data_)); data_ = nullptr; }
    void fillWith(T v)
    {
        fill<<<(size_ + 31) / 32, 32>>>(*this, v);
        check(cudaGetLastError());
    }
    T last() const
    {
        T v;
        check(cudaMemcpy(&v, data_ + size_ - 1, sizeof v, cudaMemcpyDeviceToHost));
        return v;
    }
};

class Counter {
private:
    int *cells_;
    enum : int { Cells = 4 };

public:
    Counter() { check(cudaMalloc(&cells_, Cells * sizeof *cells_)); check(cudaMemset(cells_, 0, Cells * sizeof *cells_)); }
    Counter(const Counter &) = default;
    void destroy() { check(cudaFree(cells_)); }
    friend __global__ void count(Counter c, int n);
    friend __global__ void drain(Counter c, int *out);
};

template <typename T>
__global__ void fill(Buffer<T> b, T v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < b.size_) b.at(i) = v + T(i);
}

__global__ void count(Counter c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&c.cells_[i % Counter::Cells], i);
}

static __global__ void drain(Counter c, int *out)
{
    out[threadIdx.x] = c.cells_[threadIdx.x];
    c.cells_[threadIdx.x] = 0;
}

int main()
{
    Buffer<float> floats(50);
    floats.fillWith(0.25f);
    Buffer<short> shorts(33);
    shorts.fillWith(100);
    printf("%.2f %d\n", floats.last(), shorts.last());

    Counter counter;
    int *out, h[4];
    check(cudaMalloc(&out, sizeof h));
    count<<<3, 32>>>(counter, 90);
    check(cudaGetLastError());
    drain<<<1, 4>>>(counter, out);
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    drain<<<1, 4>>>(counter, out);
    check(cudaGetLastError());
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    check(cudaFree(out));
    counter.destroy();
    shorts.destroy();
    floats.destroy();
    return 0;
}
