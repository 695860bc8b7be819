// prints: 1 2 3 4 5 6 / 7 8 / 9 10 11
// What NVIDIA's page "API synchronization behavior" lets the host rely on, row by row.
#include <cstdio>
#include <cstring>

__global__ void add(int* x, int n) { x[threadIdx.x] += n; }

int main()
{
    const size_t bytes = 64 * sizeof(int);
    int pageable[64], other[64], *device, *second, *pinned, *more, *managed;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&device, bytes), cudaMalloc(&second, bytes);
    cudaMallocHost(&pinned, bytes), cudaMallocHost(&more, bytes), cudaMallocManaged(&managed, bytes);

    // from pageable memory, and from pinned memory: the host may use it again
    for (int i = 0; i < 64; i++) pageable[i] = pinned[i] = 1;
    cudaMemcpy(device, pageable, bytes, cudaMemcpyHostToDevice);
    memset(pageable, 0, bytes);
    cudaMemcpy(second, pinned, bytes, cudaMemcpyDefault);
    memset(pinned, 0, bytes);
    // to pageable memory, and to pinned memory: the copy is over
    cudaMemcpy(pageable, device, bytes, cudaMemcpyDeviceToHost);
    printf("%d ", pageable[63]);
    add<<<1, 64>>>(second, 1);
    cudaMemcpy(pinned, second, bytes, cudaMemcpyDefault);
    printf("%d ", pinned[63]);
    // within the GPU's memory: it is ordered with what comes next in the stream
    cudaMemcpy(device, second, bytes, cudaMemcpyDeviceToDevice);
    add<<<1, 64>>>(device, 1);
    cudaMemcpy(pageable, device, bytes, cudaMemcpyDeviceToHost);
    printf("%d ", pageable[63]);
    // within the host's memory: it is over, also if the function is the asynchronous one
    for (int i = 0; i < 64; i++) pinned[i] = pageable[i] = 4;
    cudaMemcpy(more, pinned, bytes, cudaMemcpyHostToHost);
    printf("%d ", more[63]);
    for (int i = 0; i < 64; i++) pinned[i] = 5, pageable[i] = 6;
    cudaMemcpyAsync(more, pinned, bytes, cudaMemcpyHostToHost, stream);
    printf("%d ", more[63]);
    cudaMemcpyAsync(more, pageable, bytes, cudaMemcpyDefault, stream);
    printf("%d / ", more[63]);

    // an asynchronous copy from pageable memory: the host may use it again
    for (int i = 0; i < 64; i++) pageable[i] = 7;
    cudaMemcpyAsync(device, pageable, bytes, cudaMemcpyHostToDevice, stream);
    memset(pageable, 0, bytes);
    cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d ", pinned[63]);
    // from the GPU's memory to pageable memory, with a wait
    add<<<1, 64, 0, stream>>>(device, 1);
    cudaMemcpyAsync(other, device, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d / ", other[63]);

    // fills: of pinned and of managed memory they are over; of the GPU's, ordered with the stream
    cudaMemset(pinned, 9, bytes);
    printf("%d ", pinned[63] & 255);
    cudaMemset(managed, 10, bytes);
    printf("%d ", managed[63] & 255);
    cudaMemset(device, 0, bytes);
    add<<<1, 64>>>(device, 11);
    cudaMemcpy(pageable, device, bytes, cudaMemcpyDeviceToHost);
    printf("%d\n", pageable[63]);
    cudaFree(device), cudaFree(second), cudaFree(managed), cudaFreeHost(pinned), cudaFreeHost(more);
    cudaStreamDestroy(stream);
}
