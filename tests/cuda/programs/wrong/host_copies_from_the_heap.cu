// finds: CopyOutOfBounds, line 10
__global__ void make(int** out) { *out = new int[4]{1, 2, 3, 4}; }
int main()
{
    int **out, *made, numbers[4];
    if (cudaMalloc(&out, sizeof made)) return 1;
    make<<<1, 1>>>(out);
    if (cudaMemcpy(&made, out, sizeof made, cudaMemcpyDeviceToHost)) return 1;
    cudaFree(out);
    if (cudaMemcpy(numbers, made, sizeof numbers, cudaMemcpyDeviceToHost)) return 1;
}
