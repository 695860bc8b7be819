#define N 4
#define T int
#define NAME c
#include "own.cuh"

void a();
void b();
// Of the same name as what a file keeps to itself.
__device__ int factor_of_all = 1;

int main() {
    a();
    b();
    c();
    a();
    c();
    b();
}
