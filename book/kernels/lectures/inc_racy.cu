// finds: Race
// launch: grid=2, block=64, args=[zeros('int32', 1)]

// Every thread adds one to the same element, wrongly.
__global__ void inc(int* x)
{
    *x += 1;
}
