// finds: nothing
// launch: grid=1, block=200, args=[numbers("int32", 200), 200], shared_mem=800

// L4's reversal with dynamic shared memory: one block of n threads, n * sizeof(int) bytes.
__global__ void dynamic_reverse(int* d, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x;

    s[t] = d[t];
    __syncthreads();  // all threads have loaded
    d[t] = s[n - 1 - t];
}
