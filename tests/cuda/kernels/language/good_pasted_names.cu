// kernel: halve   grid: 1   block: 8
// args: in uint8[32] arange, out uint8[32] poison, count int32[1] poison
// expect: nothing
// check: out == np.where(np.arange(32) % 4 == 3, 9, in_ // 2)
// check: count == 6
// Names that a macro puts together from what others give it; and a function that is called like one for textures.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define CHANNELS 4
#define PIXEL uchar
#define Vector JOIN(PIXEL, CHANNELS)
#define value_of(image) JOIN_(image, _p)[i]
#define TWICE(x)                    \
    int JOIN(line_, __LINE__) = 0;  \
    for (int n = 0; n < 2; n++, JOIN(line_, __LINE__)++) x

__device__ int tex2D(int x) { return x / 2; }

__global__ void halve(const Vector* in_p, Vector* out_p, int* count)
{
    int i = threadIdx.x, sum = 0;
    Vector pixel = value_of(in);
    pixel.x = tex2D(pixel.x), pixel.y = tex2D(pixel.y), pixel.z = tex2D(pixel.z), pixel.w = 9;
    value_of(out) = pixel;
    TWICE(sum += 3);
    if (i == 0) *count = sum;
}
