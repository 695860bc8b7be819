#include <cstdio>
#include <cstdlib>
#include <type_traits>

struct Complex { float re, im; };
struct Tag {};

template <typename T>
__host__ __device__ auto magnitude(T x)
{
    if constexpr (std::is_same_v<T, Complex>)
        return x.re * x.re + x.im * x.im;
    else if constexpr (std::is_pointer_v<T>)
        return magnitude(*x);
    else if constexpr (std::is_unsigned_v<T>)
        return x;
    else
        return x < 0 ? -x : x;
}

template <typename T>
__global__ void measure(T value, double *out)
{
    if constexpr (std::is_empty_v<T>) {
        *out = -1;
        (void)value;
    } else if constexpr (constexpr bool big = sizeof(T) > sizeof(int); big) {
        *out = static_cast<double>(magnitude(value)) + 0.5;
    } else {
        *out = static_cast<double>(magnitude(value));
    }
}

// Each kind of fold.
template <int... Is> __device__ constexpr int left_sum() { return (... + Is); }
template <int... Is> __device__ constexpr int right_difference() { return (Is - ...); }
template <int... Is> __device__ constexpr int left_difference() { return (... - Is); }
template <int... Is> __device__ constexpr int shifted() { return (1 << ... << Is); }
template <bool... Bs> inline constexpr bool all_true = (Bs && ...);
template <bool... Bs> inline constexpr bool any_true = (false || ... || Bs);
template <typename... Ts> inline constexpr int bytes = (0 + ... + static_cast<int>(sizeof(Ts)));
template <typename T, typename... Us> inline constexpr bool one_of = (std::is_same_v<T, Us> || ...);

template <int... Is>
__global__ void folds(int *out)
{
    int n = 0;
    ((out[n++] = Is * Is), ...);
    out[n++] = left_sum<Is...>();
    out[n++] = right_difference<Is...>();
    out[n++] = left_difference<Is...>();
    out[n++] = shifted<(Is > 2 ? 1 : 2)...>();
    out[n++] = all_true<(Is > 0)...> * 10 + any_true<(Is >> 1 > 1)...>;
    out[n++] = bytes<char, short, int (*)[Is]...> + one_of<char, int, char>;
    bool stop = ((Is == 2 && (out[n] = 200 + Is, true)) || ...);
    out[n + 1] = stop;
}

template <typename... Fs>
struct Overload : Fs... { using Fs::operator()...; };
template <typename... Fs> Overload(Fs...) -> Overload<Fs...>;

__global__ void overloads(int *out)
{
    auto f = Overload{[](int x) { return x + 1; }, [](float x) { return static_cast<int>(x * 4); }, [](const char *s) { return s[0] - 'a'; }};
    out[0] = f(1);
    out[1] = f(1.25f);
    out[2] = f("z");
}

template <typename... Calls>
bool run_all(Calls... calls)
{
    return ((calls == cudaSuccess || (std::printf("%s\n", cudaGetErrorString(calls)), false)) && ...);
}

template <typename T>
bool show(const char *name, T value, double *d)
{
    measure<<<1, 1>>>(value, d);
    double h = 0;
    const bool fine = run_all(cudaGetLastError(), cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    std::printf("%s: %g\n", name, h);
    return fine;
}

int main()
{
    double *d;
    int *o, h[11], *target, five = -5;
    if (!run_all(cudaMalloc(&d, sizeof *d), cudaMalloc(&o, sizeof h), cudaMalloc(&target, sizeof five))) return 1;
    if (!run_all(cudaMemcpy(target, &five, sizeof five, cudaMemcpyHostToDevice))) return 1;
    bool fine = show("int", -3, d);
    fine &= show("unsigned char", static_cast<unsigned char>(200), d);
    fine &= show("double", -2.25, d);
    fine &= show("complex", Complex{3, 4}, d);
    fine &= show("pointer", target, d);
    fine &= show("tag", Tag{}, d);
    folds<1, 2, 3><<<1, 1>>>(o);
    fine &= run_all(cudaGetLastError(), cudaDeviceSynchronize(), cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost));
    for (int v : h) std::printf("%d ", v);
    std::printf("\n");
    overloads<<<1, 1>>>(o);
    fine &= run_all(cudaGetLastError(), cudaMemcpy(h, o, sizeof h[0] * 3, cudaMemcpyDeviceToHost));
    std::printf("%d %d %d\n", h[0], h[1], h[2]);
    fine &= run_all(cudaFree(d), cudaFree(o), cudaFree(target));
    return fine ? 0 : 1;
}
