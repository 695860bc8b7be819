#pragma once
template <int Block, int Halo> __device__ __forceinline__ void load_tile(float* tile, const float* in, int n)
{
    const int first = blockIdx.x * Block;
    for (int at = threadIdx.x; at < Block + Halo; at += Block) tile[at] = first + at < n ? in[first + at] : 0;
}
