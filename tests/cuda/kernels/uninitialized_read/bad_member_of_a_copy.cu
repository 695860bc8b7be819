// kernel: copies   grid: 1   block: 32
// args: in float32[32] random, out float32[32] poison
// expect: UninitializedRead lines=1 array=y space=local
struct Point { float x, y; };
struct Node { Point at; int next; };
__global__ void copies(const float* in, float* out)
{
    Point first;
    first.x = in[threadIdx.x];
    Node second;
    second.at = first;
    float y = second.at.y;
    second.next = 0;
    out[threadIdx.x] = second.at.x + y * second.next;  // (1)
}
