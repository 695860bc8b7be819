// finds: WrongDirection, line 5
int main() {
    int host[4] = {}, *x;
    cudaMalloc(&x, sizeof host);
    cudaError_t error = cudaMemcpy(x, host, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return error != cudaSuccess;
}
