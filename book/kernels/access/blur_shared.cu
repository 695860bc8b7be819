// finds: nothing
// launch: grid=4, block=64, args=[ramp(256), empty(256), 256]

// Each block loads its elements and one more at each end.
__global__ void blur_shared(const float* in, float* out, int n)
{
    __shared__ float tile[66];
    int t = threadIdx.x, i = t + blockDim.x * blockIdx.x;

    tile[t + 1] = in[i];
    if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
    if (t == 63) tile[65] = i < n - 1 ? in[i + 1] : 0.0f;
    __syncthreads();
    out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
}
