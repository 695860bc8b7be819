// finds: nothing
// launch: grid=(2, 2), block=(16, 16), args=[numbers('float32', 32, 32), numbers('float32', 32, 32), empty(32, 32), 32]

// L1: P = M N for matrices of Width x Width, a thread an element.
__global__ void matrix_mul_simple(
    const float* M, const float* N, float* P, int Width)
{
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;

    if (Row < Width && Col < Width) {
        float Pvalue = 0.0f;
        for (int k = 0; k < Width; ++k) {
            float m = M[Row * Width + k];  // load M
            float n = N[k * Width + Col];  // load N
            Pvalue += m * n;
        }
        P[Row * Width + Col] = Pvalue;  // store
    }
}
