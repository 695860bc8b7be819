// finds: nothing
// launch: grid=1, block=32, args=[(ramp(32) % 4).astype('int32'), zeros('int32', 4)]

// Counts how often each of the values 0 to 3 occurs.
__global__ void count_atomic(const int* values, int* counts)
{
    int value = values[threadIdx.x];

    atomicAdd(&counts[value], 1);  // add: in one step
}
