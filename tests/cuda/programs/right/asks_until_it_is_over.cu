// prints: 961 after some asking
// A stream and an event that are asked until the answer is yes; then the host has waited.
#include <cstdio>
__global__ void square(int* x) { x[threadIdx.x] *= x[threadIdx.x]; }

int main() {
    int *x, asked = 0;
    cudaEvent_t done;
    cudaMallocManaged(&x, 32 * sizeof(int));
    cudaEventCreate(&done);
    for (int i = 0; i < 32; i++) x[i] = i;
    if (cudaStreamQuery(0) != cudaSuccess) return 1;  // nothing is there yet
    square<<<1, 32>>>(x);
    cudaEventRecord(done);
    while (cudaEventQuery(done) == cudaErrorNotReady) asked++;
    printf("%d after %s asking\n", x[31], asked ? "some" : "no");
    square<<<1, 32>>>(x);
    while (cudaStreamQuery(0) == cudaErrorNotReady) asked++;
    x[0] = 1;
    cudaEventDestroy(done);
    cudaFree(x);
}
