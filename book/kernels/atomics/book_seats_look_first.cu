// finds: nothing
// launch: grid=2, block=64, args=[zeros('int32', 1), empty_int(128), 100]

// Each thread wants a seat. Two atomics, and others can come between
// the one and the other.
__global__ void book_seats(int* taken, int* seat, int seats)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    seat[i] = atomicAdd(taken, 0) < seats ? atomicAdd(taken, 1) : -1;
}
