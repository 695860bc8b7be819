#include <cstddef>
#include <cstdio>
#include <cstdlib>

typedef float real, *real_ptr, matrix_t[3][4];
typedef const real *const_real_ptr;
using Row = real[4];
using Rows = Row *;
using Index = decltype(sizeof 0);
typedef void kernel_t(real_ptr, const_real_ptr, Index);
typedef real (*Function)(real);
template <typename T> using Ptr = T *;
template <typename T, std::size_t N> using ArrayPtr = T (*)[N];

__global__ void add(real_ptr a, const_real_ptr b, Index n)
{
    const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}

// Arrays by parameter: of no size, of a size, of two dimensions, of a typedef.
__global__ void rows(real out[], const real in[12], real m[][4], Row *again, const matrix_t same)
{
    const int i = threadIdx.x / 4, j = threadIdx.x % 4;
    out[threadIdx.x] = in[threadIdx.x] + m[i][j] + again[i][j] + same[i][j];
}

__global__ void row_pointer(real (*const m)[4], ArrayPtr<real, 12> flat, Ptr<Ptr<real>> table)
{
    (*flat)[threadIdx.x] = m[2][threadIdx.x % 4] * 2;
    table[threadIdx.x % 3][threadIdx.x / 3] += 1;
}

__global__ void make_table(real *const base, real **table) { table[threadIdx.x] = base + 4 * threadIdx.x; }

__global__ void three_d(int (*cube)[2][3], unsigned char const volatile *flags)
{
    const uint3 where = threadIdx;
    const auto [x, y, z] = where;
    cube[z][y][x] = static_cast<int>(100 * z + 10 * y + x) + flags[x];
}

#define OK(e) if ((e) != cudaSuccess) return printf("failed at line %d\n", __LINE__), EXIT_FAILURE

int main()
{
    real h[3][4];
    matrix_t out;
    for (int k = 0; k < 12; ++k) h[k / 4][k % 4] = real(k);
    real_ptr a, b;
    Rows m;
    Ptr<real_ptr> table;
    OK(cudaMalloc(&a, sizeof h));
    OK(cudaMalloc(&b, sizeof h));
    OK(cudaMalloc(&m, sizeof(matrix_t)));
    OK(cudaMalloc(&table, 3 * sizeof(real *)));
    OK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(m, h, sizeof h, cudaMemcpyHostToDevice));

    rows<<<1, 12>>>(b, a, m, m, m);
    OK(cudaGetLastError());
    kernel_t *const pointer = add;
    pointer<<<2, 6>>>(a, b, 12);
    OK(cudaGetLastError());
    OK(cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost));
    printf("%g %g %g\n", out[0][1], out[1][3], out[2][3]);

    make_table<<<1, 3>>>(a, table);
    OK(cudaGetLastError());
    row_pointer<<<1, 12>>>(m, reinterpret_cast<ArrayPtr<real, 12>>(b), table);
    OK(cudaGetLastError());
    OK(cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost));
    printf("%g %g %g\n", out[0][0], out[1][3], out[2][2]);
    OK(cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost));
    printf("%g %g %g\n", out[0][1], out[1][3], out[2][3]);

    int (*cube)[2][3], cubes[2][2][3];
    unsigned char *flags, three[] = {1, 2, 3};
    OK(cudaMalloc(&cube, sizeof cubes));
    OK(cudaMalloc(&flags, sizeof three));
    OK(cudaMemcpy(flags, three, sizeof three, cudaMemcpyHostToDevice));
    three_d<<<1, dim3(3, 2, 2)>>>(cube, flags);
    OK(cudaGetLastError());
    OK(cudaMemcpy(cubes, cube, sizeof cubes, cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", cubes[0][0][0], cubes[0][1][2], cubes[1][1][2]);
    OK(cudaFree(flags));
    OK(cudaFree(cube));
    OK(cudaFree(table));
    OK(cudaFree(m));
    OK(cudaFree(b));
    OK(cudaFree(a));
    return 0;
}
