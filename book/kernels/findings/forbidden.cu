// finds: ForbiddenCode
// launch: grid=1, block=32, args=[empty_int(32)]

// Asks the GPU which lane this is, in its own language.
__global__ void lanes(int* out)
{
    int lane;

    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[threadIdx.x] = lane;
}
