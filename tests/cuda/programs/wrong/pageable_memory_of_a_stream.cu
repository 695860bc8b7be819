// finds: Unsynchronized, line 19
// says: that a function called by a stream has changed, and may read it before that function has run
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
