#define N 3
#define T double
#define NAME b
#include "own.cuh"
