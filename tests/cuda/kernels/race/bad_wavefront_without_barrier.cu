// kernel: longest_common   grid: 1   block: 32
// args: a int32[32] random, b int32[32] random, out int32[1] poison
// expect: Race lines=1,1 array=length
__global__ void longest_common(const int* a, const int* b, int* out)
{
    __shared__ int length[33][33];
    int t = threadIdx.x;
    length[0][t + 1] = length[t + 1][0] = 0;
    if (t == 0) length[0][0] = 0;
    __syncthreads();
    for (int d = 0; d < 63; d++) {
        int i = t, j = d - t;
        if (j >= 0 && j < 32)
            length[i + 1][j + 1] = a[i] % 4 == b[j] % 4 ? length[i][j] + 1 : max(length[i][j + 1], length[i + 1][j]); // (1)
    }
    __syncthreads();
    if (t == 0) *out = length[32][32];
}
