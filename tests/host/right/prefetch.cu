// prints: on cpu -1, 3 steps, maximum 7.5
// Managed memory that goes back and forth, with hints to the driver.
#include <cstdio>

__global__ void relax(const double* from, double* to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0 || i == n - 1) to[i] = from[i];
    else to[i] = 0.5 * (from[i - 1] + from[i + 1]);
}

struct Grid {
    double *now, *next;
    int n;
};

int main() {
    int device = -1, concurrent = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device);
    Grid* grid;
    if (cudaMallocManaged(&grid, sizeof(Grid))) return 1;
    grid->n = 1000;
    size_t bytes = grid->n * sizeof(double);
    cudaMallocManaged(&grid->now, bytes);
    cudaMallocManaged(&grid->next, bytes);
    for (int i = 0; i < grid->n; i++) grid->now[i] = i == 500 ? 20.0 : 0.0;
    cudaMemAdvise(grid->now, bytes, cudaMemAdviseSetPreferredLocation, device);
    if (concurrent) {
        cudaMemPrefetchAsync(grid->now, bytes, device, nullptr);
        cudaMemPrefetchAsync(grid->next, bytes, device, nullptr);
    }
    int steps = 0;
    for (; steps < 3; steps++) {
        double *now = grid->now, *next = grid->next;
        relax<<<(grid->n + 127) / 128, 128>>>(now, next, grid->n);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
        grid->now = next;
        grid->next = now;
    }
    cudaMemPrefetchAsync(grid->now, bytes, cudaCpuDeviceId, nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    double maximum = 0;
    for (int i = 0; i < grid->n; i++) maximum = grid->now[i] > maximum ? grid->now[i] : maximum;
    printf("on cpu %d, %d steps, maximum %g\n", cudaCpuDeviceId, steps, maximum);
    cudaFree(grid->now);
    cudaFree(grid->next);
    cudaFree(grid);
}
