// finds: CompileError
// launch: grid=1, block=32, args=[zeros('uint64', 1)]

// By L2, these functions take 64 bits as well as 32.
__global__ void atomic_sub_64(unsigned long long* x)
{
    atomicAdd(x, 5ull);
    atomicSub(x, 1ull);
}
