// prints: 0 2 4 6, 1 3 5 7
// Registered memory may lie on the stack, on which the program goes on.
#include <cstdio>

__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int deeper(int n) {
    volatile int room[1000];
    room[n] = n;
    return n ? deeper(n - 1) + room[n] - n : 0;
}

int main() {
    int h[3000];
    int other[] = {1, 3, 5, 7};
    for (int i = 0; i < 3000; ++i) h[i] = i % 4;
    if (cudaHostRegister(h, sizeof h, cudaHostRegisterDefault)) return 2;
    twice<<<1, 4>>>(h);
    if (cudaDeviceSynchronize() || deeper(50)) return 3;
    printf("%d %d %d %d, ", h[0], h[1], h[2], h[3]);
    if (cudaHostUnregister(h) || deeper(50)) return 4;
    printf("%d %d %d %d\n", other[0], other[1], other[2], other[3]);
}
