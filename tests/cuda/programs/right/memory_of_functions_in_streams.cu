// prints: 200 5 300 7 400
// What a function that a stream calls writes, and copies read after that: pinned memory, or once the host has waited.
#include <cstdio>
#include <cstdlib>

static int numbers[64], others[64] = {5};

static void fill(void* to)
{
    for (int i = 0; i < 64; i++) ((int*)to)[i] += 200;
}

static void fill_by_callback(cudaStream_t, cudaError_t, void* to) { fill(to); }

static int read(const int* x)
{
    int out = -1;
    cudaMemcpy(&out, x, sizeof out, cudaMemcpyDeviceToHost);
    return out;
}

int main()
{
    const size_t bytes = sizeof numbers;
    int *x, *pinned, *registered = (int*)aligned_alloc(4096, 4096), local[64] = {7};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, bytes), cudaMallocHost(&pinned, bytes);
    for (int i = 0; i < 64; i++) pinned[i] = 0, registered[i] = 100;
    cudaHostRegister(registered, 4096, cudaHostRegisterDefault);

    cudaLaunchHostFunc(stream, fill, pinned);
    cudaMemcpyAsync(x, pinned, bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    printf("%d ", read(x));

    cudaLaunchHostFunc(stream, fill, numbers);
    cudaMemcpyAsync(x, others, bytes, cudaMemcpyHostToDevice, stream);  // which it does not touch
    cudaStreamSynchronize(stream);
    printf("%d ", read(x));

    cudaStreamAddCallback(stream, fill_by_callback, registered, 0);
    cudaMemcpyAsync(x, registered, bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    printf("%d ", read(x));

    cudaLaunchHostFunc(stream, fill, numbers);
    cudaMemcpyAsync(x, local, bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    printf("%d ", read(x));
    cudaMemcpyAsync(x, numbers, bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", read(x));

    cudaHostUnregister(registered);
    free(registered), cudaFree(x), cudaFreeHost(pinned), cudaStreamDestroy(stream);
}
