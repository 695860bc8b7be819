// finds: Crash, line 8
// says: free or delete takes an address that neither malloc nor new has returned
__global__ void drop(int* x) { delete[] x; }
int main()
{
    int* x;
    if (cudaMalloc(&x, 100)) return 1;
    drop<<<1, 1>>>(x);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(x);
}
