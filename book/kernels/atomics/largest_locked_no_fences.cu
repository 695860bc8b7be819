// finds: Race
// launch: grid=2, block=64, args=[numbers('int32', 128), zeros('int32', 1), empty_int(2), 128]

struct Found { int value, index; };

// The same without the fences: the lock is taken in turn, but what it
// guards may be seen late.
__global__ void largest_locked(const int* in, int* lock, Found* found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = i >= n;

    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {  // it was free, now it is mine
            if (in[i] > found->value) {
                found->value = in[i];
                found->index = i;
            }
            atomicExch(lock, 0);
            done = true;
        }
    }
}
