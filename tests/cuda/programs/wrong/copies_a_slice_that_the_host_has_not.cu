// finds: CopyOutOfBounds, line 14
// The last of three slices begins where the host's block has ended.
#include <stdlib.h>

int main() {
    const int width = 10 * sizeof(float), height = 5, depth = 3;
    float* x = (float*)calloc(2 * height, width);
    cudaPitchedPtr on_gpu;
    cudaMalloc3D(&on_gpu, make_cudaExtent(width, height, depth));
    cudaMemcpy3DParms copy = {};
    copy.dstPtr = on_gpu, copy.srcPtr = make_cudaPitchedPtr(x, width, width, height);
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaFree(on_gpu.ptr);
    free(x);
    return 1;
}
