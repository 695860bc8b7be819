/* __global__ void not_a_kernel(int *p) { p[0] = 1; }   not_a_kernel<<<1, 1>>>(p);
 * // nested // comment /* still the same comment
 */
// __global__ void nor_this(); \
   nor_this<<<1, 1>>>(); this line is still the comment
#include <cstdio>  // #include "does/not/exist.h"
#include <cstdlib> /* } } } */
#include <string>

const char *text = "__global__ void fake(int *p) { fake<<<1, 1>>>(p); } // not a comment /* nor this";
const char *raw = R"(__global__ void "fake"() { \n <<<2, 2>>> } /* )";
const char *delimited = R"cuda(
#include <nothing>
__global__ void k() { ")" } )" // end?
k<<<1, 1>>>();
)cuda";
const char *joined = "k<<<" "1, 1" ">>>" /* comment */ "(p);" // comment
    "\"; \\";
const auto *wide = L"__device__ ☃";
const auto *utf = u"__shared__";
const char quotes[] = {'"', '\'', '\\', '{', '/', '/', '*', '\0'};
constexpr int digits = 1'000'000, hex = 0xFF'FF, chars = 'a' + '"' + '\'';

__global__ /* void comment( */ void /* <<< */ real_one(int * /* p) { */ p /* , int n */, // int m) {
                                                      int n /* ) */) // {
{ /* } */
    // }
    const char *s = "} // }";  // a string in the kernel
    const char c = '}', d = '{', q = '"', a = '\'';  /* "unbalanced */
    int i = threadIdx.x; /* threadIdx.y */
    if (i < n) p[i] = s[0] + c + d + q + a /* + 1000 */ + /**/ 1 //**/ + 2000
        ;
    if (i == 0) printf("inside: %s <<<%d, %d>>> // %c\n", "__global__", gridDim.x, blockDim.x, q);
}

__device__ const char message[] = R"---(he said "hi)"; } -- )--" )---";

__global__ void copy_message(char *out) { for (int i = threadIdx.x; i < int(sizeof message); i += blockDim.x) out[i] = message[i]; }

static void check(cudaError_t e /* = cudaSuccess) {*/) { if (e) { printf("\"%s\"\n", cudaGetErrorString(e)); exit(1); } }

int main() // int main() {
{
    int *p, h[4];
    char *m, hm[sizeof "he said \"hi)\"; } -- )--\" "];
    check(cudaMalloc(&p, sizeof h /* "); */));
    check(cudaMalloc(&m, sizeof hm));
    real_one /* <<<9, 9>>> */ <<< /* grid */ 1, /* block */ 4 /* >>> */ >>> /* ( */ (p, 4); // real_one<<<1, 4>>>(p, 4);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    copy_message<<<1, 8>>>(m);
    check(cudaGetLastError());
    check(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost)); // check(
    check(cudaMemcpy(hm, m, sizeof hm, cudaMemcpyDeviceToHost)); /* */
    printf("%d %d\n%s\n", h[0], h[3], hm);
    printf("%zu %zu %zu %zu %d %d %d\n", std::string(text).size(), std::string(raw).size(), std::string(delimited).size(),
           std::string(joined).size(), digits, hex, chars);
    printf("%s %d %d\n", quotes, static_cast<int>(wide[0]), static_cast<int>(utf[1]));
    check(cudaFree(p)); /* check(cudaFree(p)); */
    check(cudaFree(m));
    return 0; // return 1;
} // }
/* the end: an apostrophe isn't a character constant, "nor is this a string */
