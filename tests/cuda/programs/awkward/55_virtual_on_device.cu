#include <cstdio>
#include <cstdlib>
#include <new>

// Virtual functions on the device: objects are made there, in a kernel, and destroyed there.

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual const char *name() const { return "shape"; }
    __device__ virtual ~Shape() {}
};

struct Circle : Shape {
    float r;
    __device__ explicit Circle(float r) : r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
    __device__ const char *name() const override { return "circle"; }
};

class Box : public Shape {
    float w, h;
    int *destroyed;

public:
    __device__ Box(float w, float h, int *destroyed) : w(w), h(h), destroyed(destroyed) {}
    __device__ ~Box() override { atomicAdd(destroyed, 1); }
    __device__ float area() const final { return w * h; }
};

struct alignas(16) Slot { unsigned char bytes[48]; };
static_assert(sizeof(Circle) <= sizeof(Slot) && sizeof(Box) <= sizeof(Slot));

__global__ void build(Slot *slots, Shape **shapes, int *destroyed)
{
    const int i = threadIdx.x;
    void *place = slots + i;
    if (i % 2 == 0)
        shapes[i] = new (place) Circle(static_cast<float>(i));
    else
        shapes[i] = ::new (place) Box{2.0f, static_cast<float>(i), destroyed};
}

__global__ void areas(Shape *const *shapes, float *out)
{
    const Shape &s = *shapes[threadIdx.x];
    out[threadIdx.x] = s.area() + static_cast<float>(s.name()[0] - 'a') * 100;
}

__global__ void destroy(Shape **shapes) { shapes[threadIdx.x]->~Shape(); }

__global__ void on_the_stack_and_heap(float *out, int *destroyed)
{
    Box box(3, 4, destroyed);
    Shape *list[2] = {&box, new Circle(2)};
    float sum = 0;
    for (Shape *s : list) sum += s->area();
    sum += box.Shape::name()[0];
    delete list[1];
    *out = sum;
}

void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

int main()
{
    constexpr int n = 6;
    Slot *slots;
    Shape **shapes;
    float *out, h[n];
    int *destroyed, count;
    check(cudaMalloc(&slots, n * sizeof(Slot)), "slots");
    check(cudaMalloc(&shapes, n * sizeof(Shape *)), "shapes");
    check(cudaMalloc(&out, n * sizeof(float)), "out");
    check(cudaMalloc(&destroyed, sizeof(int)), "destroyed");
    check(cudaMemset(destroyed, 0, sizeof(int)), "memset");
    build<<<1, n>>>(slots, shapes, destroyed);
    check(cudaGetLastError(), "build");
    areas<<<1, n>>>(shapes, out);
    check(cudaGetLastError(), "areas");
    check(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost), "copy");
    for (float v : h) printf("%g ", v);
    destroy<<<1, n>>>(shapes);
    check(cudaGetLastError(), "destroy");
    on_the_stack_and_heap<<<1, 1>>>(out, destroyed);
    check(cudaGetLastError(), "stack");
    check(cudaDeviceSynchronize(), "sync");
    check(cudaMemcpy(h, out, sizeof(float), cudaMemcpyDeviceToHost), "copy");
    check(cudaMemcpy(&count, destroyed, sizeof count, cudaMemcpyDeviceToHost), "copy");
    printf("| %g | %d destroyed\n", h[0], count);
    check(cudaFree(slots), "free");
    check(cudaFree(shapes), "free");
    check(cudaFree(out), "free");
    check(cudaFree(destroyed), "free");
    return 0;
}
