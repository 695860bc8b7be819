// prints: grid 4, half 0.50, 0xff, 3 words of 12
#include <iomanip>
#include <iostream>
#include <sstream>

int main() {
    std::istringstream words("one two three 12");
    std::string word;
    int count = 0, number = 0;
    while (count < 3 && words >> word) ++count;
    words >> number;
    std::cout << "grid " << 4 << ", half " << std::fixed << std::setprecision(2) << 0.5 << ", 0x" << std::hex << 255;
    std::cout << ", " << std::dec << count << " words of " << number << std::endl;
}
