// finds: CopyOutOfBounds, line 9
__constant__ float weights[9];
__global__ void use(float* x) { x[threadIdx.x] = weights[threadIdx.x]; }

int main() {
    float h[16] = {}, *x;
    cudaMalloc(&x, 9 * sizeof(float));
    // A 4 x 4 filter for the table of a 3 x 3 one.
    cudaError_t error = cudaMemcpyToSymbol(weights, h, sizeof(h));
    if (error == cudaSuccess) use<<<1, 9>>>(x);
    cudaFree(x);
    return error == cudaErrorInvalidValue ? 1 : 2;
}
