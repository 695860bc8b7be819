// prints: 2^100 / 10^9 = 1267650600228229401496, the rest 703205376, 1.26765e+30 as a double
#include <cstdio>
#include <string>

std::string decimal(unsigned __int128 number) {
    std::string digits;
    for (; number; number /= 10) digits.insert(digits.begin(), char('0' + int(number % 10)));
    return digits;
}

int main(int count, char**) {
    unsigned __int128 large = (unsigned __int128)count << 100, billion = 1000000000ull * count;
    printf("2^100 / 10^9 = %s, ", decimal(large / billion).c_str());
    printf("the rest %s, %g as a double\n", decimal(large % billion).c_str(), double(large));
}
