// kernel: mark   grid: 2   block: 32
// args: words uint32[32] zeros
// expect: Race lines=1,2 array=words scope=grid atomic=True
__global__ void mark(unsigned* words)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) atomicCAS((unsigned short*)(words + t), (unsigned short)0, (unsigned short)1);  // (1)
    else atomicOr(words + t, 0x10000u);  // (2)
}
