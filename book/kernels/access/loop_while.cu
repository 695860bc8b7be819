// finds: nothing
// launch: grid=1, block=64, args=[ramp(64), empty(64)]

// Each lane halves a number until nothing is left of it, and then another one.
__global__ void loop_while(const float* in, float* out)
{
    float sum = 0.0f;

    for (int r = 0; r < 2; ++r) {
        int n = (threadIdx.x + 16 * r) % 32;
        while (n > 0) {
            sum += in[n];
            n /= 2;
        }
    }
    out[threadIdx.x] = sum;
}
