// finds: nothing
// launch: grid=2, block=64, args=[zeros('int32', 1), empty_int(128), 100]

// Adds 1 to *count unless it is limit already; it is never more.
// Returns what was there before.
__device__ int add_up_to(int* count, int limit)
{
    int expected, found = atomicAdd(count, 0);  // a first look
    do {
        expected = found;
        found = atomicCAS(count, expected, min(expected + 1, limit));
    } while (found != expected);  // another thread came between: try again
    return expected;
}

// Each thread wants a seat. There are fewer seats than threads.
__global__ void book_seats(int* taken, int* seat, int seats)
{
    int before = add_up_to(taken, seats);

    seat[blockIdx.x * blockDim.x + threadIdx.x] = before < seats ? before : -1;
}
