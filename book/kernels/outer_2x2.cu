// finds: nothing
// launch: grid=1, block=(4, 4), args=[ramp(8), ramp(8), empty(8, 8)]

// C[i][j] = a[i] * b[j]; each thread makes a square of 2 x 2 elements of C.
__global__ void outer_2x2(const float* a, const float* b, float* C)
{
    int row = 2 * threadIdx.y, col = 2 * threadIdx.x;
    float a0 = a[row], a1 = a[row + 1];  // load a
    float b0 = b[col], b1 = b[col + 1];  // load b

    // Four loads make four products: each value is used twice, from a register.
    C[8 * row + col] = a0 * b0;
    C[8 * row + col + 1] = a0 * b1;
    C[8 * (row + 1) + col] = a1 * b0;
    C[8 * (row + 1) + col + 1] = a1 * b1;
}
