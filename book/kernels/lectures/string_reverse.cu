// finds: nothing
// launch: grid=1, block=256, args=[numbers("int8", 200), 200]

// L2's string reverse, in place, for n up to 1024 and a block of at least n threads.
__global__ void string_reverse(char* text, int n)
{
    __shared__ char turned[1024];
    int i = threadIdx.x;

    if (i < n) turned[n - 1 - i] = text[i];
    __syncthreads();  // all have been read before any is overwritten
    if (i < n) text[i] = turned[i];
}
