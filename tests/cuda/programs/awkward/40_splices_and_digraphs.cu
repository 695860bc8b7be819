// Line splices in every token and the alternative spellings of brackets. \
__global__ void swallowed();
%:include <cstdio>
#include <cst\
dlib>

%:define JOIN(a, b) a%:%:b
#define MULTI(x) \
    do <% \
        if ((x) != cudaSuccess) <% \
            std::printf("line %d\n", __LINE__); \
            std::exit(1); \
        %> \
    %> while (0)

__glo\
bal__ vo\
id spl\
iced(int *p, int n)
<%
    int i = thread\
Idx.x;
    if (i < n and not (i bitand 1)) p<:i:> = compl i xor 5;
%>

template <typename T, int N>
__global__ void JOIN(di, graphs)(T (*rows)<:N:>)
<%
    __shared__ T tile<:2:><:N:>;
    tile<:threadIdx.y:><:threadIdx.x:> = rows<:threadIdx.y:><:threadIdx.x:>;
    __sync\
threads();
    rows<:1 - threadIdx.y:><:threadIdx.x:> = tile<:threadIdx.y:><:threadIdx.x:>;
%>

namespace n <% struct S <% int v; %>; template <typename T> struct box <% T t; %>; %>
__global__ void boxed(::n::box<::n::S> b, int *p) <% p<:0:> = b.t.v; %>

int main() <%
    int *p, h<:8:> = <% 9, 9, 9, 9, 9, 9, 9, 9 %>;
    MULTI(cudaMalloc(&p, sizeof h));
    MULTI(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
    spliced<\
<\
<1, 8>\
>>(p, 7);
    MULTI(cudaGetLastError());
    digraphs<<<1, di\
m3(4, 2)>>>(reinterpret_cast<int (*)<:4:>>(p));
    MULTI(cudaGet\
LastError());
    boxed<<<1, 1>>>(::n::box<::n::S><%<%77%>%>, p);
    MULTI(cudaGetLastError());
    MULTI(cudaDeviceSynchronize());
    MULTI(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    for (int v : h) std::printf("%d ", v);
    std::printf("a string \
in two lines\n");
    int seen = 0;
    for (int v : h) if (v not_eq 9 and v > 0 or v == -6) seen or_eq 1 << (v bitand 7);
    std::printf("%d\n", seen);
    MULTI(cudaFree(p));
    return 0;
%>
