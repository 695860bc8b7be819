// finds: Crash, line 19
// says: free or delete takes memory that was released before
__global__ void sum(int* out)
{
    __shared__ int* numbers;
    if (threadIdx.x == 0) numbers = new int[32];
    __syncthreads();
    numbers[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *out = numbers[31];
    __syncthreads();
    delete[] numbers;
}

int main()
{
    int* out;
    if (cudaMalloc(&out, sizeof *out)) return 1;
    sum<<<1, 32>>>(out);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(out);
}
