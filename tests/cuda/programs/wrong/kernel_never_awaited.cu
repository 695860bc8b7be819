// finds: Unsynchronized, line 6
#include <cstdio>

__global__ void hello() { printf("hello\n"); }

int main() { hello<<<1, 1>>>(); }
