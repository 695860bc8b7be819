// prints: (3, 4) has length 5, inside 3 of 4, 2 copies of 10
// Classes for both halves, templates with functors, a smart pointer to the GPU's memory, and an exception for errors.
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

class Vec2 {
public:
    float x = 0, y = 0;
    Vec2() = default;
    __host__ __device__ Vec2(float x, float y) : x(x), y(y) {}
    __host__ __device__ float length() const { return sqrtf(x * x + y * y); }
    __host__ __device__ Vec2 operator*(float factor) const { return Vec2(x * factor, y * factor); }
    __device__ void move(Vec2 by);
};
__device__ void Vec2::move(Vec2 by) {
    x += by.x;
    y += by.y;
}

struct Inside {
    float radius;
    __host__ __device__ bool operator()(const Vec2& v) const { return v.length() <= radius; }
};

template <class T, class Predicate> __global__ void count_if(const T* items, int n, Predicate is_counted, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && is_counted(items[i])) atomicAdd(count, 1);
}
template <int N> __global__ void move_all(Vec2* items, Vec2 by) {
    for (int i = threadIdx.x; i < N; i += blockDim.x) items[i].move(by * 2.0f);
}

void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

template <class T> class Buffer {
    struct Free {
        void operator()(T* p) const { cudaFree(p); }
    };
    std::unique_ptr<T, Free> pointer_;
    size_t n_;

public:
    explicit Buffer(size_t n) : n_(n) {
        T* p = nullptr;
        check(cudaMalloc(&p, n * sizeof(T)));
        pointer_.reset(p);
    }
    explicit Buffer(const std::vector<T>& from) : Buffer(from.size()) {
        check(cudaMemcpy(get(), from.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    T* get() const { return pointer_.get(); }
    std::vector<T> copy() const {
        std::vector<T> out(n_);
        check(cudaMemcpy(out.data(), get(), n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
};

int main() try {
    Buffer<Vec2> points(std::vector<Vec2>{{0, 0}, {1, 1}, {-3, 1}, {5, 5}});
    Buffer<int> count(std::vector<int>{0});
    count_if<<<1, 32>>>(points.get(), 4, Inside{4.0f}, count.get());
    check(cudaGetLastError());
    move_all<4><<<1, 2>>>(points.get(), Vec2(5, 0));
    check(cudaDeviceSynchronize());
    int tens = 0;
    for (const Vec2& point : points.copy()) tens += point.x >= 10 && point.x <= 11;
    printf("(3, 4) has length %g, inside %d of 4, %d copies of 10\n", Vec2(3, 4).length(), count.copy()[0], tens);
} catch (const std::exception& error) {
    fprintf(stderr, "%s\n", error.what());
    return 1;
}
