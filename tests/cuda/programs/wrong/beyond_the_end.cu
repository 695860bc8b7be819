// finds: Crash, line 15
// says: The launch ended with an error: an access goes beyond what malloc or new has returned.
__global__ void sums(int* out, int n)
{
    int* numbers = new int[n];
    for (int i = 0; i <= n; i++) numbers[i] = i;
    *out = numbers[n - 1];
    delete[] numbers;
}

int main()
{
    int* out;
    if (cudaMalloc(&out, sizeof *out)) return 1;
    sums<<<1, 1>>>(out, 5);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(out);
}
