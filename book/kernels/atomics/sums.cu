// finds: nothing
// launch: grid=2, block=64, args=[ramp(128) / 7, zeros('float32', 1), zeros('uint64', 1), 128]

// The same sum twice: of floats, and of whole numbers of 1 / 65536.
__global__ void sums(const float* in, float* sum, unsigned long long* whole,
                     int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        atomicAdd(sum, in[i]);
        // A negative one goes round the end of the unsigned numbers,
        // and the sum is right.
        atomicAdd(whole, (unsigned long long)__float2ll_rn(in[i] * 65536.0f));
    }
}
