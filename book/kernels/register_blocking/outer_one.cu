// finds: nothing
// launch: grid=1, block=(8, 8), args=[ramp(8), ramp(8), empty(8, 8)]

// C[i][j] = a[i] * b[j]; each thread makes one element of C.
__global__ void outer_one(const float* a, const float* b, float* C)
{
    int row = threadIdx.y, col = threadIdx.x;
    C[8 * row + col] = a[row] * b[col];
}
