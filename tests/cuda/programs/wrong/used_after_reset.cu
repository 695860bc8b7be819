// finds: UseAfterFree, line 8
int main() {
    int h[32] = {}, *x;
    cudaMalloc(&x, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaDeviceReset();
    // The reset has freed it.
    return cudaMemcpy(h, x, sizeof(h), cudaMemcpyDeviceToHost) == cudaErrorInvalidValue ? 1 : 2;
}
