#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

// A tuple, type lists, compile-time loops and tag dispatch, all used on the device.

#define HDC __host__ __device__ constexpr

template <std::size_t I, typename T> struct Leaf { T value; };
template <typename Is, typename... Ts> struct TupleImpl;
template <std::size_t... Is, typename... Ts>
struct TupleImpl<std::index_sequence<Is...>, Ts...> : Leaf<Is, Ts>... {
    HDC TupleImpl(Ts... ts) : Leaf<Is, Ts>{ts}... {}
};
template <typename... Ts>
struct Tuple : TupleImpl<std::index_sequence_for<Ts...>, Ts...> {
    using TupleImpl<std::index_sequence_for<Ts...>, Ts...>::TupleImpl;
};
template <typename... Ts> Tuple(Ts...) -> Tuple<Ts...>;
template <std::size_t I, typename T> HDC T &get(Leaf<I, T> &leaf) { return leaf.value; }
template <std::size_t I, typename T> HDC const T &get(const Leaf<I, T> &leaf) { return leaf.value; }

template <typename... Ts> struct List { static constexpr int size = sizeof...(Ts); };
template <typename L, template <typename> class F> struct Map;
template <typename... Ts, template <typename> class F> struct Map<List<Ts...>, F> { using type = List<typename F<Ts>::type...>; };
template <typename L, int N> struct At;
template <typename H, typename... Ts, int N> struct At<List<H, Ts...>, N> : At<List<Ts...>, N - 1> {};
template <typename H, typename... Ts> struct At<List<H, Ts...>, 0> { using type = H; };
template <typename L> struct Largest;
template <typename T> struct Largest<List<T>> { using type = T; };
template <typename T, typename U, typename... Ts>
struct Largest<List<T, U, Ts...>> : Largest<List<std::conditional_t<(sizeof(T) >= sizeof(U)), T, U>, Ts...>> {};

template <int B, int E, typename F>
__device__ void static_for(F &&f)
{
    if constexpr (B < E) {
        f(std::integral_constant<int, B>{});
        static_for<B + 1, E>(f);
    }
}

struct slow_tag {};
struct fast_tag : slow_tag {};
template <typename T> struct traits { using category = slow_tag; };
template <> struct traits<float> { using category = fast_tag; };
__device__ int dispatch(float x, fast_tag) { return static_cast<int>(x) + 1000; }
template <typename T> __device__ int dispatch(T x, slow_tag) { return static_cast<int>(x); }

template <typename T> struct Dependent {
    struct Inner { template <int N> __device__ static int times(int x) { return x * N; } using type = T; };
};

template <typename T, typename... Ts>
__global__ void work(Tuple<T, Ts...> t, int *out)
{
    using Types = List<T, Ts...>;
    using Sizes = typename Map<Types, std::add_pointer>::type;
    int sum = 0;
    static_for<0, Types::size>([&](auto i) {
        constexpr int I = decltype(i)::value;
        using Element = typename At<Types, I>::type;
        sum += dispatch(get<I>(t), typename traits<Element>::category{}) * (I + 1);
    });
    out[0] = sum;
    out[1] = static_cast<int>(sizeof(typename Largest<Types>::type)) * 10 + Sizes::size;
    out[2] = Dependent<T>::Inner::template times<3>(7);
    typename Dependent<T>::Inner::type value{};
    out[3] = static_cast<int>(value) + std::is_same_v<typename At<Sizes, 0>::type, T *>;
    get<0>(t) = T(5);
    out[4] = static_cast<int>(get<0>(t));
}

template <typename... Ts>
static void show(Ts... ts)
{
    int *d, h[5];
    cudaError_t e[] = {cudaMalloc(&d, sizeof h), (work<<<1, 1>>>(Tuple{ts...}, d), cudaGetLastError()), cudaDeviceSynchronize(),
                       cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost), cudaFree(d)};
    for (cudaError_t x : e)
        if (x != cudaSuccess) {
            std::printf("%s\n", cudaGetErrorString(x));
            std::exit(1);
        }
    for (int v : h) std::printf("%d ", v);
    std::printf("\n");
}

int main()
{
    show(1);
    show(1, 2.5f, 'a');
    show(3.75, 10L, static_cast<short>(7), 0.5f);
    static_assert(get<1>(Tuple{1, 2.5}) > 2);
    return 0;
}
