// kernel: copy   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: nothing
// check: out == in_ * 4
struct Padded { double d; float f; };
struct alignas(16) Point { float x, y, z; };
struct Tagged { int tag; union { float number; double numbers[4]; }; };
__global__ void copy(const float* in, float* out)
{
    __shared__ Padded padded[32];
    __shared__ Point points[32];
    __shared__ Tagged tagged[32];
    int i = threadIdx.x;
    padded[i].d = padded[i].f = points[i].x = points[i].y = points[i].z = tagged[i].number = in[i];
    tagged[i].tag = 1;
    Padded a = padded[i];
    Point b = points[i];
    Tagged c = tagged[i];
    padded[i] = a;
    out[i] = (float(padded[i].d) + a.f) + (b.x + b.y) + 0 * (b.z + c.number) + (c.tag - 1);
}
