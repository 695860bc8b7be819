// finds: nothing; without barrier 1: Race
// launch: grid=1, block=2, args=[zeros('int32', 1), zeros('int32', 1)]

// Thread 0 stores a number, and thread 1 passes it on.
__global__ void update(int* x, int* y)
{
    int i = threadIdx.x;

    if (i == 0) x[0] = 1;
    __syncthreads();  // barrier 1: the number is there by now
    if (i == 1) y[0] = x[0];
}
