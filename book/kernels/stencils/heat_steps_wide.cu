// finds: nothing; without barrier 1: Race
// launch: for steps in (2, 8): grid=2, block=256, args=[numbers('float32', 2000), empty(2000), 2000, steps]

// Several steps in one launch. Each thread keeps four elements in registers, and
// shows its neighbors only the first and the last of them. Blocks have 256 threads;
// n is a multiple of 4, and at least 1024.
__global__ void heat_steps_wide(const float* in, float* out, int n, int steps)
{
    __shared__ float first[2][256], last[2][256];
    int t = threadIdx.x;
    int halo = (steps + 3) / 4 * 4, own = 4 * 256 - 2 * halo;
    int i = own * blockIdx.x - halo + 4 * t;  // the first of this thread's elements

    float4 a = *(const float4*)&in[i + (i < 0 ? n : i < n ? 0 : -n)];
    for (int s = 0; s < steps; ++s) {
        first[s % 2][t] = a.x;
        last[s % 2][t] = a.w;
        __syncthreads();  // barrier 1: the neighbors' elements are there
        float left = last[s % 2][max(t - 1, 0)];
        float right = first[s % 2][min(t + 1, 255)];
        float4 b;
        b.x = 0.5f * a.x + 0.25f * (left + a.y);
        b.y = 0.5f * a.y + 0.25f * (a.x + a.z);
        b.z = 0.5f * a.z + 0.25f * (a.y + a.w);
        b.w = 0.5f * a.w + 0.25f * (a.z + right);
        a = b;
    }
    if (4 * t >= halo && 4 * t < halo + own && i < n)
        *(float4*)&out[i] = a;
}
