// finds: Race
// launch: grid=2, block=32, args=[zeros("int32", 1)]

// Counts the threads.
__global__ void count_threads(int* count)
{
    *count += 1;
}
