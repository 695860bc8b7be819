// finds: nothing
// launch: grid=1, block=32, args=[empty_int(16, 16), empty_int(16, 8), empty_int(16, 8)]

#include <cuda_fp16.h>

// Each lane writes its number to the elements that it holds of A, B and C in a product of 16 x 16 and 16 x 8. An element
// of A or B has its own place as its value, so a lane can tell which ones it was given; so has C, with A the identity.
__global__ void who_holds(int* of_A, int* of_B, int* of_C)
{
    __shared__ __align__(16) half A[16][16], B[16][8], one[16][16];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) {
        A[i / 16][i % 16] = __int2half_rn(i);
        one[i / 16][i % 16] = __int2half_rn(i / 16 == i % 16);
        if (i < 128) B[i / 8][i % 8] = __int2half_rn(i);
    }
    __syncwarp();

    auto place = [](unsigned word, int n) { return __half2int_rn(__ushort_as_half(word >> 16 * n & 0xffff)); };
    unsigned a[4], b[2];
    unsigned row = (unsigned)__cvta_generic_to_shared(&A[lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row));
    for (int i = 0; i < 8; ++i) of_A[place(a[i / 2], i % 2)] = lane;

    row = (unsigned)__cvta_generic_to_shared(&B[lane % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(row));
    for (int i = 0; i < 4; ++i) of_B[place(b[i / 2], i % 2)] = lane;

    row = (unsigned)__cvta_generic_to_shared(&one[lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row));
    float c[4] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; ++i) of_C[(int)c[i]] = lane;
}
