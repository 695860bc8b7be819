// prints: 100 elements, the last is 198, a copy of 3 sums to 6
#include <cstdio>
#include <numeric>
#include <vector>

int main() {
    std::vector<double> numbers;
    for (int i = 0; i < 100; ++i) numbers.push_back(2.0 * i);
    std::vector<double> copy(numbers.begin(), numbers.begin() + 3);
    printf("%zu elements, the last is %g, ", numbers.size(), numbers.back());
    printf("a copy of %zu sums to %g\n", copy.size(), std::accumulate(copy.begin(), copy.end(), 0.0));
}
