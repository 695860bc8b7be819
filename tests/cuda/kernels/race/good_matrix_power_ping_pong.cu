// kernel: power   grid: 2   block: 8,8
// args: m float64[2x8x8] ones, out float64[2x8x8] poison, k int32 5
// expect: nothing
// check: out == [np.linalg.matrix_power(x, 5) for x in m]
__global__ void power(const double* m, double* out, int k)
{
    __shared__ double base[8][8], product[2][8][8];
    int x = threadIdx.x, y = threadIdx.y, from = 0;
    base[y][x] = m[blockIdx.x * 64 + y * 8 + x];
    product[0][y][x] = x == y;
    __syncthreads();
    for (int r = 0; r < k; r++) {
        double sum = 0;
        for (int i = 0; i < 8; i++) sum += product[from][y][i] * base[i][x];
        product[1 - from][y][x] = sum;
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 64 + y * 8 + x] = product[from][y][x];
}
