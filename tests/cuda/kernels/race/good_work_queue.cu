// kernel: work   grid: 3   block: 32
// args: next int32[1] zeros, in int32[64] random, out int32[64] poison
// expect: nothing
// check: out == in_ * 2
__global__ void work(int* next, const int* in, int* out)
{
    for (;;) {  // an item belongs to whoever draws its number
        int item = atomicAdd(next, 1);
        if (item >= 64) break;
        out[item] = 2 * in[item];
    }
}
