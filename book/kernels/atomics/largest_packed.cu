// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('uint64', 1), 128]

// The largest element and where it is, as one number: the value in the
// upper half, the index in the lower one.
__global__ void largest_packed(const int* in, unsigned long long* found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // Values are not negative.
    if (i < n) atomicMax(found, (unsigned long long)in[i] << 32 | i);
}
