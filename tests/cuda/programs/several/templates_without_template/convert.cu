#include "convert.cuh"

template <class T>
__global__ void convert(T* out) {
    Convert<T> c;
    const Convert<T>* p = &c;
    out[threadIdx.x] = twice<T>(5) + c.shifted<1>(p->shifted<2>(0)) + p->shifted(1, 2);
}

int converted() {
    int *out, result;
    cudaMalloc(&out, sizeof(int));
    convert<<<1, 1>>>(out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    return result;
}
