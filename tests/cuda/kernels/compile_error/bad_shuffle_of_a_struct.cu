// kernel: pass   grid: 1   block: 32
// args: out float32[32] poison
// expect: CompileError lines=1 message="'__shfl_sync'"
struct Row { float values[16]; };
__global__ void pass(float* out)
{
    Row row = {};
    row = __shfl_sync(0xffffffff, row, 0);        // (1)
    out[threadIdx.x] = row.values[0];
}
