// finds: Crash
// launch: grid=1, block=4, args=[empty_int(4)]

// How many digits a number has: but nothing ends the recursion.
__device__ int digits(int n)
{
    return 1 + digits(n / 10);
}

__global__ void count_digits(int* out)
{
    out[threadIdx.x] = digits(1000 * threadIdx.x);
}
