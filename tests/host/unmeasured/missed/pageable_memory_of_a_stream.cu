// wrong: line 17 calls a function that writes pageable memory, which the copy in line 18 may read before: an H200 prints 0
#include <cstdio>

static int numbers[64];

static void fill(void*)
{
    for (int& number : numbers) number = 200;
}

int main()
{
    int *x, last = -1;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, sizeof numbers);
    cudaLaunchHostFunc(stream, fill, nullptr);
    cudaMemcpyAsync(x, numbers, sizeof numbers, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&last, x + 63, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    cudaFree(x), cudaStreamDestroy(stream);
}
