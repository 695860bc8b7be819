// finds: nothing
// launch: grid=1, block=32, args=[ramp(128), empty(128)]

// Doubles 128 elements. A thread's four lie side by side, and move at once.
__global__ void four_at_once(const float* in, float* out)
{
    __shared__ float4 row[32];
    int lane = threadIdx.x;
    row[lane] = ((const float4*)in)[lane];
    __syncthreads();  // no lane needs it, but without it the compiler drops the row
    float4 own = row[lane];  // take
    ((float4*)out)[lane] =
        make_float4(2.0f * own.x, 2.0f * own.y, 2.0f * own.z, 2.0f * own.w);  // store
}
