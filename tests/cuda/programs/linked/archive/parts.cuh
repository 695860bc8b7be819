#pragma once
__device__ float scale(float x);
__device__ float shift(float x);
