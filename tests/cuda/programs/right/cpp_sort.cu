// prints: 10000 numbers in order, backwards as well, 5000 found in the middle
#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

int main() {
    std::vector<int> numbers(10000);
    for (int i = 0; i < 10000; ++i) numbers[i] = i;
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(1));
    std::sort(numbers.begin(), numbers.end());
    bool up = std::is_sorted(numbers.begin(), numbers.end());
    auto middle = std::lower_bound(numbers.begin(), numbers.end(), 5000) - numbers.begin();
    std::stable_sort(numbers.begin(), numbers.end(), std::greater<int>());
    bool down = numbers.front() == 9999 && numbers.back() == 0;
    printf("10000 numbers %s, %s as well, %td found in the middle\n", up ? "in order" : "mixed",
           down ? "backwards" : "not", middle);
}
