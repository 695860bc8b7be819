#define N 2
#define T float
#define NAME a
#include "own.cuh"
