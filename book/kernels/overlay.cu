// finds: nothing; without barrier 1: Race; without barrier 2: Race; without barrier 3: Race
// launch: grid=1, block=64, args=[numbers("int32", 64), ramp(64), empty(64)]

// Two arrays that are never needed at the same time lie in the same 256 bytes.
__global__ void overlay(const int* rank, const float* value, float* out)
{
    __shared__ union {
        int rank[64];
        float value[64];
    } buffer;
    int t = threadIdx.x, other = 63 - t;

    buffer.rank[t] = rank[t];
    __syncthreads();  // barrier 1: all ranks have been written, now they may be read
    int factor = buffer.rank[other];
    __syncthreads();  // barrier 2: all ranks have been read, now values may follow
    buffer.value[t] = value[t];
    __syncthreads();  // barrier 3: all values have been written, now they may be read
    out[t] = factor * buffer.value[other];
}
