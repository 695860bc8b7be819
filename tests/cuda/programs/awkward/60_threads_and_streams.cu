#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

// Host threads that launch into their own streams; thread_local, atomics, futures and lambdas around launches.

namespace {

thread_local int launches = 0;
std::atomic<int> total_launches{0};
std::mutex guard;

void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::lock_guard<std::mutex> lock(guard);
        std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
        std::_Exit(1);
    }
}

template <int Rounds>
__global__ void churn(unsigned *data, int n, unsigned seed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = data[i] ^ seed;
    for (int r = 0; r < Rounds; ++r) v = v * 1664525u + 1013904223u;
    data[i] = v;
}

class Worker {
    int id_;
    cudaStream_t stream_{};
    unsigned *device_{};
    std::vector<unsigned> host_;

public:
    explicit Worker(int id) : id_(id), host_(64)
    {
        check(cudaStreamCreate(&stream_));
        check(cudaMalloc(&device_, host_.size() * sizeof(unsigned)));
    }
    Worker(Worker &&) = delete;
    ~Worker() noexcept
    {
        check(cudaFree(device_));
        check(cudaStreamDestroy(stream_));
    }

    unsigned operator()()
    {
        for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = static_cast<unsigned>(i) * 7u + id_;
        const auto bytes = host_.size() * sizeof(unsigned);
        check(cudaMemcpyAsync(device_, host_.data(), bytes, cudaMemcpyHostToDevice, stream_));
        auto launch = [this](auto kernel, unsigned seed) {
            kernel<<<dim3{2}, 32, 0, stream_>>>(device_, static_cast<int>(host_.size()), seed);
            check(cudaGetLastError());
            ++launches;
            total_launches.fetch_add(1, std::memory_order_relaxed);
        };
        launch(churn<3>, 17u);
        launch(churn<5>, 99u);
        for (int k = 0; k < id_; ++k) launch(churn<1>, 0u);
        check(cudaMemcpyAsync(host_.data(), device_, bytes, cudaMemcpyDeviceToHost, stream_));
        check(cudaStreamSynchronize(stream_));
        unsigned sum = 0;
        for (unsigned v : host_) sum += v;
        return sum + static_cast<unsigned>(launches);
    }
};

}  // namespace

int main()
{
    check(cudaFree(nullptr));
    constexpr int n = 3;
    unsigned sums[n] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i)
        threads.emplace_back([i, &sums] {
            Worker worker(i);
            sums[i] = worker();
        });
    for (auto &t : threads) t.join();
    std::future<unsigned> last = std::async(std::launch::async, [] { return Worker(5)(); });
    for (unsigned s : sums) std::printf("%u ", s);
    std::printf("%u\n", last.get());
    std::printf("%d launches, %d here\n", total_launches.load(), launches);
    check(cudaDeviceSynchronize());
    return 0;
}
