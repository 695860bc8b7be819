#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

struct point { double x, y; };
typedef struct { int n; struct point *pts; } cloud_t;

__device__ double norm1(const struct point *p) { return (p->x < 0 ? -p->x : p->x) + (p->y < 0 ? -p->y : p->y); }

__global__ void norms(cloud_t c, double *out)
{
    int i;
    for (i = threadIdx.x; i < c.n; i += blockDim.x)
        out[i] = norm1(&c.pts[i]);
}

__constant__ double unit = 2.0;
__device__ int launches;

#ifdef __cplusplus
} /* extern "C" */
#endif

extern "C" __global__ void move(cloud_t c, struct point by)
{
    int i = threadIdx.x;
    if (i < c.n) {
        c.pts[i].x += by.x * unit;
        c.pts[i].y += by.y * unit;
    }
    if (i == 0)
        ++launches;
}

extern "C" { static __global__ void flip(cloud_t c) { int i = threadIdx.x; if (i < c.n) { c.pts[i].x = -c.pts[i].x; } } }

extern "C" int host_entry(int (*callback)(const char *, double))
{
    struct point h[5];
    struct point by = { 1.0, -1.0 };
    double r[5], *d_r = NULL;
    cloud_t c = { 5, NULL };
    int i, counted = 0;
    cudaError_t rc;

    for (i = 0; i < 5; i++) { h[i].x = i; h[i].y = -2.0 * i; }
    if ((rc = cudaMalloc((void **)&c.pts, sizeof h)) != cudaSuccess) goto fail;
    if ((rc = cudaMalloc((void **)&d_r, sizeof r)) != cudaSuccess) goto fail;
    if ((rc = cudaMemcpy(c.pts, h, sizeof h, cudaMemcpyHostToDevice)) != cudaSuccess) goto fail;
    norms<<<1, 2>>>(c, d_r);
    if ((rc = cudaGetLastError()) != cudaSuccess) goto fail;
    if ((rc = cudaMemcpy(r, d_r, sizeof r, cudaMemcpyDeviceToHost)) != cudaSuccess) goto fail;
    callback("before", r[4]);
    move<<<1, 8>>>(c, by);
    flip<<<1, 8>>>(c);
    move<<<1, 8>>>(c, by);
    norms<<<1, 8>>>(c, d_r);
    if ((rc = cudaGetLastError()) != cudaSuccess) goto fail;
    if ((rc = cudaMemcpy(r, d_r, sizeof r, cudaMemcpyDeviceToHost)) != cudaSuccess) goto fail;
    callback("after", r[4]);
    if ((rc = cudaMemcpyFromSymbol(&counted, launches, sizeof counted)) != cudaSuccess) goto fail;
    callback("moves", counted);
fail:
    if (rc != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(rc));
    if (cudaFree(d_r) != cudaSuccess || cudaFree(c.pts) != cudaSuccess)
        return 1;
    return rc == cudaSuccess ? 0 : 1;
}

static int print_it(const char *what, double v) { return printf("%s: %.3f\n", what, v); }

int main(void)
{
    if (host_entry(print_it) != 0)
        return EXIT_FAILURE;
    return 0;
}
