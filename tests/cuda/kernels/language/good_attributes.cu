// kernel: k   grid: 1   block: 32
// args: bytes uint8[160] poison, out float32[32] poison
// expect: nothing
// check: out == np.arange(31, -1, -1) * 2 + 1 + 5 + 16 + 16 + 34
struct __attribute__((__packed__)) Sample {
    unsigned char channel;
    float value;
};
typedef struct {
    float x[3];
} Site __attribute__ ((aligned));
struct Mixed {
    char c;
    int i __attribute__((aligned(8)));
    float f;
} __attribute__((unused));

struct __attribute__((packed, aligned(2))) Wide {
    short s;
    double2 d;
    float4 f;
};

#define INLINE inline __attribute__((always_inline)) __device__
INLINE float doubled(float x) { return 2 * x; }
__device__ __attribute__((noinline)) float twice(float x)
{
    return doubled(x);
}

__global__ void k(unsigned char* bytes, float* out)
{
    __shared__ Sample samples[32];
    __shared__ Wide wides[32];
    Sample* all = (Sample*)bytes;
    int i = threadIdx.x;
    samples[i].channel = i;
    samples[i].value = i;
    __syncthreads();
    all[i] = samples[31 - i];
    volatile __attribute__((unused)) float seen = ((volatile Sample*)all)[i].value;
    Wide wide = {1, make_double2(2, 3), make_float4(4, 5, 6, 7)};
    wides[i] = wide;
    wides[i].d.x += wides[i].f.w;
    all[i].value = twice(all[i].value) + 1;
    out[i] = all[i].value + sizeof(Sample) + alignof(Site) + sizeof(Mixed) + sizeof(Wide);
}
