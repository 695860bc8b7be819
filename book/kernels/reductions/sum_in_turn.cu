// finds: nothing
// launch: grid=1, block=1, args=[ramp(100), empty(1), 100]

// One thread adds up all elements, one after the other.
__global__ void sum_in_turn(const float* in, float* out, int n)
{
    float sum = 0.0f;

    for (int i = 0; i < n; ++i) sum += in[i];
    *out = sum;
}
