// kernel: k   grid: 1   block: 1
// args: out uint32[8] poison
// expect: nothing
// check: out == [1, 1, 1, 1, 0, 0, 1, 0]
__constant__ int table[4] = {1, 2, 3, 4};

__global__ void k(unsigned* out)
{
    __shared__ int tile[4];
    int own[4] = {};
    tile[0] = own[out - out];
    out[0] = __isGlobal(out);
    out[1] = __isShared(tile);
    out[2] = __isLocal(own);
    out[3] = __isConstant(table);
    out[4] = __isGlobal(tile);
    out[5] = __isShared(own);
    asm("{ .reg .pred p, q; isspacep.shared p, %2; isspacep.global q, %2; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
        : "=r"(out[6]), "=r"(out[7])
        : "l"(tile));
}
