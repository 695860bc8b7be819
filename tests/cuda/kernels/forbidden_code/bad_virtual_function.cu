// kernel: areas   grid: 1   block: 32
// args: out float32[32] poison
// expect: ForbiddenCode lines=1 construct="a virtual function or base" reason=unsupported
struct Shape
{
    __device__ virtual float area() const = 0;
};
struct Square : Shape // (1)
{
    __device__ float area() const override { return 4.0f; }
};
struct Triangle : Shape
{
    __device__ float area() const override { return 3.0f; }
};
__global__ void areas(float* out)
{
    Square square;
    Triangle triangle;
    const Shape* shape = &triangle;
    if (threadIdx.x % 2) shape = &square;
    out[threadIdx.x] = shape->area();
}
