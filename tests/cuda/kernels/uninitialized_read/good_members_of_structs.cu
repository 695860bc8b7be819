// kernel: members   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison, points float32[128] poison
// expect: nothing
// check: out == in_ * 15
struct Point { float x, y; };
struct Padded { char tag; double d; unsigned low : 3, high : 5; };
struct Tagged { int tag; union { float number; int bits; }; float rest[3]; };
struct Counter
{
    float sum, last;
    __device__ Counter() { clear(); }
    __device__ void clear() { sum = 0; }
    __device__ void add(float x) { sum += x; }
};
__device__ Point half_of(float x)
{
    Point p;
    p.x = x / 2;
    return p;
}
__device__ float first(Point p, Padded q) { return p.x + float(q.d); }
__device__ void set(float* to, float x) { *to = x; }
__global__ void members(const float* in, float* out, float4* points)
{
    int i = threadIdx.x;
    float x = in[i];
    // Of these, nobody reads the rest.
    Point p = half_of(x), copied;
    copied = p;
    float4 wide;
    wide.x = x;
    points[i] = wide;
    wide = points[i];
    Padded q;
    q.tag = 1, q.d = x, q.low = 2, q.high = 3;
    Padded r = q;
    // Set through an address, by an index, by another member of the union, or by its own functions.
    Tagged t;
    t.number = x;
    int bits = t.bits;
    for (int k = 0; k < 3; ++k)
        t.rest[k] = x;
    Point lent;
    set(&lent.y, x);
    Point walked;
    for (int k = 0; k < 2; ++k)
        (&walked.x)[k] = x;
    Counter counter;
    counter.add(x);
    // Set by those who read it, and in each round before it is read.
    Point some;
    if (i < 16)
        some.x = x;
    float sum = 0;
    for (int k = 0; k < 4; ++k) {
        Point now;
        if (k % 2)
            now.x = x;
        else
            now.y = x;
        sum += k % 2 ? now.x : now.y;
    }
    Point chosen;
    memcpy(&chosen, &walked, i < 40 ? sizeof chosen : 0);
    auto [left, right] = walked;
    auto add = [&](float y) { lent.x = y; };
    add(x);
    out[i] = 2 * copied.x + wide.x + first(p, r) + p.x + (r.low - 2 + r.high - 3) + __int_as_float(bits) + t.rest[i % 3] +
             lent.y + walked.y + counter.sum + (i < 16 ? some.x : x) + sum + lent.x + (chosen.y - left);
}
