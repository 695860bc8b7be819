// prints: 101 1
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int* out) {
    __shared__ int mine[64];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = int(cluster.block_rank()) * 100 + threadIdx.x;
    cluster.sync();
    const int* others = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = others[threadIdx.x];
    cluster.sync();
}

int main() {
    int *out, host[256];
    cudaMalloc(&out, sizeof host);
    swap<<<4, 64>>>(out);
    if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) || cudaGetLastError()) return 1;
    printf("%d %d\n", host[1], host[65]);
    cudaFree(out);
}
