// prints: 64 0
// Many blocks of the host's own, long-lived and short-lived, in two threads, while children are made.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <thread>
#include <vector>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

void allocate(size_t bytes) {
    void* volatile seen = malloc(bytes);  // or else the compiler leaves both calls out
    free(seen);
}

int main() {
    rlimit seconds = {20, 20};
    setrlimit(RLIMIT_CPU, &seconds);  // a search that goes by all blocks that are gone takes minutes
    std::vector<void*> many(1000000);
    for (void*& one : many) one = malloc(24);
    for (void* one : many) free(one);
    for (int i = 0; i < 1000000; i++) allocate(i % 100 + 1);

    std::atomic<bool> over(false);
    std::thread other([&] {
        while (!over) allocate(40);
    });
    int failed = 0;
    for (int i = 0; i < 100 && !failed; i++) {
        pid_t child = fork();
        if (!child) {
            alarm(20);
            for (int j = 0; j < 50; j++) allocate(8);
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        failed += status != 0;
    }
    over = true;
    other.join();

    int *d, sum = 0;
    std::vector<int> x(64);
    cudaMalloc(&d, 64 * sizeof(int));
    fill<<<1, 64>>>(d);
    cudaMemcpy(x.data(), d, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int one : x) sum += one;
    printf("%d %d\n", sum, failed);
    cudaFree(d);
    return 0;
}
