// prints: 0 2 4 6, 1 registered before, 8 10 12 14
// Memory of the host's own, registered: kernels use it where it lies, by either address.
#include <cstdio>
#include <cstdlib>

__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
    static int h[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int* mapped;
    if (cudaHostRegister(h, sizeof(h), cudaHostRegisterMapped)) return 2;
    bool again = cudaHostRegister(h + 4, 4, cudaHostRegisterDefault) == cudaErrorHostMemoryAlreadyRegistered;
    cudaGetLastError();
    if (cudaHostGetDevicePointer(&mapped, h, 0)) return 3;
    twice<<<1, 4>>>(mapped);
    twice<<<1, 4>>>(h + 4);
    if (cudaDeviceSynchronize() || cudaHostUnregister(h)) return 4;
    printf("%d %d %d %d, %d registered before, ", h[0], h[1], h[2], h[3], again);
    h[4]--;
    printf("%d %d %d %d\n", h[4] + 1, h[5], h[6], h[7]);
    int gone = cudaHostUnregister(h);
    return cudaGetLastError() != cudaErrorHostMemoryNotRegistered || gone == 0;
}
