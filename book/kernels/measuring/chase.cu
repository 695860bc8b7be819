// finds: nothing
// launch: grid=1, block=1, args=[shuffled(1000), 100, empty_int(1), zeros("int64", 1)]

// Follows a chain through global memory, where next[at] says what to load next: no load can begin before the one
// before it is back. cycles: what all of them took.
__global__ void chase(const int* next, int loads, int* end, long long* cycles)
{
    int at = 0;
    long long begin = clock64();
    #pragma unroll 16
    for (int i = 0; i < loads; ++i) at = next[at];
    *cycles = clock64() - begin;
    *end = at;  // so that the compiler needs the loads
}
