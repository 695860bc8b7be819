#pragma once
struct Shape {
    __device__ virtual float area() const;
    __device__ virtual ~Shape();
    __device__ float twice() const { return 2 * area(); }
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float side);
    __device__ float area() const override;
};
struct Disc : Shape {
    float radius;
    __device__ explicit Disc(float radius) : radius(radius) {}
    __device__ float area() const override;
};
__global__ void make(Shape** shapes);
__global__ void destroy(Shape** shapes);
