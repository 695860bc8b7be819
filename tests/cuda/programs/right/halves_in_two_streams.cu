// prints: 496 and 1520
// Two streams use the same arrays, each its own half, or every second element; both read the third array.
#include <cstdio>

__global__ void halves(const unsigned char* in, const int* one, int* out, unsigned char* small) {
    int i = threadIdx.x;
    out[i] = in[i] * *one;
    small[i] = in[i];
}
__global__ void every_second(int* x) { x[2 * threadIdx.x] += 0; }

int main() {
    unsigned char host[64], *in, *small;
    int one = 1, sums[2] = {}, result[64], *factor, *out;
    for (int i = 0; i < 64; i++) host[i] = (unsigned char)i;
    cudaMalloc(&in, 64), cudaMalloc(&small, 66), cudaMalloc(&factor, sizeof one), cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, host, 64, cudaMemcpyHostToDevice);
    cudaMemcpy(factor, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    // The halves of `small` meet within four bytes.
    halves<<<1, 32, 0, a>>>(in, factor, out, small + 1);
    halves<<<1, 32, 0, b>>>(in + 32, factor, out + 32, small + 33);
    cudaDeviceSynchronize();
    every_second<<<1, 32, 0, a>>>(out);
    every_second<<<1, 32, 0, b>>>(out + 1);
    if (cudaDeviceSynchronize()) return 1;
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) sums[i / 32] += result[i];
    printf("%d and %d\n", sums[0], sums[1]);
    cudaStreamDestroy(a), cudaStreamDestroy(b);
    cudaFree(in), cudaFree(small), cudaFree(factor), cudaFree(out);
}
