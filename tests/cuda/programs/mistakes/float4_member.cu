// line 7: no member named 'b' in 'float4': its members are x, y, z, w
__global__ void luminance(const float4* pixels, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 p = pixels[i];
        out[i] = 0.3f * p.x + 0.59f * p.y + 0.11f * p.b;
    }
}
