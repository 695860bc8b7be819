// prints: 0 2 4 6
#include <cstdio>
#include <stdexcept>
#include <string>

#define CHECK(call)                                                  \
    do {                                                             \
        cudaError_t error_ = call;                                   \
        if (error_ != cudaSuccess) fail(cudaGetErrorString(error_)); \
    } while (0)

inline void fail(const char* why) { throw std::runtime_error(std::string(why)); }

// The host makes it, and a kernel gets it.
template <class T> class Buffer {
public:
    explicit Buffer(int n) : size_(n) { CHECK(cudaMallocManaged(&data_, n * sizeof(T))); }
    void release() { CHECK(cudaFree(data_)); }
    std::string text() const {
        std::string out;
        for (int i = 0; i < size_; ++i) out += std::to_string(data_[i]) + (i + 1 < size_ ? " " : "");
        return out;
    }
    __device__ T& operator[](int i) const { return data_[i]; }
    __host__ __device__ int size() const { return size_; }

private:
    T* data_;
    int size_;
};

__global__ void fill(Buffer<int> numbers) {
    if (threadIdx.x < numbers.size()) numbers[threadIdx.x] = 2 * threadIdx.x;
}

int main() {
    Buffer<int> numbers(4);
    fill<<<1, 32>>>(numbers);
    CHECK(cudaDeviceSynchronize());
    printf("%s\n", numbers.text().c_str());
    numbers.release();
}
