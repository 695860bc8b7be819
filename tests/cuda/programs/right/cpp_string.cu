// prints: a block of 256 threads, 42, 2.5, found at 11
#include <cstdio>
#include <string>

int main() {
    std::string text = "a block of " + std::to_string(256);
    text.append(" threads");
    printf("%s, %d, %g, found at %zu\n", text.c_str(), std::stoi("42"), std::stod("2.5"), text.find("256"));
}
