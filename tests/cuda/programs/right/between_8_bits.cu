// prints: 0x25 0x42 0.203125 3, 448 57344, infinite 1
// Numbers of 8 bits in both halves of a program.
#include <cuda_fp8.h>

#include <cstdio>

__global__ void narrow(const float* in, __nv_fp8_e4m3* out) { out[threadIdx.x] = __nv_fp8_e4m3(in[threadIdx.x]); }

int main() {
    float host[2] = {0.2f, 1e9f}, *in;
    __nv_fp8_e4m3 numbers[2], *out;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof numbers);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    narrow<<<1, 2>>>(in, out);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    __nv_fp8_e5m2 three(3.0f), large(1e9f);
    __nv_fp8_storage_t beyond = __nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, __NV_E5M2);
    printf("0x%x 0x%x %g %g, %g %g, infinite %d\n", numbers[0].__x, three.__x, float(numbers[0]), float(three),
           float(numbers[1]), float(large), __hisinf(__nv_cvt_fp8_to_halfraw(beyond, __NV_E5M2)));
    cudaFree(in);
    cudaFree(out);
}
