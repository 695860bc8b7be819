#pragma once
extern __device__ int turns;
__device__ int left_of(const int* tile);
__device__ int past(const int* x, int i);
__device__ int kept(int i);
__device__ int moved(int at);
__global__ void fill(int n);
