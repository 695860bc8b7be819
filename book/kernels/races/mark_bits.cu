// finds: Race
// launch: grid=1, block=64, args=[numbers('int32', 64), zeros('uint8', 8), 64]

// Bit i of marks says whether element i is even, wrongly: eight threads
// share a byte.
__global__ void mark_bits(const int* in, unsigned char* marks, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] % 2 == 0) marks[i / 8] |= 1 << i % 8;
}
