#include "api.h"
#include <cstdio>
#include <numeric>

int main()
{
    std::vector<float> values(100);
    std::iota(values.begin(), values.end(), 1.0f);
    std::vector<int> numbers(97);
    for (int i = 0; i < 97; i++) numbers[i] = i * 31 % 97;
    std::printf("%g %g %d\n", sum(values), scaled_sum(values, 2), largest(numbers));
}
