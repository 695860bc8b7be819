// kernel: set   grid: 1   block: 5
// args: out float32[5] poison
// expect: OutOfBounds lines=1 array=weights action=write
__constant__ float weights[5] = {1, 2, 3, 4, 5};
__global__ void set(float* out)
{
    float* w = const_cast<float*>(weights);
    w[threadIdx.x] = 0.0f;                        // (1)
    out[threadIdx.x] = weights[threadIdx.x];
}
