// kernel: relay   grid: 3   block: 32
// args: turn int32[1] zeros, data int32[3] zeros, out int32[1] poison
// expect: nothing
// check: out == [1 + 10 + 100]
__global__ void relay(int* turn, int* data, int* out)
{
    int b = blockIdx.x;
    if (threadIdx.x > 0) return;
    while (atomicAdd(turn, 0) != b) {}
    __threadfence();
    data[b] = b == 0 ? 1 : b == 1 ? 10 : 100;
    if (b == 2) *out = data[0] + data[1] + data[2];  // block 0's by way of block 1
    __threadfence();
    atomicAdd(turn, 1);
}
