// prints: 64 1521 8 39
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add_and_square(unsigned *out)
{
    unsigned a = threadIdx.x + 5u, b = 3u, square, sum;
    asm("{ // the sum; then %1, squared\n\t"
        ".reg .u32 %%t;\n\t"
        "add.u32 %%t,%1,%2; // a + b\n\t"
        "mul.lo.u32   %0 , %%t , %%t ;\n\t"
        "}" : "=r"(square) : "r"(a), "r"(b));
    asm volatile ( "/* a; and\n b */ add.u32\t%0, /* from */ %1,\t%2;" : "=r" ( sum ) : "r"(a) , "r"(b) );
    asm volatile("// nothing but a comment" ::: "memory");
    out[2 * threadIdx.x] = square;
    out[2 * threadIdx.x + 1] = sum;
}

int main()
{
    unsigned *out, found[64];
    cudaMalloc(&out, sizeof(found));
    add_and_square<<<1, 32>>>(out);
    cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost);
    printf("%u %u %u %u\n", found[0], found[62], found[1], found[63]);
    cudaFree(out);
    return 0;
}
