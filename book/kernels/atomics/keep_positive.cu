// finds: nothing
// launch: grid=2, block=64, args=[ramp(128) - 100, empty(128), zeros('int32', 1), 128]

// Puts the positive elements of in side by side into kept, in no
// particular order.
__global__ void keep_positive(const float* in, float* kept, int* next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && in[i] > 0) {
        // What was there before: nobody else gets the same.
        int place = atomicAdd(next, 1);
        kept[place] = in[i];
    }
}
