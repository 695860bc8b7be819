// finds: nothing
// launch: grid=2, block=1, args=[zeros('int32', 1), zeros('int32', 1), zeros('int32', 1)]

// Block 0 leaves a message and raises a flag. Block 1 waits for the flag.
__global__ void message(int* text, int* flag, int* out)
{
    if (blockIdx.x == 0) {
        *text = 42;
        __threadfence();      // the message is there before the flag
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();      // the flag was seen before the message is read
        *out = *text;
    }
}
