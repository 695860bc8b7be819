// kernel: both   grid: 1   block: 1
// args: in float32[64] random, out float32[64] poison, at int32 4
// expect: nothing
// check: out == np.concatenate([in_[1:9], in_[8:16], np.zeros(48)])
struct Free { float v[8]; };
struct alignas(16) Bound { float v[8]; };
#define COPY_BOTH(k) { *(Free*)&t[k] = *(Free*)&s[k + 1 - 4]; *(Bound*)&t[k + 8] = *(Bound*)&s[k + 4]; }
__global__ void both(const float* in, float* out, int at)
{
    __shared__ float s[64], t[64];
    for (int i = 0; i < 64; i++) s[i] = in[i];
    COPY_BOTH(at)
    for (int i = 0; i < 16; i++) out[i] = t[i + 4];
    for (int i = 16; i < 64; i++) out[i] = 0;
}
