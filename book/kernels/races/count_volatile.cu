// finds: Race
// launch: grid=1, block=64, args=[zeros('int32', 1)]

// Every thread adds one to the same element, wrongly: volatile makes
// both accesses happen, and another thread may still come between.
__global__ void count_volatile(volatile int* x)
{
    *x = *x + 1;
}
