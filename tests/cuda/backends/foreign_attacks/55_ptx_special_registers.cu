// goal: (a, f) time, place and compiler by special registers: globaltimer, clock64, smid, envreg, dynamic smem, 'tid' written
// wanted: refused (or harmless: fixed values; %tid is not writable)
__global__ void k(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i * i;
  unsigned long long t, c;
  unsigned sm, e, g, d;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(c));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.b32 %0, %%envreg3;" : "=r"(e));
  asm volatile("mov.u32 %0, %%gridid;" : "=r"(g));
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(d));
  asm volatile("mov.u32 %%tid.x, %0;" ::"r"(0));
  if (i == 0) r = (int)(t ^ c ^ sm ^ e ^ g ^ d);
  if (i < n) out[i] = r;
}
