// kernel: both   grid: 1   block: 1
// args: in float32[64] random, out float32[64] poison, at int32 1
// expect: MisalignedAccess lines=1 address_mod=4 array=s action=read
struct Free { float v[8]; };
struct alignas(16) Bound { float v[8]; };
#define COPY_BOTH(k) { *(Free*)&t[k] = *(Free*)&s[k]; *(Bound*)&t[k + 8] = *(Bound*)&s[k + 8]; }
__global__ void both(const float* in, float* out, int at)
{
    __shared__ float s[64], t[64];
    for (int i = 0; i < 64; i++) s[i] = in[i];
    COPY_BOTH(at) // (1)
    for (int i = 0; i < 16; i++) out[i] = t[i + 1];
}
