// finds: PartlyCopied, line 18
// says: evaluate reads zero in coefficients[7] and 5 more elements, since cudaMemcpyToSymbol has copied only the first
// says: 8 of the 32 bytes of coefficients
// says: The size is in bytes
__constant__ float coefficients[8];

__global__ void evaluate(const float* x, float* y) {
    float sum = 0;
    for (int i = 7; i >= 0; i--) sum = sum * x[threadIdx.x] + coefficients[i];
    y[threadIdx.x] = sum;
}

int main() {
    float c[8] = {1, 1, 1, 1, 1, 1, 1, 1}, h[32] = {}, *x, *y;
    cudaMalloc(&x, sizeof(h));
    cudaMalloc(&y, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(coefficients, c, 8);
    evaluate<<<1, 32>>>(x, y);
    cudaMemcpy(h, y, sizeof(h), cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
}
