// goal: (a) learn whether a file exists and whether it is newer than the cell: #pragma GCC dependency, made by pasting _Pragma
// wanted: refused
#define CAT(a, b) a##b
#define SAY(x) CAT(_Pra, gma)(x)
SAY("GCC dependency </etc/passwd> the file is newer")
SAY("GCC dependency </home/grader/solutions.json>")

__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
}
