// finds: Crash
// launch: grid=1, block=32, args=[numbers("int32", 32), empty_int(32), 0]

// The elements modulo parts.
__global__ void wrap(const int* in, int* out, int parts)
{
    out[threadIdx.x] = in[threadIdx.x] % parts;
}
