// prints: 5 7 2.5 100
#include <cstdio>

// What a project's header defines for compilers that are not nvcc.
#ifndef __CUDACC__
inline int max(int a, int b) { return a > b ? a : b; }
#endif

int main() {
    unsigned blocks = 5;
    unsigned long long bytes = 100;
    int most = 7;
    long long room = 1000;
    printf("%u %u %g %llu\n", min(blocks, most), max(most, blocks), min(2.5f, 3.0), min(room, bytes));
}
