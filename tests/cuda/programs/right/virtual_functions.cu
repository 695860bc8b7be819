// prints: 12 18 2.25 100; 111 1007 1014 111; 2 destroyed
#include <cstdio>
#include <new>

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float side;
    __device__ Square(float side) : side(side) {}
    __device__ float area() const override { return side * side; }
};
class Box : public Square {
    float height;
    int* destroyed;

public:
    __device__ Box(float side, float height, int* destroyed) : Square(side), height(height), destroyed(destroyed) {}
    __device__ ~Box() override { atomicAdd(destroyed, 1); }
    __device__ float area() const final { return Square::area() * height; }
};

// Two bases with tables of their own, and a base that two share.
struct Counted {
    int count;
    __device__ virtual int counted() const { return count; }
};
struct Named {
    int id;
    __device__ virtual int named() const { return id; }
};
struct Both : Counted, Named {
    __device__ Both(int count, int id) : Counted{}, Named{} { this->count = count, this->id = id; }
    __device__ int named() const override { return 100 + id + count; }
};
struct Base {
    int b;
    __device__ explicit Base(int b) : b(b) {}
    __device__ virtual int get() const { return b; }
};
struct Left : virtual Base {
    __device__ Left() : Base(1) {}
};
struct Right : virtual Base {
    __device__ Right() : Base(1) {}
    __device__ int get() const override { return 1000 + b; }
};
struct Diamond : Left, Right {
    __device__ Diamond() : Base(7) {}
};

__global__ void make(Shape** shapes, void* place, int* destroyed)
{
    shapes[0] = new Box(2, 3, destroyed);
    shapes[1] = new (place) Box(3, 2, destroyed);
    shapes[2] = new Square(1.5);
    shapes[3] = new Square(10);
}
__global__ void measure(Shape* const* shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void drop(Shape** shapes)
{
    if (threadIdx.x == 1) shapes[1]->~Shape();
    else delete shapes[threadIdx.x];
}

__device__ int get(const Base& base) { return base.get(); }
__device__ int get_and_b(const Left& left) { return left.b + left.get(); }
__global__ void bases(int* out)
{
    Both both(5, 6);
    const Named& named = both;
    Diamond diamond;
    int (Named::*member)() const = &Named::named;
    out[0] = named.named();
    out[1] = get(diamond);
    out[2] = get_and_b(diamond);
    out[3] = (named.*member)();
}

int main()
{
    Shape** shapes;
    void* place;
    float *areas, area[4];
    int *destroyed, count, *numbers, number[4];
    if (cudaMalloc(&shapes, 4 * sizeof *shapes) || cudaMalloc(&place, 64) || cudaMalloc(&areas, sizeof area)) return 1;
    if (cudaMalloc(&destroyed, sizeof count) || cudaMalloc(&numbers, sizeof number)) return 1;
    cudaMemset(destroyed, 0, sizeof count);
    make<<<1, 1>>>(shapes, place, destroyed);
    measure<<<1, 4>>>(shapes, areas);
    drop<<<1, 4>>>(shapes);
    bases<<<1, 1>>>(numbers);
    cudaMemcpy(area, areas, sizeof area, cudaMemcpyDeviceToHost);
    cudaMemcpy(number, numbers, sizeof number, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, destroyed, sizeof count, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g; ", area[0], area[1], area[2], area[3]);
    printf("%d %d %d %d; %d destroyed\n", number[0], number[1], number[2], number[3], count);
    for (void* memory : {(void*)shapes, place, (void*)areas, (void*)destroyed, (void*)numbers}) cudaFree(memory);
    return cudaGetLastError();
}
