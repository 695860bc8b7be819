// finds: UninitializedRead, line 15
__global__ void count(int* out, int n)
{
    int* counts = (int*)malloc(10 * sizeof(int));
    for (int i = 0; i < n; i++) counts[i % 7]++;
    *out = counts[0];
    free(counts);
}

int main()
{
    int* out;
    if (cudaMalloc(&out, sizeof *out)) return 1;
    // Nobody writes the counts before they are read.
    count<<<1, 1>>>(out, 20);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(out);
}
