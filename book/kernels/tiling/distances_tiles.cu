// finds: nothing; without barrier 1: Race; without barrier 2: Race
// launch: grid=(4, 2), block=(16, 16), args=[numbers('float32', 32, 48), numbers('float32', 64, 48), empty(32, 64), 32, 64, 48]

// The same. A block compares 16 points of P with 16 points of Q,
// 16 coordinates at a time.
__global__ void distances_tiles(
    const float* P, const float* Q, float* out,
    int count_P, int count_Q, int dims)
{
    __shared__ float from_P[16][16];  // [point][coordinate]
    __shared__ float from_Q[16][17];  // the same; why 17: see the chapter on banks
    int x = threadIdx.x, y = threadIdx.y;
    int p = 16 * blockIdx.y + y;  // the point of P that it loads
    int q = 16 * blockIdx.x + y;  // the point of Q that it loads
    int j = 16 * blockIdx.x + x;  // the point of Q that it compares
    float sum = 0.0f;

    for (int d = 0; d < dims; d += 16) {
        int c = d + x;  // the coordinate that it loads
        from_P[y][x] = p < count_P && c < dims
            ? P[p * dims + c] : 0.0f;  // load P
        from_Q[y][x] = q < count_Q && c < dims
            ? Q[q * dims + c] : 0.0f;  // load Q
        __syncthreads();  // barrier 1: both tiles are whole
        for (int k = 0; k < 16; ++k) {
            float step = from_P[y][k] - from_Q[x][k];
            sum += step * step;
        }
        __syncthreads();  // barrier 2: nobody needs these any more
    }
    if (p < count_P && j < count_Q)
        out[p * count_Q + j] = sum;  // store
}
