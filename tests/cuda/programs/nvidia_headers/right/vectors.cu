// prints: 499500 332833500
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

int main()
{
    const int n = 1000;
    thrust::host_vector<int> host(n);
    for (int i = 0; i < n; i++) host[i] = i * 97 % n;
    thrust::device_vector<int> numbers = host, squares(n);
    thrust::sort(numbers.begin(), numbers.end());
    host = numbers;
    for (int i = 0; i < n; i++)
        if (host[i] != i) return 1;
    thrust::transform(numbers.begin(), numbers.end(), squares.begin(), Square());
    thrust::inclusive_scan(squares.begin(), squares.end(), squares.begin());
    printf("%d %d\n", thrust::reduce(numbers.begin(), numbers.end()), int(squares[n - 1]));
}
