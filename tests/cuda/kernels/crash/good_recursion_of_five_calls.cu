// kernel: walk   grid: 1   block: 64
// args: out int32[64] poison, last int32[1] zeros, deep int32[64] poison
// expect: nothing
// check: out == [325] * 64
// check: deep == [4950] * 64
// Four arrays more than a compiler knows of are the 1,024 bytes that a GPU has; and of the second function, it makes a loop.
__device__ int visit(int node)
{
    int path[64];
    for (int i = 0; i < 64; i++) path[i] = node + i;
    if (node < 4) path[node] += visit(node + 1);
    return path[node] + path[63 - node] - node;
}
__device__ void count(int n, int* sum)
{
    int held[32];
    for (int i = 0; i < 32; i++) held[i] = n;
    *sum += held[n % 32];
    if (n > 0) count(n - 1, sum);
}
__global__ void walk(int* out, int* last, int* deep)
{
    int sum = 0;
    out[threadIdx.x] = visit(*last);
    count(99, &sum);
    deep[threadIdx.x] = sum;
}
