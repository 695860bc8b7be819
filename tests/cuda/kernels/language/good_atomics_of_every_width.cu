// kernel: gather   grid: 2   block: 64
// args: in int64[128] arange, ints int32[8] zeros, longs int64[6] zeros, reals float64[3] zeros, shorts uint16[2] zeros
// expect: nothing
// check: ints == [128, 127, -127, 15, 0, 127, 128, 64]
// check: longs == [in_.sum() * 2**33, 127 * 2**33, -127 * 2**33, 127 * 2**33, 64, 0]
// check: reals == [64, 8128, 0]
// check: shorts == [0, 64]
__global__ void gather(const long long* in, int* ints, long long* longs, double* reals, unsigned short* shorts)
{
    __shared__ int count;
    long long i = in[blockIdx.x * blockDim.x + threadIdx.x], big = i << 33;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd_block(&count, 1);
    atomicAdd(&ints[0], 1);
    atomicMax(&ints[1], (int)i);
    atomicMin_system(&ints[2], (int)-i);
    atomicXor((unsigned*)&ints[3], (unsigned)i < 64u ? 1u << (i % 6) : 0u);
    atomicOr((unsigned*)&ints[5], (unsigned)i);
    atomicSub(&ints[6], -1);
    atomicAdd((unsigned long long*)&longs[0], (unsigned long long)big);
    atomicMax(&longs[1], big);
    atomicMin(&longs[2], -big);
    atomicOr((unsigned long long*)&longs[3], (unsigned long long)big);
    atomicAdd((float*)&reals[2], 0.0f);
    atomicAdd(&reals[0], 0.5);
    atomicAdd_system(&reals[1], (double)i);
    // A lock of two bytes, taken with the one atomic that there is for them.
    for (bool done = false; !done;) {
        if (atomicCAS(&shorts[0], (unsigned short)0, (unsigned short)1) == 0) {
            __threadfence();
            shorts[1] += i % 2;
            __threadfence();
            atomicCAS(&shorts[0], (unsigned short)1, (unsigned short)0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long old = atomicExch((unsigned long long*)&longs[4 + blockIdx.x], 64ull);
        atomicCAS((unsigned long long*)&longs[5], 64ull, old);
        atomicInc((unsigned*)&ints[4], 1u);
        atomicExch(&ints[7], count);
    }
}
