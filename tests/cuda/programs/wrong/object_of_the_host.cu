// finds: Crash, line 22
// says: a virtual function was called of an object that no kernel has constructed
struct Shape {
    __host__ __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
    float side;
    __host__ __device__ Square(float side) : side(side) {}
    __host__ __device__ float area() const override { return side * side; }
};

__global__ void measure(const Shape* shape, float* out) { *out = shape->area(); }

int main()
{
    Square square(3), *copy;
    float* out;
    if (cudaMalloc(&copy, sizeof square) || cudaMalloc(&out, sizeof *out)) return 1;
    cudaMemcpy(copy, &square, sizeof square, cudaMemcpyHostToDevice);
    if (cudaDeviceSynchronize()) return 1;
    // The copy still points to the table of the host's class.
    measure<<<1, 1>>>(copy, out);
    if (cudaDeviceSynchronize()) return 1;
    cudaFree(copy);
    cudaFree(out);
}
