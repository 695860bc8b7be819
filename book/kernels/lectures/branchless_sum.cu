// finds: nothing
// launch: grid=2, block=128, args=[numbers("int32", 1000), zeros("int32", 1), 1000]

// L4's sum of the elements below 50, without a branch for the comparison. s[0] must be 0 before.
__global__ void branchless_sum(const int* a, int* s, int n)
{
    int sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += (a[i] < 50) * a[i];  // a whole number: a float that is infinite would give 0 * infinity, not a number
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(~0u, sum, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(s, sum);
}
