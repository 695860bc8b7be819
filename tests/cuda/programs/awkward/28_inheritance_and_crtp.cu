#include <cstdio>
#include <cstdlib>

// Static polymorphism on the device: CRTP, mixins, multiple inheritance, using-declarations, inherited constructors.

template <typename Derived>
struct Shape {
    __host__ __device__ float area() const { return self().area_impl(); }
    __host__ __device__ float twice() const { return 2 * self().Derived::area_impl(); }

protected:
    __host__ __device__ const Derived &self() const { return static_cast<const Derived &>(*this); }
    __host__ __device__ float area_impl() const { return -1; }
};

struct Named { char name[8]; };

struct Rectangle : Shape<Rectangle>, Named {
    float w, h;
    __host__ __device__ Rectangle(float w_, float h_) : Named{"rect"}, w(w_), h(h_) {}
    __host__ __device__ float area_impl() const { return w * h; }
};

struct Square : public Rectangle {
    using Rectangle::Rectangle;
    __host__ __device__ explicit Square(float s) : Rectangle(s, s) { name[0] = 's'; }
};

struct Unknown : Shape<Unknown> {
    friend struct Shape<Unknown>;
};

template <typename... Mixins>
struct Stack : Mixins... {
    using Mixins::level...;
    __host__ __device__ explicit Stack(int base) : Mixins(base)... {}
};

template <int N>
struct Level {
    int stored;
    __host__ __device__ explicit Level(int base) : stored(base * N) {}
    __host__ __device__ int level(const char (&)[N]) const { return stored; }
};

struct Base {
    int a = 1;
    struct Inner { int deep = 5; };
    __host__ __device__ int value() const { return a; }
    __host__ __device__ static int shared_rule(int x) { return x + 1000; }
};
struct Left : Base { int b = 2; __host__ __device__ int value() const { return Base::value() * 10 + b; } };
struct Right : private Left {
    int c = 3;
    using Left::shared_rule;
    using Left::Inner;
    __host__ __device__ int value() const { return this->Left::value() * 10 + c; }
};

template <typename S>
__global__ void areas(S shape, float *out)
{
    const Shape<S> &base = shape;
    out[0] = base.area();
    out[1] = base.twice();
}

__global__ void layers(Stack<Level<2>, Level<4>> stack, Right right, int *out)
{
    out[0] = stack.level("a");
    out[1] = stack.level("abc");
    out[2] = right.value();
    out[3] = Right::shared_rule(right.c) + Right::Inner{}.deep;
    Rectangle copy = Square(3);
    out[4] = static_cast<int>(copy.area()) + (copy.name[0] == 's' ? 100 : 0);
}

#define CUDA(call) if (auto status = cuda##call; status != cudaSuccess) { fprintf(stderr, #call ": %s\n", cudaGetErrorString(status)); exit(1); }

template <typename S>
static void show(const char *title, const S &s, float *d)
{
    float h[2];
    areas<<<1, 1>>>(s, d);
    CUDA(GetLastError())
    CUDA(Memcpy(h, d, sizeof h, cudaMemcpyDeviceToHost))
    printf("%s: %g %g (host %g)\n", title, h[0], h[1], s.area());
}

int main()
{
    float *d;
    int *i, h[5];
    CUDA(Malloc(&d, 2 * sizeof(float)))
    CUDA(Malloc(&i, sizeof h))
    show<Rectangle>("rectangle", Rectangle(2, 3.5f), d);
    show<Rectangle>("square", Square(1.5f), d);
    show<Rectangle>("inherited constructor", Square(2, 8), d);
    show("unknown", Unknown{}, d);
    layers<<<1, 1>>>(Stack<Level<2>, Level<4>>(7), Right(), i);
    CUDA(GetLastError())
    CUDA(DeviceSynchronize())
    CUDA(Memcpy(h, i, sizeof h, cudaMemcpyDeviceToHost))
    printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
    CUDA(Free(d))
    CUDA(Free(i))
    return 0;
}
