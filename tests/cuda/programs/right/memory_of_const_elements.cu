// prints: 6
// The host owns memory that it sees as constant.
#include <cstdio>

__global__ void twice(const float *in, float *out) { *out = 2 * *in; }

int main()
{
    const float *in;
    float *out, three = 3, six;
    if (cudaMalloc(&in, sizeof three) || cudaMalloc(&out, sizeof six)) return 1;
    cudaMemcpy((void *)in, &three, sizeof three, cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(in, out);
    if (cudaGetLastError()) return 1;
    cudaMemcpy(&six, out, sizeof six, cudaMemcpyDeviceToHost);
    printf("%g\n", six);
    cudaFree((void *)in);
    cudaFree(out);
}
