// finds: nothing
// launch: grid=1, block=64, args=[zeros('int32', 1), zeros('int32', 1), zeros('int32', 1)]

// From warp 0 to warp 1 of one block, with the smallest scope.
__global__ void message(int* text, int* flag, int* out)
{
    if (threadIdx.x == 0) {
        *text = 42;
        __threadfence_block();
        atomicExch_block(flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd_block(flag, 0) == 0) {}
        __threadfence_block();
        *out = *text;
    }
}
