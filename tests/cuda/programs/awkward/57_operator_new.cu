#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

// Host-only forms of operator new, in a class and global; new and delete on the device; placement.

static long live = 0;

struct Tag { const char *text; };

// A placement form of our own. (nvcc takes a replacement of the plain global operator new for a device function, too.)
void *operator new(std::size_t n, const Tag &tag)
{
    if (void *p = std::malloc(n ? n : 1)) {
        ++live;
        std::printf("new for %s\n", tag.text);
        return p;
    }
    throw std::bad_alloc();
}
void operator delete(void *p, const Tag &) noexcept
{
    --live;
    std::free(p);
}

struct Managed {
    void *operator new(std::size_t n)
    {
        void *p;
        if (cudaMallocManaged(&p, n) != cudaSuccess) throw std::bad_alloc();
        return p;
    }
    void operator delete(void *p)
    {
        if (cudaFree(p) != cudaSuccess) std::abort();
    }
};

struct Counter : Managed {
    int value;
    int history[4];
    __host__ __device__ Counter() : value(10), history{} {}
    __host__ __device__ void bump(int by) { history[value % 4] = value; value += by; }
};

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
    __device__ ~Node() { delete next; }
};

__global__ void lists(int *out)
{
    Node *head = nullptr;
    for (int i = 0; i < 3; ++i) head = new Node(i + static_cast<int>(threadIdx.x), head);
    int sum = 0;
    for (Node *n = head; n; n = n->next) sum = sum * 10 + n->value;
    delete head;
    int *array = new int[4]{1, 2, 3};
    array[3] += sum;
    out[threadIdx.x] = array[3] + array[2];
    delete[] array;
    alignas(Counter) unsigned char room[sizeof(Counter)];
    Counter *c = ::new (static_cast<void *>(room)) Counter;
    c->bump(5);
    out[threadIdx.x] += c->history[2] * 1000;
    c->~Counter();
}

__global__ void bump(Counter *c) { c->bump(7); }

int main()
{
    int *out, h[2];
    Counter *c = new Counter;
    const Tag tag{"<<<plain>>>"};
    int *plain = new (tag) int(3);
    if (cudaMalloc(&out, sizeof h) != cudaSuccess) return 1;
    lists<<<1, 2>>>(out);
    bump<<<1, 1>>>(c);
    bump<<<1, 1>>>(c);
    if (cudaGetLastError() != cudaSuccess) return 1;
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    std::printf("%d %d\n", h[0], h[1]);
    std::printf("%d %d %d %d\n", c->value, c->history[1], c->history[2], *plain);
    operator delete(plain, tag);
    delete c;
    std::printf("%ld live\n", live);
    return cudaFree(out) == cudaSuccess ? 0 : 1;
}
