// finds: Race
// launch: grid=2, block=64, args=[zeros('int32', 1)]

// Every thread of every block adds one, but each addition is atomic
// only for the threads of its own block.
__global__ void count_block_scope(int* count)
{
    atomicAdd_block(count, 1);
}
