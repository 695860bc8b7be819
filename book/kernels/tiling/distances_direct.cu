// finds: nothing
// launch: grid=(4, 2), block=(16, 16), args=[numbers('float32', 32, 48), numbers('float32', 64, 48), empty(32, 64), 32, 64, 48]

// out[i][j] = the squared distance of point i of P from point j of Q.
// A point has `dims` coordinates.
__global__ void distances_direct(
    const float* P, const float* Q, float* out,
    int count_P, int count_Q, int dims)
{
    int j = 16 * blockIdx.x + threadIdx.x;
    int i = 16 * blockIdx.y + threadIdx.y;
    float sum = 0.0f;

    if (i < count_P && j < count_Q) {
        for (int d = 0; d < dims; ++d) {
            float p = P[i * dims + d];  // load P
            float q = Q[j * dims + d];  // load Q
            sum += (p - q) * (p - q);
        }
        out[i * count_Q + j] = sum;  // store
    }
}
