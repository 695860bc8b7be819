// prints: pool 0, stream 0, limit 0, cache 0, one GPU 1
// Calls that say how to be fast: they change nothing here.
#include <cstdio>
#include <cstdlib>

int main() {
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ull;
    int pools = cudaDeviceGetDefaultMemPool(&pool, 0);
    pools += cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    float* x;
    cudaStream_t stream;
    cudaMalloc(&x, 4096);
    cudaStreamCreate(&stream);
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow = {x, 4096, 1.0f, cudaAccessPropertyPersisting, cudaAccessPropertyNormal};
    int kept = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    int limit = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20);
    int reset = cudaCtxResetPersistingL2Cache(), peers;
    bool one = cudaDeviceGetP2PAttribute(&peers, cudaDevP2PAttrAccessSupported, 0, 1) == cudaErrorInvalidDevice;
    cudaGetLastError();
    printf("pool %d, stream %d, limit %d, cache %d, one GPU %d\n", pools, kept, limit, reset, one);
    cudaStreamDestroy(stream);
    return cudaFree(x);
}
