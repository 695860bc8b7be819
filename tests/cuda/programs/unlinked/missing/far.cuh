namespace far {
__device__ float away(float x);
}
