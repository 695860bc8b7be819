// finds: Leak, line 5
__global__ void add_one(int* x) { ++*x; }
int main() {
    int *x, value = 1;
    cudaMalloc(&x, sizeof(int));
    cudaMemcpy(x, &value, sizeof(int), cudaMemcpyHostToDevice);
    add_one<<<1, 1>>>(x);
    cudaMemcpy(&value, x, sizeof(int), cudaMemcpyDeviceToHost);
    return cudaDeviceReset() || value != 2;
}
