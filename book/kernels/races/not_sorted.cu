// finds: Race
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1), 128]

// *found becomes 1 if any element is larger than the next one.
__global__ void not_sorted(const int* in, int* found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Many threads may get here, and all write the same value.
    if (i + 1 < n && in[i] > in[i + 1]) *found = 1;
}
