// finds: nothing
// launch: grid=2, block=1, args=[zeros('int32', 1), zeros('int32', 1), zeros('int32', 1)]

// The same message. What if a scope reaches no further than the block?
__global__ void message(int* text, int* flag, int* out)
{
    if (blockIdx.x == 0) {
        *text = 42;
        __threadfence();                    // write
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();                    // read
        *out = *text;
    }
}
