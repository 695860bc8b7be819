#include <cstdio>
#include <cstdlib>

// y[i] = a * x[i] + y[i], for every i below n.
__global__ void saxpy(float a, const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main(int argc, char** argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]);
    float a = atof(argv[2]);
    int block = atoi(argv[3]);

    float* x = (float*)malloc(n * sizeof(float));
    float* y = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) {
        x[i] = 1 + i % 10;
        y[i] = i % 7;
    }

    // On the GPU: y = a * x + y.
    float *dev_x = NULL, *dev_y = NULL;
    size_t bytes = (size_t)n * sizeof(float);
    int grid = 0;
    cudaError_t error, freed_x, freed_y;
    while (grid * block < n)
        ++grid;

    if ((error = cudaMalloc((void**)&dev_x, bytes)) != cudaSuccess) goto cleanup;
    if ((error = cudaMalloc((void**)&dev_y, bytes)) != cudaSuccess) goto cleanup;
    if ((error = cudaMemcpy(dev_x, x, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto cleanup;
    if ((error = cudaMemcpy(dev_y, y, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto cleanup;
    saxpy<<<grid, block>>>(a, dev_x, dev_y, n);
    if ((error = cudaGetLastError()) != cudaSuccess) goto cleanup;
    if ((error = cudaDeviceSynchronize()) != cudaSuccess) goto cleanup;
    error = cudaMemcpy(y, dev_y, bytes, cudaMemcpyDeviceToHost);

    cleanup:
    freed_y = cudaFree(dev_y);  // of NULL: nothing
    freed_x = cudaFree(dev_x);
    if (error == cudaSuccess) error = freed_y;
    if (error == cudaSuccess) error = freed_x;
    if (error != cudaSuccess) {
        fprintf(stderr, "saxpy_main: %s (%d)\n", cudaGetErrorString(error), (int)error);
        free(x);
        free(y);
        return EXIT_FAILURE;
    }

    for (int i = 0; i < n; ++i)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
