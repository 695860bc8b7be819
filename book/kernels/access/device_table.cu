// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), empty(128)]

__device__ float table[128];

// A __device__ array is global memory.
__global__ void device_table(const int* in, float* out)
{
    int i = threadIdx.x + blockDim.x * blockIdx.x;

    table[i] = 2.0f * in[i];
    out[i] = table[i] + 1.0f;
}
