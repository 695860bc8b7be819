// goal: (a) learn whether files exist, by the answer rather than a message: __has_embed made by pasting
// wanted: refused (out[0] would tell one bit per file)
#define CAT(a, b) a##b
#define PEEK(f) CAT(__has_, embed)(f)
#if PEEK(</etc/shadow>)
#define BIT0 1
#else
#define BIT0 0
#endif
#define LOOK __has_embed
#if LOOK(</etc/ssh/ssh_host_rsa_key> limit(1))
#define BIT1 2
#else
#define BIT1 0
#endif
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i ? i * i : BIT0 + BIT1;
}
