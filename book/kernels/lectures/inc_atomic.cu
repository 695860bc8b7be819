// finds: nothing
// launch: grid=2, block=64, args=[zeros('int32', 1)]

// Every thread adds one to the same element.
__global__ void inc(int* x)
{
    atomicAdd(x, 1);  // read, add and write as one step
}
