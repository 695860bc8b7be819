// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=4, block=256, args=[empty_int(1000) * -7, empty_int(4, 10), 1000]

// Counts, for each block, how often each last digit occurs among its elements,
// none of which is negative.
__global__ void count_digits(const int* in, int* counts, int n)
{
    __shared__ int count[10];
    int t = threadIdx.x, i = blockDim.x * blockIdx.x + t;

    if (t < 10) count[t] = 0;
    __syncthreads();  // barrier 1: all ten are 0 before the first thread counts
    if (i < n) atomicAdd(&count[in[i] % 10], 1);
    __syncthreads();  // barrier 2: all threads have counted before the sums are read
    if (t < 10) counts[10 * blockIdx.x + t] = count[t];
}
