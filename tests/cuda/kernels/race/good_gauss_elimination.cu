// kernel: determinant   grid: 1   block: 8,8
// args: m float64[8x8] ones, out float64[1] poison
// expect: nothing
// check: out == [np.linalg.det(m + 7 * np.eye(8))]
__global__ void determinant(const double* m, double* out)
{
    __shared__ double a[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    a[y][x] = m[8 * y + x] + (x == y ? 7.0 : 0.0);
    for (int p = 0; p < 7; p++) {
        __syncthreads();  // the step before is written
        double factor = a[y][p] / a[p][p], pivot = a[p][x];
        __syncthreads();  // column p is read, before it changes
        if (y > p) a[y][x] -= factor * pivot;
    }
    __syncthreads();
    if (x == 0 && y == 0) {
        double product = 1;
        for (int i = 0; i < 8; i++) product *= a[i][i];
        *out = product;
    }
}
