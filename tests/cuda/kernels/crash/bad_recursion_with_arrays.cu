// kernel: walk   grid: 1   block: 2
// args: out int32[2] poison
// expect: Crash lines=1 reason=recursion
// A GPU has 1,024 bytes of stack for what no compiler can know.
__device__ int visit(int node)
{
    int path[64]; // (1)
    for (int i = 0; i < 64; i++) path[i] = node + i;
    if (node < 6) path[node] += visit(node + 1);
    return path[node] + path[63 - node];
}
__global__ void walk(int* out)
{
    out[threadIdx.x] = visit(threadIdx.x);
}
