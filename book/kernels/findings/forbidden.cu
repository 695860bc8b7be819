// finds: ForbiddenCode
// launch: grid=1, block=32, args=[empty_int(32)]

// Asks the GPU how many multiprocessors it has, in its own language.
__global__ void multiprocessors(int* out)
{
    int number;

    asm("mov.u32 %0, %%nsmid;" : "=r"(number));
    out[threadIdx.x] = number;
}
