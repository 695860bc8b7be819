// finds: nothing
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1), empty_int(2), 128]

struct Found { int value, index; };

// The largest element and where it is. A lock keeps the two together.
__global__ void largest_locked(const int* in, int* lock, Found* found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n;

    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {  // it was free, now it is mine
            __threadfence();  // what the last owner wrote is seen
            if (in[i] > found->value) {
                found->value = in[i];
                found->index = i;
            }
            __threadfence();  // what I wrote is seen before
            atomicExch(lock, 0);
            done = true;
        }
    }
}
