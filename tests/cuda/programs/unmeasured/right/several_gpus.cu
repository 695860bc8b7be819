// prints: 2 GPUs, 1 of bus 2; peers 1 0 1, 101 704 705 101; 7 2 1; 12; device 1 and -2; 400 400 0; 5
// gpus: 2
// Each GPU has its memory, streams, events and variables.
#include <cstdio>

__device__ int counter;

__global__ void add(float* x, float v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += v;
    if (i == 0) atomicAdd(&counter, 1);
}

__global__ void gather(float* to, const float* from, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] += from[i];
}

int main()
{
    const int n = 1000;
    int count, current;
    cudaDeviceProp properties;
    cudaGetDeviceCount(&count);
    cudaSetDevice(1);
    cudaGetDevice(&current);
    cudaGetDeviceProperties(&properties, 1);
    printf("%d GPUs, %d of bus %d; ", count, current, properties.pciBusID);

    int one, itself, links;
    cudaDeviceCanAccessPeer(&one, 0, 1);
    cudaDeviceCanAccessPeer(&itself, 1, 1);
    cudaDeviceGetP2PAttribute(&links, cudaDevP2PAttrAccessSupported, 0, 1);
    printf("peers %d %d %d, ", one, itself, links);
    printf("%d ", cudaDeviceEnablePeerAccess(1, 0));
    cudaDeviceEnablePeerAccess(0, 0);
    printf("%d ", cudaDeviceEnablePeerAccess(0, 0));
    cudaDeviceDisablePeerAccess(0);
    printf("%d %d; ", cudaDeviceDisablePeerAccess(0), cudaSetDevice(2));

    // A copy in the default stream waits for both GPUs, and both wait for it.
    float *a[2], result[n];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&a[d], n * sizeof(float));
        cudaMemset(a[d], 0, n * sizeof(float));
        add<<<4, 256>>>(a[d], d + 1, n);
    }
    cudaMemcpyPeer(a[0], 0, a[1], 1, n * sizeof(float));
    cudaSetDevice(0);
    add<<<4, 256>>>(a[0], 5, n);
    cudaMemcpy(result, a[0], sizeof result, cudaMemcpyDeviceToHost);
    int counts[2];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMemcpyFromSymbol(&counts[d], counter, sizeof(int));
    }
    printf("%g %d %d; ", result[n - 1], counts[0], counts[1]);

    // An event orders a kernel of the one GPU with one of the other, which reads that one's memory.
    cudaStream_t streams[2];
    cudaEvent_t added;
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamCreate(&streams[d]);
    }
    cudaEventCreate(&added);
    add<<<4, 256, 0, streams[1]>>>(a[1], 3, n);
    cudaEventRecord(added, streams[1]);
    cudaSetDevice(0);
    cudaDeviceEnablePeerAccess(1, 0);
    cudaStreamWaitEvent(streams[0], added);
    gather<<<1, 128, 0, streams[0]>>>(a[0], a[1], n);
    cudaMemcpyAsync(result, a[0], sizeof result, cudaMemcpyDefault, streams[0]);
    cudaStreamSynchronize(streams[0]);
    printf("%g; ", result[n - 1]);

    cudaPointerAttributes known;
    cudaPointerGetAttributes(&known, a[1]);
    printf("device %d ", known.device);
    cudaPointerGetAttributes(&known, result);
    printf("and %d; ", known.device);

    // GPU 0 is current; what belongs to GPU 1 is used all the same where CUDA permits it.
    cudaEvent_t mine;
    cudaEventCreate(&mine);
    printf("%d ", cudaEventRecord(mine, streams[1]));
    cudaEventRecord(mine, streams[0]);
    cudaEventSynchronize(mine);
    float milliseconds;
    printf("%d ", cudaEventElapsedTime(&milliseconds, added, mine));
    printf("%d; ", cudaMemsetAsync(a[1], 0, n * sizeof(float), streams[1]));
    cudaGetLastError();

    // Memory of a pool is opened by the pool.
    float* pooled;
    cudaMemPool_t pool;
    cudaSetDevice(1);
    cudaMallocAsync(&pooled, n * sizeof(float), streams[1]);
    cudaMemsetAsync(pooled, 0, n * sizeof(float), streams[1]);
    add<<<4, 256, 0, streams[1]>>>(pooled, 5, n);
    cudaMemsetAsync(a[0], 0, n * sizeof(float), streams[0]);
    cudaStreamSynchronize(streams[0]);
    cudaDeviceSynchronize();
    cudaDeviceGetDefaultMemPool(&pool, 1);
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemPoolSetAccess(pool, &access, 1);
    cudaSetDevice(0);
    gather<<<1, 128>>>(a[0], pooled, n);
    cudaMemcpy(result, a[0], sizeof result, cudaMemcpyDeviceToHost);
    printf("%g\n", result[n - 1]);

    cudaFreeAsync(pooled, streams[1]);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaFree(a[d]);
        cudaStreamDestroy(streams[d]);
    }
    cudaEventDestroy(added);
    cudaEventDestroy(mine);
    cudaDeviceSynchronize();
}
