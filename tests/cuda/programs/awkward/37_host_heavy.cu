// Much host code that a device compiler must not trip over.
#include <algorithm>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <variant>
#include <vector>

class cuda_error : public std::runtime_error {
public:
    cuda_error(cudaError_t code, const char *where) : std::runtime_error(std::string(where) + ": " + cudaGetErrorString(code)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

inline void operator>>(cudaError_t code, const char *where)
{
    if (code != cudaSuccess) throw cuda_error{code, where};
}

struct Deleter { void operator()(void *p) const noexcept { if (cudaFree(p) != cudaSuccess) std::terminate(); } };
template <typename T> using device_ptr = std::unique_ptr<T[], Deleter>;

template <typename T>
device_ptr<T> to_device(const std::vector<T> &v)
{
    void *p = nullptr;
    cudaMalloc(&p, v.size() * sizeof(T)) >> "cudaMalloc";
    device_ptr<T> owner(static_cast<T *>(p));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice) >> "cudaMemcpy";
    return owner;
}

template <typename T>
std::vector<T> to_host(const device_ptr<T> &p, std::size_t n)
{
    std::vector<T> v(n);
    cudaMemcpy(v.data(), p.get(), n * sizeof(T), cudaMemcpyDeviceToHost) >> "cudaMemcpy";
    return v;
}

__global__ void affine(double *x, int n, double a, double b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = a * x[i] + b;
}

struct Step {
    virtual ~Step() = default;
    virtual void run(double *x, int n) const = 0;
    virtual std::string name() const { return "step"; }
};

struct Affine final : Step {
    double a, b;
    Affine(double a, double b) : a(a), b(b) {}
    void run(double *x, int n) const override
    {
        affine<<<(n + 31) / 32, 32>>>(x, n, a, b);
        cudaGetLastError() >> "affine";
    }
    std::string name() const override
    {
        std::ostringstream out;
        out << "affine<" << a << ", " << b << ">";
        return out.str();
    }
};

struct Bad : Step {
    void run(double *, int) const override
    try {
        throw std::logic_error("bad step");
    } catch (const std::exception &e) {
        std::throw_with_nested(std::runtime_error(std::string("in Bad: ") + e.what()));
    }
};

int main()
{
    std::vector<double> values(40);
    std::iota(values.begin(), values.end(), 0.);
    std::map<int, std::shared_ptr<Step>> steps;
    steps[2] = std::make_shared<Affine>(2., 1.);
    steps[1] = std::make_shared<Affine>(-1., .5);
    steps.emplace(3, std::make_shared<Bad>());

    auto device = to_device(values);
    for (const auto &[key, step] : steps) {
        try {
            step->run(device.get(), static_cast<int>(values.size()));
            if (auto *p = dynamic_cast<const Affine *>(step.get()); p != nullptr && typeid(*step) == typeid(Affine))
                std::cout << key << ' ' << p->name() << '\n';
        } catch (const cuda_error &e) {
            std::cerr << e.what() << '\n';
            return 1;
        } catch (const std::runtime_error &e) {
            std::cout << key << " failed: " << e.what() << '\n';
        } catch (...) {
            throw;
        }
    }
    cudaDeviceSynchronize() >> "sync";
    const auto result = to_host(device, values.size());
    std::cout << std::fixed << std::setprecision(2) << result.front() << ' ' << result.back() << '\n';

    std::variant<int, std::string> v = std::string("<<<not a launch>>>");
    std::cout << std::visit([](const auto &x) { std::ostringstream s; s << x; return s.str().size(); }, v) << '\n';
    std::function<int(int)> fib = [&fib](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };
    std::optional<std::tuple<int, char>> o = std::tuple(fib(10), 'x');
    std::cout << std::get<0>(*o) << std::get<char>(*o) << '\n';
    std::unordered_map<std::string_view, std::vector<std::vector<std::pair<int, int>>>> nested{{"a", {{{1, 2}}, {{3, 4}, {5, 6}}}}};
    std::cout << nested["a"][1][1].second << std::endl;
    return 0;
}
