// prints: 200 of 200 and 200 of 200 launches of their own, errors: 101 and 0
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void add_one(int* x) { *x += 1; }
__global__ void add_two(int* x) { *x += 2; }

std::atomic<int> ready;

// What one thread of the host launches is its own, and so is the latest error of its calls.
void work(void (*kernel)(int*), int step, int* right, int* error, bool fails)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int *x, value;
    cudaMalloc(&x, sizeof(int));
    ++ready;
    while (ready < 2) std::this_thread::yield();
    for (int launches = 1; launches <= 200; ++launches) {
        cudaMemsetAsync(x, 0, sizeof(int), stream);
        kernel<<<1, 1, 0, stream>>>(x);
        cudaMemcpyAsync(&value, x, sizeof(int), cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        *right += value == step;
    }
    cudaFree(x);
    cudaStreamDestroy(stream);
    if (fails) cudaSetDevice(99);
    ++ready;
    while (ready < 4) std::this_thread::yield();
    *error = cudaGetLastError();
}

int main()
{
    int right[2] = {}, errors[2];
    std::thread other([&] { work(add_two, 2, right + 1, errors + 1, false); });
    work(add_one, 1, right, errors, true);
    other.join();
    printf("%d of 200 and %d of 200 launches of their own, errors: %d and %d\n", right[0], right[1], errors[0], errors[1]);
}
