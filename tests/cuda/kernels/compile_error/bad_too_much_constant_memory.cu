// kernel: look   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1 message=65536
__constant__ float table[16385]; // (1)
__global__ void look(float* out) { out[threadIdx.x] = table[threadIdx.x]; }
