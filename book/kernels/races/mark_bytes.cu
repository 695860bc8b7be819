// finds: nothing
// launch: grid=1, block=64, args=[numbers('int32', 64), zeros('uint8', 64), 64]

// Byte i of marks says whether element i is even. Four threads share a
// word, but no byte.
__global__ void mark_bytes(const int* in, unsigned char* marks, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) marks[i] = in[i] % 2 == 0;
}
