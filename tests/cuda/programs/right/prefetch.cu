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

#if CUDART_VERSION >= 13000
static cudaMemLocation place(int device) {
    if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
    return {cudaMemLocationTypeDevice, device};
}
static cudaError_t prefetch(void* p, size_t bytes, int to) { return cudaMemPrefetchAsync(p, bytes, place(to), 0, 0); }
#else
static int place(int device) { return device; }
static cudaError_t prefetch(void* p, size_t bytes, int to) { return cudaMemPrefetchAsync(p, bytes, place(to), 0); }
#endif

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
    cudaMemAdvise(grid->now, bytes, cudaMemAdviseSetPreferredLocation, place(device));
    if (concurrent) {
        prefetch(grid->now, bytes, device);
        prefetch(grid->next, bytes, device);
    }
    int steps = 0;
    for (; steps < 3; steps++) {
        double *now = grid->now, *next = grid->next;
        relax<<<(grid->n + 127) / 128, 128>>>(now, next, grid->n);
        if (cudaDeviceSynchronize() != cudaSuccess) return 1;
        grid->now = next;
        grid->next = now;
    }
    prefetch(grid->now, bytes, cudaCpuDeviceId);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    double maximum = 0;
    for (int i = 0; i < grid->n; i++) maximum = grid->now[i] > maximum ? grid->now[i] : maximum;
    printf("on cpu %d, %d steps, maximum %g\n", cudaCpuDeviceId, steps, maximum);
    cudaFree(grid->now);
    cudaFree(grid->next);
    cudaFree(grid);
}
