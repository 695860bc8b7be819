// finds: Race
// launch: grid=1, block=2, args=[zeros('int32', 1)]

// Every thread adds one to the same element, wrongly.
__global__ void race(int* x)
{
    ++x[0];
}
